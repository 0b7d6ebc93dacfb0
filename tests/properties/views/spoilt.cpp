#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "properties/verdicts.hpp"
#include "properties/views/calls.hpp"
#include "properties/views/families.hpp"
#include "properties/views/setting.hpp"
#include "support/culling.hpp"
#include "support/objects.hpp"

namespace properties {
namespace {

using lanecull::Reason;

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float nan_value = std::numeric_limits<float>::quiet_NaN();
constexpr float least = std::numeric_limits<float>::denorm_min();

template <class T, std::size_t count>
T one_of(Random& random, const T (&list)[count]) {
    return list[random.below(static_cast<int>(count))];
}

/// What becomes of an object that is changed: the reason that it gets, or as any shape.
enum class Becomes { invalid, disabled, on_no_layer, as_before, a_shape };

void make_not_finite(Random& random, Kind kind, Object& object) {
    constexpr float none[] = {nan_value, -nan_value, infinity, -infinity};
    const std::size_t count = field_count(kind);
    switch (random.below(6)) {
        case 0:
            object.fields.fill(one_of(random, none));
            return;
        case 2:  // finite, and beyond what is ever told
            object.fields[place_field(kind, 0)] = static_cast<float>(random.sign() * random.log_range(1.01e37, 3e38));
            return;
        case 1:  // differences become NaN, comparisons stay true
            for (std::size_t k = 0; k < count; ++k) object.fields[k] = k < count / 2 ? -infinity : infinity;
            return;
        default:
            object.fields[static_cast<std::size_t>(random.below(static_cast<int>(count)))] = one_of(random, none);
    }
}

/// Finite numbers.
void make_no_shape(Random& random, Kind kind, Object& object) {
    const auto [first, end] = size_fields(kind);
    const auto axis = static_cast<std::size_t>(random.below(3));
    if (const auto corner = corner_fields(kind)) {
        float &low = object.fields[*corner + axis], &high = object.fields[*corner + 3 + axis];
        if (random.chance(0.5)) {
            low = std::nextafter(high, infinity);
        } else {
            low = 3e38f, high = -3e38f;
        }
    } else if (has_axis(kind) && random.chance(0.5)) {
        std::copy_n(object.fields.begin(), 3, object.fields.begin() + 3);
    } else if (has_quaternion(kind) && random.chance(0.5)) {
        std::fill_n(object.fields.begin() + 3, 4, one_of(random, {0.0f, least, -1e-20f, 4e-19f, 1e18f, 1e20f, 3e38f}));
    } else if (first < end) {
        const auto field = first + static_cast<std::size_t>(random.below(static_cast<int>(end - first)));
        object.fields[field] = one_of(random, {-1.0f, -least, -3e38f});
    } else {  // a hull
        make_not_finite(random, kind, object);
    }
}

void spoil_attribute(Random& random, Object& object) {
    constexpr float no_growth[] = {nan_value, infinity, -infinity, 1e38f, -1.0f, -least};
    constexpr float no_limit[] = {nan_value, -nan_value, -infinity, -1.0f, -least};
    switch (random.below(6)) {
        case 0:
            object.margin = one_of(random, no_growth);
            return;
        case 1:
            object.sweep[static_cast<std::size_t>(random.below(3))] =
                one_of(random, {nan_value, infinity, -infinity, -1e38f});
            return;
        case 2:
            object.max_distance = one_of(random, no_limit);
            return;
        case 3:
            object.min_distance = one_of(random, no_limit);
            return;
        case 4:
            object.min_projected_size = one_of(random, no_limit);
            return;
        default:
            object.margin = object.max_distance = object.min_distance = object.min_projected_size = nan_value;
            object.flags = lanecull::object_always_visible;
            object.fields.fill(nan_value);
    }
}

/// No shape, or beyond all floats with its growth, and limits by which a shape there would be culled.
void limit_no_shape(Random& random, Kind kind, Object& object) {
    object.fields[place_field(kind, 0)] = one_of(random, {nan_value, infinity, 3e38f});
    if (random.chance(0.5)) {
        object.max_distance = 1e-30f, object.min_projected_size = 1e30f;
    } else {
        object.min_distance = infinity;
    }
}

/// Changes the object, in a batch that has all attributes.
Becomes change_attributes(Random& random, Kind kind, Object& object) {
    switch (random.below(6)) {
        case 0:
            limit_no_shape(random, kind, object);
            return Becomes::invalid;
        case 1:
        case 2:
            object.margin = object.sweep[1] = object.max_distance = nan_value;
            object.flags = lanecull::object_always_visible;
            if (random.chance(0.5)) {
                object.layers = 0;
                return Becomes::on_no_layer;
            }
            object.flags |= lanecull::object_disabled;
            return Becomes::disabled;
        case 3: {
            const float zero = random.chance(0.5) ? 0.0f : -0.0f;
            object.min_projected_size = object.min_distance = zero;
            if (random.chance(0.5)) return Becomes::as_before;
            object.margin = zero, object.sweep.fill(zero), object.max_distance = zero;
            return Becomes::a_shape;
        }
        default:
            spoil_attribute(random, object);
            return Becomes::invalid;
    }
}

Becomes change(Random& random, Kind kind, Object& object) {
    const auto [first, end] = size_fields(kind);
    switch (random.below(6)) {
        case 0:
            for (std::size_t k = first; k < end; ++k) object.fields[k] = random.chance(0.5) ? 0.0f : -0.0f;
            return Becomes::a_shape;
        case 1:
        case 2:
            make_no_shape(random, kind, object);
            return Becomes::invalid;
        default:
            make_not_finite(random, kind, object);
            return Becomes::invalid;
    }
}

/// Of one kind, with one object after the other changed.
class SpoiltTrial {
public:
    SpoiltTrial(const Setting& setting, Kind kind, Trial& trial)
        : setting_(setting),
          kind_(kind),
          objects_(setting.objects[static_cast<std::size_t>(kind)]),
          trial_(trial),
          random_(trial.random) {}

    void run() {
        const auto i = static_cast<std::size_t>(random_.below(static_cast<int>(objects_.size())));
        if (has_transform(kind_) && random_.chance(0.4)) {
            change_batch(i);
        } else {
            change_object(i);
        }
    }

private:
    void change_object(std::size_t i) {
        const bool attributes = random_.chance(0.5);
        const Format format{.bounds = random_.chance(0.5), .streams = attributes ? Streams::all() : Streams{}};
        std::vector<Object> changed = objects_;
        const Becomes becomes =
            attributes ? change_attributes(random_, kind_, changed[i]) : change(random_, kind_, changed[i]);
        HeapMemory memory;
        compare(make_batch(kind_, objects_, setting_.hulls, memory, format),
                make_batch(kind_, changed, setting_.hulls, memory, format), i, becomes, changed[i]);
    }

    /// An index, a last row, a position, or a bounding sphere, which is as if there were none.
    void change_batch(std::size_t i) {
        const Way way(random_);
        Instances good(kind_, objects_, setting_.hulls, way), bad(kind_, objects_, setting_.hulls, way);
        Becomes becomes = Becomes::invalid;
        const bool hulls = kind_ == Kind::hull;
        const std::size_t count = objects_.size();
        const auto beyond = static_cast<std::uint32_t>(hulls ? setting_.hulls.size() : 2 * count);
        switch (random_.below(4)) {
            case 0:
                if (hulls || way.by_index) {
                    if (hulls) good.remove_bounds(), bad.remove_bounds();
                    bad.set_index(i, one_of(random_, {beyond, 0x7fffffffu, 0x80000000u, ~0u}));
                    break;
                }
                [[fallthrough]];
            case 1:
                if (way.is_4x4()) {
                    if (hulls) good.remove_bounds(), bad.remove_bounds();
                    bad.last_row(i, static_cast<std::size_t>(random_.below(4))) =
                        one_of(random_, {0.5f, -1.0f, 1e-30f, nan_value, infinity});
                    if (hulls && !std::isnan(bounding_spheres_of(bad.batch)[3 * count + i])) {
                        trial_.fail(Tally::invalid_told, "a bounding sphere of what is none",
                                    [&] { return describe(kind_, objects_[i], setting_.hulls); });
                    }
                    break;
                }
                [[fallthrough]];
            case 2: {
                std::vector<double> positions(3 * count, 0);
                good.set_positions(positions, {});
                positions[3 * i + static_cast<std::size_t>(random_.below(3))] =
                    one_of(random_, {static_cast<double>(nan_value), HUGE_VAL, -HUGE_VAL, 1e39});
                bad.set_positions(positions, {});
                break;
            }
            default:
                if (!hulls || !way.bounds) return;
                becomes = Becomes::as_before;
                good.remove_bounds();
                bad.set_bound(i, static_cast<std::size_t>(random_.below(4)), one_of(random_, {nan_value, infinity}));
        }
        compare(good.batch, bad.batch, i, becomes, objects_[i]);
    }

    void compare(const lanecull::Batch& good, const lanecull::Batch& bad, std::size_t i, Becomes becomes,
                 const Object& changed) {
        const auto view = [&] {
            return setting_.text + "\n  changed object " + std::to_string(i) + " " +
                   describe(kind_, changed, setting_.hulls);
        };
        const Complaint fail{trial_, view, kind_, objects_, setting_.hulls};
        const auto before = all_verdicts_of(good, setting_.view, all_methods, trial_, fail),
                   after = all_verdicts_of(bad, setting_.view, all_methods, trial_, fail);
        for (std::size_t k = 0; k < before.size(); ++k) {
            const Verdicts &a = before[k], &b = after[k];
            const Reason reason = b.certificates[i].reason;
            ++trial_.at(Tally::cases);
            trial_.at(Tally::reached) += !a.visible(i);
            const bool is_right = becomes == Becomes::invalid       ? reason == Reason::visible_invalid
                                  : becomes == Becomes::disabled    ? reason == Reason::culled_disabled
                                  : becomes == Becomes::on_no_layer ? reason == Reason::culled_layer
                                  : becomes == Becomes::a_shape     ? reason != Reason::visible_invalid
                                                                    : b.visible(i) == a.visible(i);
            if (!is_right && !(becomes == Becomes::as_before && products_may_overflow(kind_, objects_[i]))) {
                fail(becomes == Becomes::invalid ? Tally::invalid_told : Tally::untold, i, b, "a wrong reason");
            }
            for (std::size_t n = 0; n < objects_.size(); ++n) {
                if (n == i || b.visible(n) == a.visible(n) || products_may_overflow(kind_, objects_[n])) continue;
                fail(Tally::untold, n, b, "a neighbour's verdict differs");
            }
            const std::uint64_t invalid = becomes == Becomes::invalid ? 1 : 0;
            if (b.counts[Reason::visible_invalid] != a.counts[Reason::visible_invalid] + invalid) {
                fail(Tally::untold, i, b, "counted wrongly");
            }
        }
    }

    const Setting& setting_;
    const Kind kind_;
    const std::vector<Object>& objects_;
    Trial& trial_;
    Random& random_;
};

}  // namespace

void spoilt_objects(Trial& trial) {
    // Twice the widest registers, and one.
    const std::optional<Setting> setting = any_setting(trial.random, std::min<std::size_t>(trial.plan.objects, 33));
    trial.at(setting ? Tally::trials : Tally::refused) = 1;
    if (!setting) return;
    const std::size_t changes = std::max<std::size_t>(trial.plan.objects / 6, 1);
    for (const Kind kind : all_kinds) {
        for (std::size_t n = 0; n < changes && !trial.stopped(); ++n) SpoiltTrial(*setting, kind, trial).run();
    }
}

}  // namespace properties
