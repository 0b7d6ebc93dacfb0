#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <lanecull/batch.h>
#include <lanecull/cull.h>
#include <lanecull/view.h>

#include "properties/trial.hpp"
#include "properties/views/setting.hpp"
#include "support/double3.hpp"
#include "support/objects.hpp"
#include "support/random.hpp"

namespace properties {

/// Objects in several companies at once: each alone, each among copies of the next one, and all together. A call has
/// them plain, with all of them candidates, or with flags that say nothing. An object's verdict must be the same in
/// all.
class Company {
public:
    Company(Kind kind, std::span<const Object> objects, const HullSet& hulls, const Streams& streams);

    /// For each object its verdicts, '1' if it is visible: alone, among neighbours, among all; of the plain call, of
    /// the one with candidates, of the one with flags.
    [[nodiscard]] std::vector<std::string> verdicts(const lanecull::View& view,
                                                    const lanecull::CullOptions& options) const;
    /// Whether they are the same in all companies.
    [[nodiscard]] static bool agree(const std::string& verdicts) {
        return verdicts.find_first_not_of(verdicts.front()) == std::string::npos;
    }
    /// Objects of all calls.
    [[nodiscard]] std::size_t asked() const { return 3 * objects_ * (2 + neighbours); }

private:
    /// With the object itself. Enough for stage 1 to be left out where it leaves them undecided.
    static constexpr std::size_t neighbours = 128;

    void add(std::vector<std::string>& verdicts, std::span<const lanecull::Batch> batches,
             std::span<const std::uint64_t> candidates, const lanecull::View& view,
             const lanecull::CullOptions& options) const;

    HeapMemory memory_;
    std::size_t objects_;
    std::vector<lanecull::Batch> plain_, flagged_;
};

/// An object's verdict is the same alone, among neighbours that are undecided as well, among those of its setting,
/// among candidates, and in batches with flags: whatever stage 1 does with the chunk.
void ask_in_company(const Setting& setting, Trial& trial);

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
