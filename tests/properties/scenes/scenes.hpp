#pragma once

#include <cstdint>
#include <functional>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <lanecull/cull.h>
#include <lanecull/scene.h>

#include "oracle/exact.hpp"
#include "properties/scenes/shadow.hpp"
#include "properties/trial.hpp"
#include "properties/views/placing.hpp"
#include "properties/views/setting.hpp"
#include "scene/lists.hpp"
#include "support/generate.hpp"

/// Objects for scenes, and what is verified of a scene's answers.
namespace properties {

/// An object, made for world coordinates, as an origin's coordinates have it. The origin is random, up to 1e12 away,
/// and such that the object's place, or a box's lower corner, is where it was but for rounding to doubles.
struct Relative {
    Double3 origin;
    Object object;
};
[[nodiscard]] Relative relative(Random& random, Kind kind, const Object& object);

/// `count` objects of one kind within about `size` of a spot, all of them on one side of the volume's boundary there.
/// One of them touches it, or is `off` from it.
[[nodiscard]] std::vector<Object> cluster(Random& random, Kind kind, const HullSet& hulls, const Boundary::Spot& spot,
                                          double size, double off, std::size_t count);

/// Moves powers of two from one factor of a product to the other: half-extents and axes, transforms and vertices.
/// Other kinds get numbers of any size, denormal ones among them.
[[nodiscard]] Object extreme(Random& random, Kind kind, const Object& object);

/// The object with a number that makes it invalid.
[[nodiscard]] Object spoilt(Random& random, Kind kind, const Object& object, const Streams& streams);

/// A view from an eye that sees everything up to `reach` from the world's origin; none if the library refuses it.
[[nodiscard]] std::optional<lanecull::View> view_from(const Double3& eye, double scale, double reach);

/// Any kind, with equal chances.
[[nodiscard]] inline Kind any_kind(Random& random) {
    return all_kinds[random.below(static_cast<int>(std::size(all_kinds)))];
}

using scene_tests::has;
using scene_tests::set;

/// One view's cull of a scene.
struct SceneCull : scene_tests::ViewLists {
    SceneCull(const lanecull::Scene& scene, const lanecull::View& view, const lanecull::CullOptions& options = {},
              std::span<std::uint8_t> hints = {}, std::span<const std::uint64_t> candidates = {},
              const scene_tests::Wanted& wanted = {}) {
        scene_tests::SceneLists lists(scene, 1, wanted);
        lists.outputs[0].candidates = candidates, lists.views[0].own.hints = hints;
        lists.cull(scene, {&view, 1}, options);
        static_cast<scene_tests::ViewLists&>(*this) = std::move(lists.views[0]);
    }
};

/// What the lists, the counts and the blocks' outcomes of a cull say otherwise than its bits; empty: nothing. With
/// candidates some objects of inside blocks are culled.
[[nodiscard]] std::string contradiction(const lanecull::Scene& scene, const scene_tests::ViewLists& of,
                                        bool has_candidates = false);

/// The scene's objects, with the slots that they are in. Fails where a handle's object is another than it should be.
struct Placed {
    const Shadow::There* there;
    lanecull::Handle handle;
    std::uint32_t slot;
};
[[nodiscard]] std::vector<Placed> placed_objects(const Shadow& shadow, Trial& trial);

/// A byte for each of the scene's hints, of any contents.
[[nodiscard]] std::vector<std::uint8_t> any_hints(Random& random, const lanecull::Scene& scene);

/// Any edits of some objects of a scene.
class Editing {
public:
    using Make = std::function<std::vector<Object>(Kind kind, std::size_t count)>;
    /// `make` makes new objects, `how` says how they are handed over.
    Editing(Random& random, Shadow& shadow, Make make, std::function<Shadow::How()> how)
        : random_(random), shadow_(shadow), make_(std::move(make)), how_(std::move(how)) {}

    void edit();
    /// What has to be done before a cull, and what may be. Returns how many objects got into other blocks.
    std::uint64_t finish(double saved = 0.3);

private:
    void move(const std::vector<lanecull::Handle>& handles);

    Random& random_;
    Shadow& shadow_;
    Make make_;
    std::function<Shadow::How()> how_;
};

/// A view of scenes: its volume is in world coordinates.
struct Sight {
    const exact::Volume& volume;
    const lanecull::View& view;
    const std::string& text;
    const Reach* reach = nullptr;  ///< of a point light with a range
};
/// Of the setting's view.
[[nodiscard]] inline Sight sight_of(const Setting& setting) {
    return {setting.volume, setting.view, setting.text, setting.reach ? &*setting.reach : nullptr};
}

/// Culls the scene by every method on every instruction set, and verifies what it says of each object: culled, it is
/// apart from the volume; inside, it lies in it; without a shape, it is visible. Its lists say the same, and every
/// object lies in the box of its block. The exact oracle decides some objects. Where there are candidates, all of this
/// holds for them, and others are culled.
void check_scene(const Shadow& shadow, const Sight& sight, Trial& trial,
                 std::span<const std::uint64_t> candidates = {});

/// How what a scene says of an object differs from what it should be.
enum class Difference {
    culled,     ///< in the scene, and kept in a batch
    kept,       ///< in the scene, and culled in a batch
    candidate,  ///< among candidates, from what it is among all
    inside,     ///< its inside bits in scene and batch differ
};
/// Whether an object may differ so, by that method.
using MayDiffer = std::function<bool(const Shadow::There&, lanecull::Method, Difference)>;

/// Culls the scene by some methods on every instruction set, and compares each object's bits with those of a batch that
/// has these streams; with any hints, they are the same; with candidates, those have their bits, and others none.
/// Lists, counts, blocks and draw commands agree. No object differs without `may_differ`. Counts objects as
/// Tally::cases, those that blocks have decided as Tally::reached, and bits compared as Tally::pairs and
/// Tally::differing.
void check_flat(const Shadow& shadow, const lanecull::View& view, const Streams& streams,
                std::span<const lanecull::Method> methods, Trial& trial, const MayDiffer& may_differ = {});

/// Enough to repeat the object.
[[nodiscard]] std::string describe(const Shadow::There& there, const HullSet& hulls);

/// Families: distances and levels (distances.cpp); scenes of any numbers, and files (any.cpp).
void scenes_lod(Trial& trial);
void scenes_lod_views(Trial& trial);
void scenes_latest(Trial& trial);
void scenes_any(Trial& trial);
void scenes_files(Trial& trial);

}  // namespace properties
