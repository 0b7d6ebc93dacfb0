#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include <lanecull/scene.h>
#include <lanecull/shadow.h>

#include "properties/bounds/bounds.hpp"
#include "properties/bounds/shapes.hpp"
#include "support/written.hpp"

/// slice_bounds() of batches and of scenes: no object is left out of the box of a slice that it reaches into; and what
/// is in a box has the bounds that it has by itself, which in scenes contain the object moved by its origin. Cameras
/// look along an axis of the world, so that the slices' planes have the numbers of their depths. These are those of the
/// objects' own ends, moved by nothing or by a few units in the last place.
namespace properties {
namespace {

constexpr std::size_t slices = 4;

/// The boxes around one object: alone, and of each slice.
struct SlicedObject {
    lanecull::WorldBox alone, of_slice[slices];
};

class SliceTrial : public ShapesTrial {
public:
    SliceTrial(Trial& trial, bool in_scenes, Numbers numbers = Numbers::any)
        : ShapesTrial(trial, numbers), in_scenes_(in_scenes) {}

    void run() {
        const std::size_t objects = numbers_ == Numbers::any ? 40 : trial_.plan.objects / 12;
        for (const Kind kind : all_kinds) {
            for (std::size_t n = 0; n < objects && !trial_.stopped(); ++n) ask(kind);
        }
    }

private:
    /// Where the object ends along the axis, about.
    [[nodiscard]] double end_of(Kind kind, const Object& object, float sign) const {
        const Side side{axis_, sign, 0};
        double end = -HUGE_VAL;
        if (!has_transform(kind)) {
            end = beyond(side, kind, object, {}, InDoubles{}).value;
            if (kind == Kind::quaternion_box) end /= square_of(object.fields.data() + 3, InDoubles{}).value;
        } else {
            for (const Vertex& vertex : local_points(kind, object, hulls_)) {
                end = std::max(end, beyond(side, kind, object, vertex, InDoubles{}).value);
            }
        }
        return static_cast<double>(sign) * end;
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
        if (!(std::fabs(low) < 1e29) || !(std::fabs(high) < 1e29)) return false;
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

    bool sort_depths() {
        if (!std::ranges::all_of(depths_, [](double depth) { return std::fabs(depth) < 1e30; })) return false;
        std::ranges::sort(depths_);
        return std::ranges::adjacent_find(depths_) == depths_.end();
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
        axis_ = static_cast<std::size_t>(random().below(3));
        sign_ = random().chance(0.5) ? 1.0f : -1.0f;
        if (in_scenes_) choose_places();
        if (!choose_depths(kind, object)) return;
        HeapMemory memory;
        const lanecull::Batch batch = unbounded_batch(kind, {&object, 1}, hulls_, memory);
        lanecull::Scene scene;
        if (in_scenes_) {
            lanecull::Handle handle{};
            lanecull::AddOptions options;
            std::ranges::copy(origin_, options.origin);
            const lanecull::Status status = scene.add({&batch, 1}, {&handle, 1}, options);
            if (!status) return fail(Tally::untold, kind, object, status.message());
        }
        for (const lanecull::Isa isa : trial_.plan.isas) {
            SlicedObject found;
            const lanecull::Status status = in_scenes_ ? slice(scene, isa, found) : slice(batch, isa, found);
            if (!status) return fail(Tally::untold, kind, object, status.message());
            if (in_scenes_) check_contained(kind, object, found.alone);
            for (std::size_t k = 0; k < slices; ++k) check(kind, object, found.alone, found.of_slice[k], k);
        }
    }

    lanecull::Status slice(const lanecull::Batch& batch, lanecull::Isa isa, SlicedObject& to) const {
        const std::uint64_t word = 1;
        if (lanecull::Status status = visible_bounds({&batch, 1}, {&word, 1}, to.alone, {isa}); !status) return status;
        return slice_bounds({&batch, 1}, {&word, 1}, axis_camera(axis_, sign_), {}, depths_, to.of_slice, {isa});
    }
    lanecull::Status slice(const lanecull::Scene& scene, lanecull::Isa isa, SlicedObject& to) const {
        std::vector<std::uint64_t> words(lanecull::visibility_words(scene));
        words[0] = 1;
        if (lanecull::Status status = lanecull::visible_bounds(scene, words, to.alone, {isa}); !status) return status;
        const lanecull::ClipSpace space{.origin = {eye_[0], eye_[1], eye_[2]}};
        return lanecull::slice_bounds(scene, words, axis_camera(axis_, sign_), space, depths_, to.of_slice, {isa});
    }

    /// The box that a scene has around its one object.
    void check_contained(Kind kind, const Object& object, const lanecull::WorldBox& box) {
        for (std::size_t k = 0; k < 3; ++k) {
            for (const float sign : {-1.0f, 1.0f}) {
                const double end = sign > 0 ? box.upper[k] : -box.lower[k];
                ++at(Tally::verdicts);
                if (end == HUGE_VAL) continue;
                if (reaches_beyond({k, sign, end, {origin_[k], 0}}, kind, object, hulls_, judge_))
                    fail(Tally::unproved, kind, object, "the object reaches beyond its box");
            }
        }
    }

    void check(Kind kind, const Object& object, const lanecull::WorldBox& alone, const lanecull::WorldBox& box,
               std::size_t k) {
        ++at(Tally::verdicts);
        if (!(box.lower[0] > box.upper[0])) {
            const bool same = std::ranges::equal(box.lower, alone.lower) && std::ranges::equal(box.upper, alone.upper);
            if (!same) fail(Tally::untold, kind, object, "its bounds in a slice are others than by itself");
            return;
        }
        ++at(Tally::culled_gjk);
        if (const std::optional<bool> valid = is_object(kind, object, hulls_.size()); valid != true) {
            if (valid == false) fail(Tally::invalid_told, kind, object, "what is no object is left out of a slice");
            return;
        }
        // Inside of both planes by the least bit, it would have been left out of a slice that it reaches into.
        const double o = origin_[axis_], e = eye_[axis_];
        const Side from{axis_, sign_, depths_[k], {o, -e}}, to{axis_, -sign_, -depths_[k + 1], {o, -e}};
        if (reaches_beyond(from, kind, object, hulls_, judge_) && reaches_beyond(to, kind, object, hulls_, judge_)) {
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
    double origin_[3] = {}, eye_[3] = {};
    std::size_t axis_ = 0;
    float sign_ = 1;  ///< depths grow along the axis, or against it
    std::array<double, slices + 1> depths_{};
};

}  // namespace

void bound_slices(Trial& trial) { SliceTrial(trial, false).run(); }
void bound_scenes(Trial& trial) { SliceTrial(trial, true).run(); }
void bound_any_slices(Trial& trial) { SliceTrial(trial, false, Numbers::unchecked).run(); }

}  // namespace properties
