#include <functional>
#include <utility>

#include "properties/family.hpp"
#include "properties/pairs/setting.hpp"
#include "support/generate.hpp"

namespace properties {
namespace {

void set_motion(PairOfObjects& pair, const Double3& motion) {
    for (std::size_t k = 0; k < 3; ++k) pair.motion[k] = static_cast<float>(motion[k]);
}

/// Moves the two along the line between their nearest points until they are `gap` apart. Returns the direction from b
/// to a, of length 1 or so.
template <class Gap>
Double3 bring(const PairSetting& setting, PairOfObjects& pair, bool moves_a, const Gap& gap) {
    const Place origin = place_of(setting.kind_b, pair.b);
    const Body a = body_of(setting.kind_a, pair.a, setting.hulls, origin);
    const Body b = body_of(setting.kind_b, pair.b, setting.hulls, origin);
    const Proof proof = measure(a, b);
    const Double3 direction{proof.direction.x, proof.direction.y, proof.direction.z};
    const double way = proof.least - gap(a.size + b.size);
    if (moves_a) {
        pair.a = moved(setting.kind_a, pair.a, -way * direction);
    } else {
        pair.b = moved(setting.kind_b, pair.b, way * direction);
    }
    return direction;
}

/// Moves b to within some units in the last place of a, or to where the library's bound ends.
void graze(Random& random, const PairSetting& setting, PairOfObjects& pair) {
    bring(setting, pair, false, [&](double sizes) {
        return random.chance(0.4) ? 0 : random.sign() * random.log_range(0x1p-26, 0x1p-16) * sizes;
    });
}

using Make = std::function<PairOfObjects(const PairSetting& setting)>;

/// An exact answer about a round shape other than a ball takes some hundred times as long as others, and nearly each is
/// needed: there are fewer of these.
std::size_t count_of(Kind a, Kind b, std::size_t count) {
    const auto is_oval = [](Kind kind) { return has_axis(kind) || kind == Kind::ellipsoid; };
    return is_oval(a) || is_oval(b) ? count / 12 + 1 : count;
}

PairSetting fill(Kind a, Kind b, HullSet hulls, std::size_t count, const Make& make) {
    PairSetting setting{a, b, std::move(hulls), {}};
    count = count_of(a, b, count);
    while (setting.pairs.size() < count) setting.pairs.push_back(make(setting));
    return setting;
}
PairSetting fill(Random& random, Kind a, Kind b, std::size_t count, const Make& make) {
    return fill(a, b, random_hulls(random, 4), count, make);
}

/// Moves a towards b, which is `gap` away in that direction.
void move_towards(Random& random, PairOfObjects& pair, const Double3& direction, double gap, double size) {
    set_motion(pair,
               random.range(0.5, 3) * (gap + size) * (random.range(0, 0.7) * random_direction(random) - direction));
}

PairSetting grazing_pairs(Random& random, Kind a, Kind b, std::size_t count) {
    return fill(random, a, b, count, [&](const PairSetting& setting) {
        PairOfObjects pair = place(random, setting, any_placing(random));
        graze(random, setting, pair);
        return pair;
    });
}

/// From the smallest numbers that floats hold to nearly the largest that are valid.
PairSetting pairs_of_other_units(Random& random, Kind a, Kind b, std::size_t count) {
    return fill(random, a, b, count, [&](const PairSetting& setting) {
        const double size = random.chance(0.5) ? random.log_range(1e-44, 1e-20) : random.log_range(1e-20, 1e32);
        const double other = random.chance(0.3) ? random.log_range(1e-44, 1e32) : size * random.log_range(0.1, 10);
        PairOfObjects pair =
            place(random, setting, {size, other, size * random.log_range(0.1, 10), random.range(0, 2)});
        if (random.chance(0.3)) graze(random, setting, pair);
        return pair;
    });
}

/// One vertex many times, lines, planes, needles and plates.
HullSet thin_hulls(Random& random) {
    HullSet hulls(6);
    for (std::size_t h = 0; h < hulls.size(); ++h) {
        const Double3 along = random_direction(random), across = random_direction(random);
        const Double3 middle = (random.chance(0.3) ? 10.0 : 0.0) * random_direction(random);
        const double width = h == 0 || h == 1 ? 0 : random.chance(0.5) ? 1 : random.log_range(1e-7, 1e-3);
        const double thickness = h < 4 ? 0 : random.log_range(1e-7, 1e-3);
        for (int i = 0; i < 7; ++i) {
            const Double3 p = middle + (h == 0 ? 0.0 : random.range(-1, 1)) * along +
                              width * random.range(-1, 1) * across + thickness * random_direction(random);
            hulls[h].push_back({static_cast<float>(p[0]), static_cast<float>(p[1]), static_cast<float>(p[2])});
        }
    }
    return hulls;
}

/// Multiplies a box's extent from field k to k + 3 by a factor.
void stretch(Object& object, std::size_t k, float factor) {
    auto& f = object.fields;
    f[k + 3] = f[k] + factor * (f[k + 3] - f[k]);
}

/// Multiplies one of the object's extents by a factor, but for those of hulls, which are thin as they are.
void stretch_along(Kind kind, Object& object, std::size_t axis, float factor) {
    const auto [first, end] = size_fields(kind);
    if (end > first) object.fields[first + axis % (end - first)] *= factor;
    if (corner_fields(kind)) stretch(object, *corner_fields(kind) + axis, factor);
}

/// One or two extents by a small factor, or by 0.
void make_thin(Random& random, Kind kind, Object& object) {
    const auto which = static_cast<std::size_t>(random.below(3)), last = which + (random.chance(0.5) ? 1 : 0);
    for (std::size_t axis = which; axis <= last; ++axis) {
        stretch_along(kind, object, axis % 3,
                      random.chance(0.5) ? 0 : static_cast<float>(random.log_range(1e-7, 1e-3)));
    }
    for (std::size_t k = 0; kind == Kind::capsule && random.chance(0.2) && k < 3; ++k)
        object.fields[3 + k] = object.fields[k];
}

/// One extent by a large factor.
void make_long(Random& random, Kind kind, Object& object) {
    const auto factor = static_cast<float>(random.log_range(10, 1e4));
    const auto which = static_cast<std::size_t>(random.below(3));
    if (kind != Kind::sphere && !has_ends(kind)) stretch_along(kind, object, which, factor);
    for (std::size_t k = 0; has_ends(kind) && k < 3; ++k) stretch(object, k, factor);
}

/// At any distance; now and then long as well.
PairSetting thin_pairs(Random& random, Kind a, Kind b, std::size_t count) {
    return fill(a, b, thin_hulls(random), count, [&](const PairSetting& setting) {
        PairOfObjects pair = place(random, setting, any_placing(random));
        make_thin(random, a, pair.a);
        if (random.chance(0.7)) make_thin(random, b, pair.b);
        if (random.chance(0.2)) make_long(random, a, pair.a);
        if (random.chance(0.5)) graze(random, setting, pair);
        return pair;
    });
}

/// Long objects beside others. Beside a long object simplexes are long and thin, too.
PairSetting long_pairs(Random& random, Kind a, Kind b, std::size_t count) {
    return fill(random, a, b, count, [&](const PairSetting& setting) {
        const double size = random.log_range(0.01, 10);
        PairOfObjects pair =
            place(random, setting, {size, size * random.log_range(0.1, 10), 20 * size, random.range(0, 1.5)});
        make_long(random, a, pair.a);
        if (random.chance(0.5)) make_long(random, b, pair.b);
        if (random.chance(0.3)) graze(random, setting, pair);
        return pair;
    });
}

/// Small objects beside large ones, such as floors, apart by parts of the small one's size, and moving towards them.
PairSetting large_pairs(Random& random, Kind a, Kind b, std::size_t count) {
    return fill(random, a, b, count, [&](const PairSetting& setting) {
        const double size = random.log_range(0.1, 10), large = size * random.log_range(10, 1e5);
        const bool a_is_large = random.chance(0.3);
        PairOfObjects pair = place(
            random, setting, {a_is_large ? large : size, a_is_large ? size : large, 20 * size, random.range(0.2, 1.2)});
        const double gap = random.chance(0.2) ? 0 : random.log_range(1e-5, 3) * size;
        const Double3 direction = bring(setting, pair, !a_is_large, [&](double) { return gap; });
        move_towards(random, pair, direction, gap, size);
        return pair;
    });
}

/// Hulls and local boxes whose coordinates are those of the world, far from its origin, or of a place that their
/// transform moves back.
PairSetting pairs_in_world_coordinates(Random& random, Kind a, Kind b, std::size_t count) {
    const double size = random.log_range(0.1, 10), far = size * random.log_range(10, 1e6);
    const Double3 at = far * random_direction(random);
    HullSet hulls = random_hulls(random, 4);
    for (auto& hull : hulls) {
        for (auto& vertex : hull) {
            for (std::size_t k = 0; k < 3; ++k)
                vertex[k] = static_cast<float>(size * static_cast<double>(vertex[k]) + at[k]);
        }
    }
    const auto make = [&](Kind kind, bool stands) {
        Object object = object_at(random, kind, stands ? at : Double3{}, size, hulls);
        if (!has_transform(kind)) return object;
        auto& f = object.fields;
        if (stands) {
            for (std::size_t k = 0; k < 12; ++k) f[k] = k % 5 == 0 ? 1.0f : 0.0f;
        } else if (kind == Kind::hull) {
            for (std::size_t r = 0; r < 3; ++r) {
                double back = 0;
                for (std::size_t k = 0; k < 3; ++k) back -= static_cast<double>(f[4 * r + k]) * at[k];
                f[4 * r + 3] = static_cast<float>(back);
            }
        }
        if (kind == Kind::box_instance && stands) {
            for (std::size_t k = 12; k < 18; ++k) f[k] = static_cast<float>(static_cast<double>(f[k]) + at[k % 3]);
        }
        return object;
    };
    return fill(a, b, hulls, count, [&](const PairSetting& setting) {
        const bool stands = random.chance(0.7);
        PairOfObjects pair;
        pair.a = make(a, stands), pair.b = make(b, stands);
        const double gap = random.chance(0.3) ? 0 : random.log_range(1e-4, 3) * size;
        move_towards(random, pair, bring(setting, pair, random.chance(0.5), [&](double) { return gap; }), gap, size);
        return pair;
    });
}

/// Turned by a whole number of quarters, by little more, or by any angle: its axes are nearly those of the world.
void stand_up(Random& random, Kind kind, Object& object) {
    const double lean = random.chance(0.4) ? 0 : random.log_range(1e-8, 0.1);
    const double yaw = random.chance(0.3) ? random.range(0, 3) : random.sign() * random.range(0, 1) * lean,
                 c = std::cos(yaw), s = std::sin(yaw);
    auto& f = object.fields;
    if (has_quaternion(kind)) {
        const std::array<double, 4> turn{random.chance(0.5) ? lean : 0.0, 0, std::sin(yaw / 2), std::cos(yaw / 2)};
        for (std::size_t k = 0; k < 4; ++k) f[3 + k] = static_cast<float>(turn[k]);
    }
    if (kind == Kind::oriented_box) {
        const double tilt = random.chance(0.5) ? lean : 0;
        const std::array<double, 9> axes{c, s, 0, -s, c, tilt, 0, -tilt, 1};
        for (std::size_t k = 0; k < 9; ++k) f[3 + k] = static_cast<float>(axes[k]);
    }
    if (kind == Kind::box_instance) {
        const std::array<double, 9> rows{c, -s, 0, s, c, lean, 0, -lean, 1};
        for (std::size_t k = 0; k < 9; ++k) f[4 * (k / 3) + k % 3] = static_cast<float>(rows[k]);
    }
}

/// Deep in each other, or resting on each other, with axes that are parallel or nearly so.
PairSetting deep_pairs(Random& random, Kind a, Kind b, std::size_t count) {
    return fill(random, a, b, count, [&](const PairSetting& setting) {
        const double size = random.log_range(0.1, 10);
        PairOfObjects pair =
            place(random, setting, {size, size * random.log_range(0.3, 30), 10 * size, random.range(0, 0.7)});
        if (random.chance(0.8)) stand_up(random, a, pair.a), stand_up(random, b, pair.b);
        if (random.chance(0.1)) make_thin(random, a, pair.a);
        if (random.chance(0.3)) {
            bring(setting, pair, true, [&](double sizes) { return -random.log_range(1e-7, 0.3) * sizes; });
        }
        return pair;
    });
}

constexpr Kind box_kinds[] = {Kind::box, Kind::centered_box, Kind::oriented_box, Kind::quaternion_box,
                              Kind::box_instance};

using Axes = std::array<Double3, 3>;

Axes axes_of(const std::array<double, 4>& q) {
    const auto [x, y, z, w] = q;
    return {{{w * w + x * x - y * y - z * z, 2 * (x * y + w * z), 2 * (x * z - w * y)},
             {2 * (x * y - w * z), w * w + y * y - x * x - z * z, 2 * (y * z + w * x)},
             {2 * (x * z + w * y), 2 * (y * z - w * x), w * w + z * z - x * x - y * y}}};
}

Object box_at(Kind kind, const Double3& center, const std::array<double, 4>& turn, const Double3& half) {
    Object object;
    const Axes axes = axes_of(turn);
    const auto put = [&](std::size_t field, double number) { object.fields[field] = static_cast<float>(number); };
    for (std::size_t k = 0; k < 3; ++k) {
        const bool corners = kind == Kind::box, transform = kind == Kind::box_instance;
        put(transform ? 4 * k + 3 : k, center[k] - (corners ? half[k] : 0));
        if (corners || kind == Kind::centered_box) put(3 + k, corners ? center[k] + half[k] : half[k]);
        if (kind == Kind::oriented_box) put(12 + k, half[k]);
        if (kind == Kind::quaternion_box) put(7 + k, half[k]);
        if (transform) put(12 + k, -half[k]), put(15 + k, half[k]);
        for (std::size_t j = 0; j < 3; ++j) {
            if (kind == Kind::oriented_box) put(3 + 3 * k + j, axes[k][j]);
            if (transform) put(4 * j + k, axes[k][j]);
        }
    }
    if (kind == Kind::quaternion_box) {
        for (std::size_t k = 0; k < 4; ++k) put(3 + k, turn[k]);
    }
    return object;
}

/// Boxes that are turned alike, one on the other, a little deep, just touching or apart by half the tolerance: the
/// contacts are the corners of the rectangle that they share.
PairSetting resting_pairs(Random& random, Kind a, Kind b, std::size_t count) {
    const double size = random.log_range(0.01, 100);
    const auto stands = [](Kind kind) { return kind == Kind::box || kind == Kind::centered_box; };
    PairSetting setting = fill(random, a, b, count, [&](const PairSetting&) {
        std::array<double, 4> turn{0, 0, 0, 1};
        double square = 0;
        for (double& number : turn) {
            if (!stands(a) && !stands(b)) number = random.range(-1, 1);
            square += number * number;
        }
        for (double& number : turn) number /= std::sqrt(square);
        const Axes axes = axes_of(turn);
        const auto up = static_cast<std::size_t>(random.below(3));
        const double depth = (random.chance(0.3) ? 0 : random.chance(0.5) ? 0.01 : -0.0005) * size;
        Double3 half_a{}, half_b{}, way{}, low{}, high{};
        for (std::size_t k = 0; k < 3; ++k) {
            half_a[k] = size * random.range(0.3, 1), half_b[k] = size * random.range(0.3, 1);
            const double reach = half_a[k] + half_b[k];
            way[k] = k == up ? random.sign() * (reach - depth) : random.range(-1, 1) * (reach - 0.1 * size);
            low[k] = std::max(-half_a[k], way[k] - half_b[k]), high[k] = std::min(half_a[k], way[k] + half_b[k]);
        }
        low[up] = high[up] = std::copysign(half_a[up], way[up]);
        const Double3 center = 5 * size * random_direction(random);
        const auto placed = [&](const Double3& p) {
            return center + (p[0] * axes[0] + (p[1] * axes[1] + p[2] * axes[2]));
        };
        PairOfObjects pair;
        pair.a = box_at(a, center, turn, half_a);
        pair.b = box_at(b, placed(way), turn, half_b);
        for (int corner = 0; corner < 4; ++corner) {
            Double3 at = low;
            for (int k = 1; k < 3; ++k) {
                const std::size_t axis = (up + static_cast<std::size_t>(k)) % 3;
                if ((corner >> (k - 1) & 1) != 0) at[axis] = high[axis];
            }
            pair.corners.push_back(placed(at));
        }
        return pair;
    });
    setting.tolerance = static_cast<float>(1e-3 * size);
    return setting;
}

PairSetting whole_touching_pairs(Random& random, Kind a, Kind b, std::size_t count) {
    return touching_pairs(random, a, b, count, false);
}
PairSetting split_touching_pairs(Random& random, Kind a, Kind b, std::size_t count) {
    return touching_pairs(random, a, b, count, true);
}

/// Of every two kinds 48 pairs in a trial, as a rule. A small trial is of two kinds.
template <class Run>
void for_two_kinds(Trial& trial, std::span<const Kind> kinds, const Run& run) {
    trial.at(Tally::trials) = 1;
    const auto any_kind = [&] {
        return kinds[static_cast<std::size_t>(trial.random.below(static_cast<int>(kinds.size())))];
    };
    constexpr std::size_t most = 48;
    const std::size_t count = trial.plan.objects / 2;
    if (count < most) return run(any_kind(), any_kind(), count);
    for (const Kind a : kinds) {
        for (const Kind b : kinds) {
            if (!trial.stopped()) run(a, b, most);
        }
    }
}

using MakePairs = PairSetting (*)(Random& random, Kind a, Kind b, std::size_t count);

template <MakePairs make>
void run(Trial& trial) {
    const std::span<const Kind> kinds = make == resting_pairs ? std::span<const Kind>(box_kinds) : all_kinds;
    for_two_kinds(trial, kinds,
                  [&](Kind a, Kind b, std::size_t count) { run_pairs(make(trial.random, a, b, count), trial); });
}

void run_scaled(Trial& trial) {
    for_two_kinds(trial, all_kinds, [&](Kind a, Kind b, std::size_t count) {
        const PairSetting setting = ordinary_pairs(trial.random, a, b, count);
        run_scaled_pairs(setting, trial.random.below(81) - 40, trial);
    });
}

void run_turning(Trial& trial) {
    for_two_kinds(trial, all_kinds,
                  [&](Kind a, Kind b, std::size_t count) { run_turning_pairs(trial, a, b, count_of(a, b, count)); });
}

template <MakePairs make>
constexpr Family family(const char* name, std::span<const Rate> rates = {}, bool of_bytes = false) {
    return {name, "pairs", run<make>, rates, of_bytes};
}

// Nearly all answers are as strong as floats allow.
constexpr Rate strong[] = {{Tally::kept_14, Tally::apart_14, 0, 0.001},
                           {Tally::kept_18, Tally::apart_18, 0, 0.02},
                           {Tally::apart_14, Tally::pairs, 0.1, 0.9},
                           {Tally::reached, Tally::cases, 0.99}};
constexpr Rate close[] = {{Tally::reached, Tally::cases, 0.99}};
constexpr Rate deep[] = {{Tally::culled_gjk, Tally::verdicts, 0.1, 0.9}, {Tally::reached, Tally::cases, 0.97}};
constexpr Rate near_the_bound[] = {{Tally::apart_14, Tally::pairs, 0.02, 0.3},
                                   {Tally::apart_22, Tally::pairs, 0.1, 0.6}};
constexpr Rate of_casts[] = {{Tally::culled_gjk, Tally::verdicts, 0.1, 0.9}, {Tally::reached, Tally::cases, 0.95}};
constexpr Rate some_claims[] = {{Tally::culled_gjk, Tally::verdicts, 0.05, 0.9}};

constexpr Family all_families[] = {family<ordinary_pairs>("pairs", strong),
                                   family<grazing_pairs>("pairs_grazing", near_the_bound),
                                   family<whole_touching_pairs>("pairs_touching", {}, true),
                                   family<split_touching_pairs>("pairs_split", {}, true),
                                   family<pairs_of_other_units>("pairs_units"),
                                   family<thin_pairs>("pairs_thin"),
                                   family<long_pairs>("pairs_long"),
                                   family<large_pairs>("pairs_large", strong),
                                   family<pairs_in_world_coordinates>("pairs_world", close),
                                   family<deep_pairs>("pairs_deep", deep),
                                   family<resting_pairs>("pairs_resting", close),
                                   {"pairs_scaled", "pairs", run_scaled},
                                   {"pairs_turning", "pairs", run_turning, of_casts, true},
                                   {"pairs_any", "pairs", run_any_pairs, some_claims, true}};

}  // namespace

std::span<const Family> pair_families() { return all_families; }

}  // namespace properties
