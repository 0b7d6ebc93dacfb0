#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <string>
#include <vector>

#include <lanecull/scene.h>
#include <lanecull/shadow.h>

#include "properties/bounds/bounds.hpp"
#include "properties/bounds/shapes.hpp"

/// Scene::slice_bounds() and Scene::visible_bounds() of scenes of several groups of blocks, most of which are left out
/// by their boxes alone: no object is left out that reaches beyond what is found, and what is found is no larger than
/// the box of a batch of the same objects. A trial has some hundred objects of a kind, each of them many times. A
/// camera looks along an axis of the world, and the slices' planes are at objects' ends.
namespace properties {
namespace {

constexpr std::size_t slices = 4, distinct = 256, copies = 72;  // 18,432 objects

class BlockTrial : public ShapesTrial {
public:
    using ShapesTrial::ShapesTrial;

    void run() { ask(all_kinds[static_cast<std::size_t>(random().below(static_cast<int>(std::size(all_kinds))))]); }

private:
    /// Objects near each other, all about as large, or of any numbers.
    void choose_objects(Kind kind) {
        const Numbers numbers = random().chance(0.8) ? Numbers::moderate : Numbers::any;
        for (std::size_t i = 0; i < distinct; ++i) {
            const Object object = random_shape(random(), kind, numbers, hulls_);
            for (std::size_t n = 0; n < copies; ++n) objects_.push_back(object);
        }
    }

    void ask(Kind kind) {
        choose_objects(kind);
        axis_ = static_cast<std::size_t>(random().below(3));
        sign_ = random().chance(0.5) ? 1.0f : -1.0f;
        HeapMemory memory;
        const lanecull::Batch batch = unbounded_batch(kind, objects_, hulls_, memory);
        lanecull::Scene scene;
        std::vector<lanecull::Handle> handles(objects_.size());
        if (const lanecull::Status status = scene.add({&batch, 1}, handles); !status) return fail(0, status.message());
        if (!show_some(batch, scene, handles) || !choose_depths(batch)) return;
        for (const lanecull::Isa isa : trial_.plan.isas) compare(kind, batch, scene, isa);
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
            if (!(std::fabs(depth) < 1e29)) return false;
        }
        std::ranges::sort(depths_);
        return std::ranges::adjacent_find(depths_) == depths_.end();
    }

    void compare(Kind kind, const lanecull::Batch& batch, const lanecull::Scene& scene, lanecull::Isa isa) {
        const std::array<double, 16> camera = axis_camera(axis_, sign_);
        lanecull::WorldBox of_all, of_batch, of_slice[slices], of_batch_slice[slices];
        lanecull::Status status = lanecull::visible_bounds(scene, slots_, of_all, {isa});
        if (status) status = lanecull::slice_bounds(scene, slots_, camera, {}, depths_, of_slice, {isa});
        if (status) status = visible_bounds({&batch, 1}, flat_, of_batch, {isa});
        if (status) status = slice_bounds({&batch, 1}, flat_, camera, {}, depths_, of_batch_slice, {isa});
        if (!status) return fail(0, status.message());
        check(kind, of_all, of_batch, -HUGE_VAL, HUGE_VAL);
        for (std::size_t k = 0; k < slices; ++k) {
            check(kind, of_slice[k], of_batch_slice[k], depths_[k], depths_[k + 1]);
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
            const bool reaches =
                (near == -HUGE_VAL || reaches_beyond({axis_, sign_, near, {}}, kind, object, hulls_, judge_)) &&
                (far == HUGE_VAL || reaches_beyond({axis_, -sign_, -far, {}}, kind, object, hulls_, judge_));
            if (!reaches) continue;
            ++at(Tally::culled_gjk);
            for (std::size_t k = 0; k < 3; ++k) {
                const bool below = box.lower[k] != -HUGE_VAL &&
                                   reaches_beyond({k, -1.0f, -box.lower[k], {}}, kind, object, hulls_, judge_);
                const bool above = box.upper[k] != HUGE_VAL &&
                                   reaches_beyond({k, 1.0f, box.upper[k], {}}, kind, object, hulls_, judge_);
                if (below || above) fail(i, "an object reaches beyond the box", Tally::unproved);
            }
        }
    }

    void fail(std::size_t object, const char* what, Tally::Count count = Tally::untold) {
        trial_.fail(count, what, [&] { return "object " + std::to_string(object); });
    }

    std::vector<Object> objects_;
    std::array<bool, distinct> is_shown_{};
    std::vector<std::uint64_t> flat_, slots_;  ///< bits of those that are visible, as in the batch and in the scene
    std::size_t axis_ = 0;
    float sign_ = 1;  ///< depths grow along the axis, or against it
    std::array<double, slices + 1> depths_{};
};

}  // namespace

void bound_blocks(Trial& trial) { BlockTrial(trial, Numbers::any).run(); }

}  // namespace properties
