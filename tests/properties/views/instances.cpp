#include "properties/views/calls.hpp"

#include <algorithm>
#include <limits>

#include <lanecull/bounds.h>

#include "oracle/exact_objects.hpp"
#include "properties/verdicts.hpp"
#include "properties/views/families.hpp"
#include "properties/views/placing.hpp"
#include "properties/views/setting.hpp"

namespace properties {

using lanecull::BoxInstances;
using lanecull::HullInstances;
using lanecull::TransformLayout;

namespace {

constexpr TransformLayout all_layouts[] = {TransformLayout::rows_3x4, TransformLayout::columns_3x4,
                                           TransformLayout::rows_4x4, TransformLayout::columns_4x4};

std::size_t number_at(TransformLayout layout, std::size_t row, std::size_t column) {
    switch (layout) {
        case TransformLayout::columns_3x4:
            return 3 * column + row;
        case TransformLayout::columns_4x4:
            return 4 * column + row;
        default:
            return 4 * row + column;
    }
}

using Bound = const float* HullInstances::*;
constexpr Bound bounding_streams[] = {&HullInstances::bounding_x, &HullInstances::bounding_y,
                                      &HullInstances::bounding_z, &HullInstances::bounding_radius};

}  // namespace

Way::Way(Random& random)
    : layout(all_layouts[random.below(4)]),
      more(static_cast<std::size_t>(random.below(2) * random.below(6))),
      by_index(random.chance(0.5)),
      bounds(random.chance(0.5)) {}

bool Way::is_4x4() const { return layout == TransformLayout::rows_4x4 || layout == TransformLayout::columns_4x4; }

Instances::Instances(Kind kind, std::span<const Object> objects, const HullSet& hulls, const Way& way) : way_(way) {
    batch = make_batch(kind, objects, hulls, memory_, {.bounds = way.bounds});
    write_transforms(objects);
    if (kind == Kind::box_instance) write_boxes(objects);
    set_transforms();
}

void Instances::write_transforms(std::span<const Object> objects) {
    matrices_.assign(objects.size() * stride(), std::numeric_limits<float>::quiet_NaN());
    for (std::size_t i = 0; i < objects.size(); ++i) {
        for (std::size_t k = 0; k < (way_.is_4x4() ? 16 : 12); ++k) {
            const float last = k == 15 ? 1.0f : 0.0f;
            matrices_[i * stride() + number_at(way_.layout, k / 4, k % 4)] = k < 12 ? objects[i].fields[k] : last;
        }
    }
    transforms_.first = matrices_.data();
    transforms_.stride_bytes = way_.more == 0 ? 0 : stride() * sizeof(float);
    transforms_.layout = way_.layout;
}

void Instances::write_boxes(std::span<const Object> objects) {
    const std::size_t count = objects.size(), boxes = way_.by_index ? 2 * count : count;
    for (std::vector<float>& side : sides_) side.assign(boxes, std::numeric_limits<float>::quiet_NaN());
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t at = way_.by_index ? 2 * (count - 1 - i) + 1 : i;
        for (std::size_t k = 0; k < 6; ++k) sides_[k][at] = objects[i].fields[12 + k];
        if (way_.by_index) index_.push_back(static_cast<std::uint32_t>(at));
    }
    const auto& s = sides_;
    BoxInstances shapes;
    shapes.local = {{s[0].data(), s[1].data(), s[2].data(), s[3].data(), s[4].data(), s[5].data(),
                     static_cast<std::uint32_t>(boxes)},
                    way_.by_index ? index_.data() : nullptr};
    shapes.count = static_cast<std::uint32_t>(count);
    batch = shapes;
}

void Instances::set_transforms() {
    if (auto* const boxes = batch.get_if<BoxInstances>()) boxes->transforms = transforms_;
    if (auto* const hulls = batch.get_if<HullInstances>()) hulls->transforms = transforms_;
}

void Instances::set_positions(std::vector<double> positions, const Double3& origin) {
    positions_ = std::move(positions);
    transforms_.positions = {positions_.data()};
    for (std::size_t k = 0; k < 3; ++k) transforms_.origin[k] = origin[k];
    set_transforms();
    remove_bounds();
}

float& Instances::last_row(std::size_t i, std::size_t column) {
    return matrices_[i * stride() + number_at(way_.layout, 3, column)];
}

void Instances::set_index(std::size_t i, std::uint32_t index) {
    if (auto* const hulls = batch.get_if<HullInstances>()) {
        index_.assign(hulls->hull_index, hulls->hull_index + hulls->count);
        hulls->hull_index = index_.data();
    }
    index_[i] = index;
}

void Instances::set_bound(std::size_t i, std::size_t number, float value) {
    HullInstances& hulls = *batch.get_if<HullInstances>();
    const float*& stream = hulls.*bounding_streams[number];
    bounds_[number].assign(stream, stream + hulls.count);
    bounds_[number][i] = value;
    stream = bounds_[number].data();
}

void Instances::remove_bounds() {
    auto* const hulls = batch.get_if<HullInstances>();
    for (const Bound stream : bounding_streams) {
        if (hulls != nullptr) hulls->*stream = nullptr;
    }
}

std::vector<float> bounding_spheres_of(const lanecull::Batch& batch) {
    const std::size_t n = batch.count();
    std::vector<float> to(4 * n);
    float* const s = to.data();
    const lanecull::Status status = bounding_spheres(*batch.get_if<HullInstances>(), s, s + n, s + 2 * n, s + 3 * n);
    if (!status) throw std::runtime_error(status.message());
    return to;
}

namespace {

constexpr Kind kinds_with_transforms[] = {Kind::hull, Kind::box_instance};

/// The object's solid where its position puts it.
exact::Solid solid_at(Kind kind, const Object& object, const HullSet& hulls, const double* position,
                      const Double3& origin) {
    exact::Solid solid = exact_solid_of(kind, object, hulls);
    std::array<exact::Rational, 3> by;
    for (std::size_t k = 0; k < 3; ++k) by[k] = exact::rational(position[k]) - exact::rational(origin[k]);
    for (exact::Point& p : solid.points) p = {p.x + by[0], p.y + by[1], p.z + by[2]};
    return solid;
}

}  // namespace

void layouts(Trial& trial) {
    Random& random = trial.random;
    const std::optional<Setting> setting = any_setting(random, std::min<std::size_t>(trial.plan.objects, 333));
    trial.at(setting ? Tally::trials : Tally::refused) = 1;
    if (!setting) return;
    for (const Kind kind : kinds_with_transforms) {
        const std::vector<Object>& objects = setting->objects[static_cast<std::size_t>(kind)];
        Way base(random), other(random);
        other.bounds = base.bounds;
        const Instances first(kind, objects, setting->hulls, base), second(kind, objects, setting->hulls, other);
        if (kind == Kind::hull && bounding_spheres_of(first.batch) != bounding_spheres_of(second.batch)) {
            trial.fail(Tally::untold, "bounding spheres differ between layouts", [&] { return setting->text; });
        }
        const Complaint fail{trial, [&] { return setting->text; }, kind, objects, setting->hulls};
        const auto a = all_verdicts_of(first.batch, setting->view, all_methods, trial, fail),
                   b = all_verdicts_of(second.batch, setting->view, all_methods, trial, fail);
        for (std::size_t k = 0; k < a.size(); ++k) {
            if (a[k].words != b[k].words) fail(Tally::untold, 0, a[k], "verdicts differ between layouts");
            if (a[k].counts != b[k].counts) fail(Tally::untold, 0, a[k], "counts differ between layouts");
        }
        if (trial.stopped()) return;
    }
}

void positions(Trial& trial) {
    Random& random = trial.random;
    const std::size_t count = std::max<std::size_t>(trial.plan.objects / 8, 1);
    const std::optional<Setting> setting = random.chance(0.5) ? far_points(random, count) : any_setting(random, count);
    trial.at(setting ? Tally::trials : Tally::refused) = 1;
    if (!setting || setting->reach) return;
    const Double3 origin = random.log_range(1, 1e9) * random_direction(random);
    for (const Kind kind : kinds_with_transforms) {
        std::vector<Object> objects = setting->objects[static_cast<std::size_t>(kind)];
        std::vector<double> places;
        for (Object& object : objects) {
            object.margin = 0, object.sweep = {};
            for (std::size_t k = 0; k < 3; ++k) {
                float& t = object.fields[place_field(kind, k)];
                const auto kept = static_cast<float>(random.range(-1, 1) * static_cast<double>(t));
                places.push_back(origin[k] + static_cast<double>(t) - static_cast<double>(kept));
                t = kept;
            }
        }
        Instances instances(kind, objects, setting->hulls, Way(random));
        instances.set_positions(places, origin);
        const Complaint fail{trial, [&] { return setting->text; }, kind, objects, setting->hulls};
        // Planes alone keep what is beside an edge.
        std::vector<const Verdicts*> culled(objects.size()), kept(objects.size());
        const auto all = all_verdicts_of(instances.batch, setting->view, all_methods, trial, fail);
        for (const Verdicts& v : all) {
            for (std::size_t i = 0; i < objects.size(); ++i) {
                if (!v.visible(i)) culled[i] = &v;
                if (v.visible(i) && v.method != lanecull::Method::planes) kept[i] = &v;
            }
        }
        for (std::size_t i = 0; i < objects.size(); ++i) {
            ++trial.at(Tally::cases);
            trial.at(Tally::reached) += culled[i] != nullptr;
            const exact::Solid solid = solid_at(kind, objects[i], setting->hulls, &places[3 * i], origin);
            const exact::Rational well = exact::rational(0x1p-14 * largest_seen(*setting, solid));
            if (setting->view.exact() && decide(solid, setting->volume, well).verdict == exact::Verdict::apart) {
                ++trial.at(Tally::apart_14);
                trial.at(Tally::kept_14) += kept[i] != nullptr;
            } else if (culled[i] != nullptr && decide(solid, setting->volume).verdict == exact::Verdict::visible) {
                fail(Tally::false_culls, i, *culled[i], "visible by its position, yet culled");
            }
        }
        if (trial.stopped()) return;
    }
}

}  // namespace properties
