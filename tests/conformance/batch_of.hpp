#pragma once

#include <lanecull/batch.h>

/// Objects of one kind, by its number: spheres, boxes, centered boxes, oriented boxes, capsules, hulls, boxes under
/// transforms.
struct NumbersOfBatch {
    const float* const* stream;  ///< number k of every object
    const float* records[2];     ///< axes and half-extents, or the columns of transforms
    const lanecull::Hull* hull = nullptr;
    std::uint32_t count = 1;
    lanecull::Attributes attributes = {};
};

inline lanecull::Batch batch_of(std::uint32_t kind, const NumbersOfBatch& of) {
    const float* const* const s = of.stream;
    const lanecull::Transforms transforms{.first = of.records[0], .layout = lanecull::TransformLayout::columns_3x4};
    switch (kind) {
        case 0:
            return {lanecull::Spheres{s[0], s[1], s[2], s[3], of.count}, of.attributes};
        case 1:
            return {lanecull::Boxes{s[0], s[1], s[2], s[3], s[4], s[5], of.count}, of.attributes};
        case 2:
            return {lanecull::CenteredBoxes{s[0], s[1], s[2], s[3], s[4], s[5], of.count}, of.attributes};
        case 3: {
            lanecull::OrientedBoxes boxes{.x = s[0], .y = s[1], .z = s[2]};
            boxes.axes.first = of.records[0], boxes.half_extents.first = of.records[1];
            boxes.count = of.count;
            return {boxes, of.attributes};
        }
        case 4:
            return {lanecull::Capsules{s[0], s[1], s[2], s[3], s[4], s[5], s[6], of.count}, of.attributes};
        case 5: {
            lanecull::HullInstances hulls{.transforms = transforms, .hulls = of.hull, .hull_count = 1};
            hulls.count = of.count;
            return {hulls, of.attributes};
        }
        default: {
            lanecull::BoxInstances boxes{.transforms = transforms};
            boxes.local.boxes = {s[15], s[16], s[17], s[12], s[13], s[14], of.count};
            boxes.count = of.count;
            return {boxes, of.attributes};
        }
    }
}
