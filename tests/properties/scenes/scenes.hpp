#pragma once

#include <cstddef>
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
#include "oracle/oracle.hpp"
#include "properties/trial.hpp"
#include "properties/views/placing.hpp"
#include "properties/views/setting.hpp"
#include "scene/lists.hpp"
#include "support/double3.hpp"
#include "support/generate.hpp"
#include "support/objects.hpp"
#include "support/random.hpp"

namespace properties {

/// A scene, and a copy of all that it should hold, by handle. Every edit is given to both. What is added has draw
/// commands, by turns none, copies of a template and records.
class Shadow {
public:
    explicit Shadow(HullSet hulls) : hulls_(std::move(hulls)) {}

    struct There {
        bool has = false;
        Kind kind{};
        Object object;
        Double3 origin{};
        lanecull::DrawCommand command{};
    };
    /// How objects are handed over. A batch without these streams has objects without the attributes.
    struct How {
        Streams streams = {};
        bool bounds = false;
        Double3 origin{};  ///< of objects that are added
        lanecull::Mobility mobility = lanecull::Mobility::fixed;
    };

    void add(Kind kind, std::span<const Object> objects, const How& how);
    void remove(std::span<const lanecull::Handle> handles);
    void replace(std::span<const lanecull::Handle> handles, Kind kind, std::span<const Object> objects, const How& how);
    /// Those of the handles whose objects are of that kind get the objects' shapes.
    void place(std::span<const lanecull::Handle> handles, Kind kind, std::span<const Object> objects, bool bounds);
    /// Object i of these says what attributes of those streams the one named handles[i] has from now on.
    void set_attributes(std::span<const lanecull::Handle> handles, std::span<const Object> objects,
                        const Streams& streams);
    void move(std::span<const lanecull::Handle> handles, std::span<const std::array<float, 3>> by);
    void refit(lanecull::Refit fit) { scene_.refit(fit); }
    /// Returns how many objects were moved to other blocks.
    std::uint64_t rebuild_in_parts();
    void rebuild();
    /// Calls call(scene), which must fail for an argument. Nothing happens to the copy, as nothing may to the scene.
    template <class Call>
    [[nodiscard]] bool refuses(const Call& call) {
        return !call(scene_).ok();
    }
    /// The scene becomes what was read from a file that it was written to. Written again it is the same file.
    void save_and_load();

    [[nodiscard]] const lanecull::Scene& scene() const { return scene_; }
    [[nodiscard]] const HullSet& hulls() const { return hulls_; }
    /// By handle.
    [[nodiscard]] std::span<const There> all() const { return there_; }
    [[nodiscard]] std::vector<lanecull::Handle> some(Random& random, std::size_t count) const;

private:
    /// Strides and numbers of the first object, by turns: no part of what a scene keeps.
    [[nodiscard]] Format format_of(const How& how) const;
    void write(lanecull::Handle handle, Kind kind, const Object& object, const Streams& streams, const Double3& origin,
               const lanecull::DrawCommand& command);

    lanecull::Scene scene_;
    HullSet hulls_;
    std::vector<There> there_;
    std::uint32_t batches_ = 0;  ///< that were given to the scene
};

/// Whether the object is invalid, whatever hulls there are (is_object() in properties/bounds/shapes.hpp).
[[nodiscard]] bool is_none(Kind kind, const Object& object);
/// Whether scenes make a box around it, if it is valid: it is not huge, nor is its quaternion nearly too short or long.
[[nodiscard]] bool has_box(Kind kind, const Object& object, const HullSet& hulls);

// Decides what scenes claim of objects whose coordinates are relative to an origin of their own: that an object is
// apart from a volume, or lies inside of it. It knows nothing of how the claim was made.
//
// A *wall* is a plane with the whole volume on its inner side. A volume of half-spaces has these as walls. The
// oracle's answers add others, so that it need not decide the next object that is apart along about the same
// direction.

class Walls {
public:
    explicit Walls(const exact::Volume& volume);
    explicit Walls(exact::Volume&& volume) = delete;  ///< it is kept by reference

    /// The walls as an origin's coordinates see them.
    class Seen {
    public:
        Seen(Walls& walls, const Double3& origin);

        /// Whether the object shares no point with the volume. `solid` is the same object as `exact_solid()`, which is
        /// called only if doubles cannot decide.
        template <class MakeExact>
        [[nodiscard]] bool apart(const oracle::Solid& solid, const MakeExact& exact_solid) {
            return behind_a_wall(solid) || exactly_apart(exact_solid());
        }
        /// Whether all of the object lies in the volume. False for hulls, which no view claims it of.
        template <class MakeExact>
        [[nodiscard]] bool inside(const oracle::Solid& solid, const MakeExact& exact_solid) {
            return within_half_spaces(solid) || exactly_inside(exact_solid());
        }
        /// The oracle's own answer, without any wall.
        [[nodiscard]] exact::Answer decide(const exact::Solid& solid, const exact::Rational& grow = 0) const;

    private:
        struct Plane {
            oracle::Vec normal;
            oracle::Real length, offset;  ///< the volume's margin is not in the offset
        };

        void see_new_walls();
        [[nodiscard]] bool behind_a_wall(const oracle::Solid& solid);
        [[nodiscard]] bool exactly_apart(const exact::Solid& solid);
        [[nodiscard]] bool within_half_spaces(const oracle::Solid& solid) const;
        [[nodiscard]] bool exactly_inside(const exact::Solid& solid) const;
        [[nodiscard]] exact::Solid in_world(exact::Solid solid) const;

        Walls& walls_;
        exact::Point origin_;
        std::vector<Plane> planes_;
    };

    /// How many claims needed rationals.
    [[nodiscard]] std::uint64_t exact_checks() const { return exact_checks_; }

private:
    void learn(const exact::Point& direction);

    const exact::Volume& volume_;
    exact::HalfSpaces walls_;  ///< the largest component of each normal is 1, and each is a double
    std::size_t given_;        ///< so many are the volume's own half-spaces
    oracle::Real margin_;      ///< or a little more
    std::uint64_t exact_checks_ = 0;
};

// Objects for scenes, and what is verified of a scene's answers.

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
