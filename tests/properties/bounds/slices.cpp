#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <lanecull/scene.h>
#include <lanecull/shadow.h>

#include "bounds/find_bounds.hpp"
#include "properties/any.hpp"
#include "properties/bounds/bounds.hpp"
#include "properties/bounds/shapes.hpp"
#include "scene/contents.hpp"
#include "support/random.hpp"

/// slice_bounds() of batches and of scenes: no object is left out of the box of a slice that it reaches into; and what
/// is in a box has the bounds that it has by itself, which in scenes contain the object moved by its origin. Cameras
/// look along an axis of the world, so that the slices' planes have the numbers of their depths. These are those of the
/// objects' own ends, moved by nothing or by a few units in the last place.
namespace properties {
namespace {

constexpr std::size_t slices = 4, distinct = 256, copies = 100;  // 25,600 objects

bool same_box(const lanecull::WorldBox& a, const lanecull::WorldBox& b) {
    return std::ranges::equal(a.lower, b.lower) && std::ranges::equal(a.upper, b.upper);
}

/// The box around all that is visible, and those of slices.
struct Boxes {
    lanecull::WorldBox all, of_slice[slices];
};

/// What trials of slices have in common.
class SlicedTrial : public ShapesTrial {
protected:
    using ShapesTrial::ShapesTrial;

    void choose_axis() {
        axis_ = static_cast<std::size_t>(random().below(3));
        sign_ = random().chance(0.5) ? 1.0f : -1.0f;
    }
    /// Depths that grow. False: there are none.
    bool sort_depths() {
        if (!std::ranges::all_of(depths_, [](double depth) { return std::fabs(depth) < 1e29; })) return false;
        std::ranges::sort(depths_);
        return std::ranges::adjacent_find(depths_) == depths_.end();
    }
    [[nodiscard]] lanecull::Status slice(const lanecull::Batch& batch, std::span<const std::uint64_t> visible,
                                         lanecull::Isa isa, Boxes& to) const {
        if (lanecull::Status status = visible_bounds({&batch, 1}, visible, to.all, {isa}); !status) return status;
        return slice_bounds({&batch, 1}, visible, axis_camera(axis_, sign_), {}, depths_, to.of_slice, {isa});
    }
    [[nodiscard]] lanecull::Status slice(const lanecull::Scene& scene, std::span<const std::uint64_t> visible,
                                         lanecull::Isa isa, Boxes& to) const {
        if (lanecull::Status status = lanecull::visible_bounds(scene, visible, to.all, {isa}); !status) return status;
        const lanecull::ClipSpace space{.origin = {eye_[0], eye_[1], eye_[2]}};
        return lanecull::slice_bounds(scene, visible, axis_camera(axis_, sign_), space, depths_, to.of_slice, {isa});
    }
    /// Whether the object certainly reaches between two depths.
    bool reaches_between(double near, double far, Kind kind, const Object& object) {
        const double o = origin_[axis_], e = eye_[axis_];
        return (near == -HUGE_VAL || reaches_beyond({axis_, sign_, near, {o, -e}}, kind, object, hulls_, judge_)) &&
               (far == HUGE_VAL || reaches_beyond({axis_, -sign_, -far, {o, -e}}, kind, object, hulls_, judge_));
    }
    /// Whether it reaches beyond an end of a box.
    bool reaches_out(const lanecull::WorldBox& box, Kind kind, const Object& object) {
        bool reaches = false;
        for (std::size_t k = 0; k < 3; ++k) {
            for (const float sign : {-1.0f, 1.0f}) {
                const double end = sign > 0 ? box.upper[k] : -box.lower[k];
                reaches = reaches || (end != HUGE_VAL &&
                                      reaches_beyond({k, sign, end, {origin_[k], 0}}, kind, object, hulls_, judge_));
            }
        }
        return reaches;
    }

    double origin_[3] = {}, eye_[3] = {};  ///< of objects in scenes, and where they are seen from
    std::size_t axis_ = 0;
    float sign_ = 1;  ///< depths grow along the axis, or against it
    std::array<double, slices + 1> depths_{};
};

class SliceTrial : public SlicedTrial {
public:
    SliceTrial(Trial& trial, bool in_scenes, Numbers numbers = Numbers::any)
        : SlicedTrial(trial, numbers), in_scenes_(in_scenes) {}

    void run() {
        const std::size_t objects = numbers_ == Numbers::any ? 40 : trial_.plan.objects / 12;
        for (const Kind kind : all_kinds) {
            for (std::size_t n = 0; n < objects && !trial_.stopped(); ++n) ask(kind);
        }
    }

private:
    /// Where the object ends along the axis, about.
    [[nodiscard]] double end_of(Kind kind, const Object& object, float sign) const {
        return static_cast<double>(sign) * farthest({axis_, sign, 0}, kind, object, hulls_).value;
    }

    /// Depths that grow, along `sign_`, some of them where the object ends.
    bool choose_depths(Kind kind, const Object& object) {
        if (!is_object(kind, object, hulls_.size()).value_or(false)) {
            for (double& depth : depths_) depth = random().any_double();
            return sort_depths();
        }
        const double s = static_cast<double>(sign_);
        const double away = origin_[axis_] - eye_[axis_];
        const double low = s * (end_of(kind, object, -sign_) + away), high = s * (end_of(kind, object, sign_) + away);
        const auto moved = [&](double depth) {
            for (int steps = random().below(4); steps > 0; --steps) {
                depth = std::nextafter(depth, random().chance(0.5) ? -HUGE_VAL : HUGE_VAL);
            }
            return random().chance(0.3) ? static_cast<double>(static_cast<float>(depth)) : depth;
        };
        const double size = std::max({std::fabs(low), std::fabs(high), 1e-30});
        for (double& depth : depths_) {
            switch (random().below(3)) {
                case 0:
                    depth = moved(low);
                    break;
                case 1:
                    depth = moved(high);
                    break;
                default:
                    depth = (random().chance(0.5) ? low : high) +
                            size * std::ldexp(random().range(-1, 1), -random().below(30));
            }
        }
        return sort_depths();
    }

    /// In scenes, origin and eye are far away, each of them or both, or near.
    void choose_places() {
        for (std::size_t k = 0; k < 3; ++k) {
            origin_[k] = random().chance(0.2) ? 0 : random().sign() * random().log_range(1e-6, 1e12);
            eye_[k] = random().chance(0.3) ? origin_[k] : random().sign() * random().log_range(1e-6, 1e12);
        }
    }

    void ask(Kind kind) {
        const Object object = draw(kind);
        choose_axis();
        if (in_scenes_) choose_places();
        if (!choose_depths(kind, object)) return;
        HeapMemory memory;
        const lanecull::Batch batch = unbounded_batch(kind, {&object, 1}, hulls_, memory);
        lanecull::Scene scene;
        lanecull::Handle handle{};
        lanecull::AddOptions options;
        std::ranges::copy(origin_, options.origin);
        if (const lanecull::Status status = scene.add({&batch, 1}, {&handle, 1}, options); !status)
            return fail(Tally::untold, kind, object, status.message());
        std::vector<std::uint64_t> words(lanecull::visibility_words(scene));
        words[0] = 1;
        for (const lanecull::Isa isa : trial_.plan.isas) {
            Boxes in_batch, in_scene;
            lanecull::Status status = slice(batch, std::span(words).first(1), isa, in_batch);
            if (status) status = slice(scene, words, isa, in_scene);
            if (!status) return fail(Tally::untold, kind, object, status.message());
            compare(kind, object, in_batch, in_scene);
            if (numbers_ == Numbers::unchecked) compare_any(kind, object, batch, scene, words);
            const Boxes& found = in_scenes_ ? in_scene : in_batch;
            for (std::size_t k = 0; k < slices; ++k) check(kind, object, found.all, found.of_slice[k], k);
        }
    }

    /// By any matrix and depths a scene has the boxes that its batch has, or both are refused.
    void compare_any(Kind kind, const Object& object, const lanecull::Batch& batch, const lanecull::Scene& scene,
                     std::span<const std::uint64_t> words) {
        std::vector<double> depths(2 + static_cast<std::size_t>(random().below(9)));
        for (double& depth : depths) depth = random().any_double();
        if (random().below(8) != 0) std::ranges::sort(depths);
        std::vector<lanecull::WorldBox> boxes(depths.size() - 1), of_scene(boxes.size());
        const std::array<double, 16> matrix = read_matrix(random());
        const bool taken = slice_bounds({&batch, 1}, words.first(1), matrix, {}, depths, boxes).ok();
        const bool same = lanecull::slice_bounds(scene, words, matrix, {}, depths, of_scene).ok() == taken &&
                          (!taken || std::ranges::equal(boxes, of_scene, same_box));
        if (!same) fail(Tally::untold, kind, object, "a scene's slices are not the batch's");
    }

    /// A scene's boxes are those of its batch. Moved by the origin, its box contains the object and is no larger than
    /// by a rounding.
    void compare(Kind kind, const Object& object, const Boxes& in_batch, const Boxes& in_scene) {
        ++at(Tally::verdicts);
        if (!in_scenes_) {
            bool same = same_box(in_batch.all, in_scene.all);
            for (std::size_t k = 0; k < slices; ++k)
                same = same && same_box(in_batch.of_slice[k], in_scene.of_slice[k]);
            if (!same) fail(Tally::untold, kind, object, "a scene's boxes are not the batch's");
            return;
        }
        if (reaches_out(in_scene.all, kind, object))
            fail(Tally::unproved, kind, object, "the object reaches beyond its box");
        for (std::size_t k = 0; k < 3; ++k) {
            const auto is_near = [&](double found, double end) {
                return found == end || std::fabs(found - end) <= 1e-15 * (std::fabs(end) + std::fabs(origin_[k]));
            };
            if (!is_near(in_scene.all.lower[k], in_batch.all.lower[k] + origin_[k]) ||
                !is_near(in_scene.all.upper[k], in_batch.all.upper[k] + origin_[k]))
                fail(Tally::untold, kind, object, "a scene's box is larger than the batch's by more than a rounding");
        }
    }

    void check(Kind kind, const Object& object, const lanecull::WorldBox& alone, const lanecull::WorldBox& box,
               std::size_t k) {
        ++at(Tally::verdicts);
        if (!(box.lower[0] > box.upper[0])) {
            if (!same_box(box, alone))
                fail(Tally::untold, kind, object, "its bounds in a slice are others than by itself");
            return;
        }
        ++at(Tally::culled_gjk);
        if (const std::optional<bool> valid = is_object(kind, object, hulls_.size()); valid != true) {
            if (valid == false) fail(Tally::invalid_told, kind, object, "what is no object is left out of a slice");
            return;
        }
        // Inside of both planes by the least bit, it would have been left out of a slice that it reaches into.
        if (reaches_between(depths_[k], depths_[k + 1], kind, object)) {
            fail(Tally::unproved, kind, object, "left out of a slice that it reaches into");
        }
    }

    void fail(Tally::Count count, Kind kind, const Object& object, const char* what) {
        trial_.fail(count, what, [&] {
            return ::describe(kind, object, hulls_) + "\n  axis " + std::to_string(axis_) +
                   (sign_ > 0 ? " forward" : " backward") + " depths" + written(depths_) + "\n  origin" +
                   written(origin_) + " eye" + written(eye_);
        });
    }

    bool in_scenes_;
};

/// Scenes of several groups of blocks, most of which are left out by their boxes alone. A trial has some hundred
/// objects of a kind, each of them many times. No object is left out that reaches beyond what is found, and what is
/// found is no larger than the box of a batch of the same objects.
class BlockTrial : public SlicedTrial {
public:
    using SlicedTrial::SlicedTrial;

    void run() { ask(all_kinds[random().below(static_cast<int>(std::size(all_kinds)))]); }

private:
    /// Objects near each other, all about as large, or of any numbers; now and then one that is none.
    void choose_objects(Kind kind) {
        const Numbers numbers = random().chance(0.8) ? Numbers::moderate : Numbers::any;
        const double rare = random().chance(0.2) ? 0.005 : 0;
        for (std::size_t i = 0; i < distinct; ++i) {
            Object object = random_shape(random(), kind, numbers, hulls_);
            if (random().chance(rare)) break_one(random(), kind, object, hulls_.size());
            for (std::size_t n = 0; n < copies; ++n) objects_.push_back(object);
        }
    }

    void ask(Kind kind) {
        choose_objects(kind);
        choose_axis();
        HeapMemory memory;
        const lanecull::Batch batch = unbounded_batch(kind, objects_, hulls_, memory);
        lanecull::Scene scene;
        std::vector<lanecull::Handle> handles(objects_.size());
        if (const lanecull::Status status = scene.add({&batch, 1}, handles); !status) return fail(0, status.message());
        if (!show_some(batch, scene, handles) || !choose_depths(batch)) return;
        ++at(Tally::cases);
        at(Tally::reached) += has_groups(scene);
        for (const lanecull::Isa isa : trial_.plan.isas) compare(kind, batch, scene, isa);
    }

    /// Whether a store has enough blocks for their boxes to be tested. Large objects have a store of their own.
    static bool has_groups(const lanecull::Scene& scene) {
        return std::ranges::any_of(lanecull::Objects(scene).scene->stores, [](const lanecull::Store* store) {
            return store->slots() / 64 > lanecull::BlockBoxes::few_words;
        });
    }

    /// Which of the objects are visible: all copies of most of them or of half, one copy of some.
    bool show_some(const lanecull::Batch& batch, const lanecull::Scene& scene,
                   std::span<const lanecull::Handle> handles) {
        const double hidden = random().chance(0.3) ? 0.1 : 0.5;
        flat_.resize(lanecull::visibility_words({&batch, 1}));
        slots_.resize(lanecull::visibility_words(scene));
        for (std::size_t i = 0; i < objects_.size(); ++i) {
            if (i % copies == 0) is_shown_[i / copies] = !random().chance(hidden);
            if (!is_shown_[i / copies] || (i % copies != 0 && i / copies % 4 == 0)) continue;
            std::uint32_t slot = 0;
            if (!scene.slot_of(handles[i], slot)) return fail(i, "an object has no slot"), false;
            flat_[i / 64] |= std::uint64_t{1} << i % 64;
            slots_[slot / 64] |= std::uint64_t{1} << slot % 64;
        }
        return true;
    }

    /// Depths that grow, where objects end or a unit in the last place beside it. False: there are none.
    bool choose_depths(const lanecull::Batch& batch) {
        for (double& depth : depths_) {
            const std::size_t i = copies * static_cast<std::size_t>(random().below(distinct));
            std::vector<std::uint64_t> one(flat_.size());
            one[i / 64] = std::uint64_t{1} << i % 64;
            lanecull::WorldBox box;
            if (!visible_bounds({&batch, 1}, one, box)) return fail(i, "visible_bounds() fails"), false;
            depth = static_cast<double>(sign_) * (random().chance(0.5) ? box.lower[axis_] : box.upper[axis_]);
            if (random().chance(0.3)) depth = std::nextafter(depth, random().chance(0.5) ? -HUGE_VAL : HUGE_VAL);
        }
        return sort_depths();
    }

    void compare(Kind kind, const lanecull::Batch& batch, const lanecull::Scene& scene, lanecull::Isa isa) {
        Boxes found, of_batch;
        lanecull::Status status = slice(scene, slots_, isa, found);
        if (status) status = slice(batch, flat_, isa, of_batch);
        if (!status) return fail(0, status.message());
        check(kind, found.all, of_batch.all, -HUGE_VAL, HUGE_VAL);
        for (std::size_t k = 0; k < slices; ++k) {
            check(kind, found.of_slice[k], of_batch.of_slice[k], depths_[k], depths_[k + 1]);
        }
    }

    /// Every object that is shown and certainly reaches between the depths is in the box.
    void check(Kind kind, const lanecull::WorldBox& box, const lanecull::WorldBox& of_batch, double near, double far) {
        for (std::size_t k = 0; k < 3; ++k) {
            if (box.lower[k] < of_batch.lower[k] || box.upper[k] > of_batch.upper[k])
                fail(0, "the box is larger than that of a batch");
        }
        for (std::size_t i = 0; i < distinct; ++i) {
            const Object& object = objects_[i * copies];
            if (!is_shown_[i]) continue;
            ++at(Tally::verdicts);
            if (const std::optional<bool> valid = is_object(kind, object, hulls_.size()); valid != true) {
                const bool ends = std::isfinite(box.lower[0]) || std::isfinite(box.upper[2]);
                if (valid == false && ends) fail(i, "a box ends at what is no object", Tally::invalid_told);
                continue;
            }
            if (!reaches_between(near, far, kind, object)) continue;
            ++at(Tally::culled_gjk);
            if (reaches_out(box, kind, object)) fail(i, "an object reaches beyond the box", Tally::unproved);
        }
    }

    void fail(std::size_t object, const char* what, Tally::Count count = Tally::untold) {
        trial_.fail(count, what, [&] { return "object " + std::to_string(object); });
    }

    std::vector<Object> objects_;
    std::array<bool, distinct> is_shown_{};
    std::vector<std::uint64_t> flat_, slots_;  ///< bits of those that are visible, as in the batch and in the scene
};

}  // namespace

void bound_slices(Trial& trial) { SliceTrial(trial, false).run(); }
void bound_scenes(Trial& trial) { SliceTrial(trial, true).run(); }
void bound_any_slices(Trial& trial) { SliceTrial(trial, false, Numbers::unchecked).run(); }
void bound_blocks(Trial& trial) { BlockTrial(trial, Numbers::any).run(); }

}  // namespace properties
