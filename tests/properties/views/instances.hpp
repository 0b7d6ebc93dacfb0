#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <lanecull/batch.h>

#include "support/double3.hpp"
#include "support/objects.hpp"
#include "support/random.hpp"

namespace properties {

/// One way to write transforms and boxes.
struct Way {
    lanecull::TransformLayout layout;
    std::size_t more;  ///< floats between transforms; with none of them the stride is `packed`
    bool by_index;     ///< boxes in another order, with some that no object has
    bool bounds;       ///< hulls have bounding spheres

    explicit Way(Random& random);
    [[nodiscard]] bool is_4x4() const;
};

/// A batch of hulls or box instances, and its arrays.
class Instances {
public:
    Instances(Kind kind, std::span<const Object> objects, const HullSet& hulls, const Way& way);
    Instances(const Instances&) = delete;

    /// Three for each object. Bounding spheres, which have other places, go.
    void set_positions(std::vector<double> positions, const Double3& origin);
    /// The last row's number, of a layout that has one.
    [[nodiscard]] float& last_row(std::size_t i, std::size_t column);
    /// Of the object's box or hull.
    void set_index(std::size_t i, std::uint32_t index);
    /// A number of the object's bounding sphere.
    void set_bound(std::size_t i, std::size_t number, float value);
    void remove_bounds();

    lanecull::Batch batch = lanecull::Spheres{};

private:
    [[nodiscard]] std::size_t stride() const { return (way_.is_4x4() ? 16 : 12) + way_.more; }
    void write_transforms(std::span<const Object> objects);
    void write_boxes(std::span<const Object> objects);
    void set_transforms();

    Way way_;
    std::vector<float> matrices_;
    std::array<std::vector<float>, 6> sides_;
    std::array<std::vector<float>, 4> bounds_;
    std::vector<std::uint32_t> index_;
    std::vector<double> positions_;
    lanecull::Transforms transforms_;
    HeapMemory memory_;
};

/// Bounding spheres of a batch of hulls, stream after stream.
[[nodiscard]] std::vector<float> bounding_spheres_of(const lanecull::Batch& batch);

}  // namespace properties
