#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>

#include "properties/bounds/bounds.hpp"
#include "support/memory.hpp"

/// bounding_box(), bounding_sphere() and bounding_oriented_box(): each vertex is in each, on every instruction set.
/// prepare_hull(): the box and the outer ball contain each vertex, and the hull contains the inner ball.
namespace properties {
namespace {

using lanecull::Isa;

struct AllBounds {
    lanecull::BoxBounds box;
    lanecull::SphereBounds sphere;
    lanecull::OrientedBoxBounds oriented;

    [[nodiscard]] bool same_bits(const AllBounds& other) const {
        return std::memcmp(&box, &other.box, sizeof box) == 0 &&
               std::memcmp(&sphere, &other.sphere, sizeof sphere) == 0 &&
               std::memcmp(&oriented, &other.oriented, sizeof oriented) == 0;
    }
    /// Axes have none.
    [[nodiscard]] std::vector<float> lengths() const {
        std::vector<float> all{sphere.radius};
        for (const auto* three : {box.lower, box.upper, sphere.center, oriented.center, oriented.half_extents}) {
            all.insert(all.end(), three, three + 3);
        }
        return all;
    }
    /// An infinite number makes an object that stays visible, and claims nothing.
    [[nodiscard]] bool sphere_claims() const { return all_finite(sphere.center, 3) && std::isfinite(sphere.radius); }
    [[nodiscard]] bool oriented_claims() const {
        return all_finite(oriented.center, 3) && all_finite(oriented.axes, 9) && all_finite(oriented.half_extents, 3);
    }
};

/// Where all three calls wrote, and what they say.
struct Bounded {
    AllBounds bounds;
    lanecull::Status status[3];

    Bounded(const lanecull::Vertices& vertices, Isa isa, const AllBounds& before) : bounds(before) {
        status[0] = bounding_box(vertices, bounds.box, isa);
        status[1] = bounding_sphere(vertices, bounds.sphere, isa);
        status[2] = bounding_oriented_box(vertices, bounds.oriented, isa);
    }
};

/// Of unit length, at right angles, and right-handed.
bool are_orthonormal(const float (&a)[9]) {
    bool are = true;
    for (std::size_t k = 0; k < 3; ++k) {
        const float* const axis = a + 3 * k;
        const float* const one = a + 3 * ((k + 1) % 3);
        const float* const two = a + 3 * ((k + 2) % 3);
        for (std::size_t c = 0; c < 3; ++c) {
            const std::size_t p = (c + 1) % 3, q = (c + 2) % 3;
            are = are && std::fabs(one[p] * two[q] - one[q] * two[p] - axis[c]) < 1e-6f;
        }
        are = are && std::fabs(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2] - 1) < 1e-6f;
    }
    return are;
}

class VerticesTrial : public BoundsTrial {
public:
    using BoundsTrial::BoundsTrial;

    /// Half of the vertices have any numbers, also such as are not finite. They are at any stride, also at none.
    void run() {
        constexpr std::size_t strides[] = {1, 1, 2, 3, 4, 7, 20, 16'384};
        constexpr std::uint32_t no_strides[] = {1, 2, 5, 65'540, ~0u};
        const std::size_t clouds = (trial_.plan.objects + 19) / 20;
        for (std::size_t n = 0; n < clouds && !trial_.stopped(); ++n) {
            // Records are taken apart 1,024 at a time.
            const std::size_t most = n == 0 ? 6 * trial_.plan.objects : 200;
            is_moderate_ = random().chance(0.3);
            cloud_ = is_moderate_           ? moderate_cloud(random(), 100)
                     : random().chance(0.5) ? any_cloud(random(), 66)
                                            : random_cloud(random(), most);
            GuardedMemory guarded(random().chance(0.5) ? GuardedMemory::Against::start : GuardedMemory::Against::end);
            HeapMemory heap(static_cast<std::size_t>(random().below(4)));
            Memory& memory = random().chance(0.5) ? static_cast<Memory&>(guarded) : heap;
            const int stride = random().below(n == 0 ? 7 : 8);
            lanecull::Vertices vertices = lay_out(cloud_, strides[stride], memory);
            if (vertices.stride_bytes == 4 && random().chance(0.5)) vertices.stride_bytes = 0;
            if (random().below(32) == 0) vertices.stride_bytes = no_strides[random().below(5)];
            const bool stride_is_one = vertices.stride_bytes % 4 == 0 && vertices.stride_bytes <= 65'536;
            ++at(Tally::cases);
            if (!stride_is_one) {
                expect_refusal(vertices, "vertices.stride_bytes");
            } else if (const std::string bad = first_bad(); !bad.empty()) {
                expect_refusal(vertices, bad + ": not finite");
            } else {
                ++at(Tally::reached);
                ask(vertices);
            }
        }
    }

private:
    void ask(const lanecull::Vertices& vertices) {
        AllBounds first;
        for (const Isa isa : trial_.plan.isas) {
            const auto [bounds, status] = Bounded(vertices, isa, {});
            if (!status[0] || !status[1] || !status[2]) {
                fail(Tally::untold, "refused", isa);
                continue;
            }
            at(Tally::verdicts) += 3 * cloud_.size();
            if (isa == trial_.plan.isas.front()) {
                first = bounds;
                check(bounds, isa);
            } else if (!bounds.same_bits(first)) {
                fail(Tally::untold, "differs from what another set found", isa);
                check(bounds, isa);
            }
            if (is_moderate_) check_scaled(bounds, isa);
        }
    }

    /// Nothing depends on units: bounds of 2^k times the vertices are 2^k times their bounds, where nothing under- or
    /// overflows.
    void check_scaled(const AllBounds& bounds, Isa isa) {
        if (bounds.sphere.radius < 0x1p-12f) return;  // products underflow in other units
        const int exponent = random().below(61) - 30;
        Cloud large = cloud_;
        for (Vertex& p : large) {
            for (float& coordinate : p) coordinate = std::ldexp(coordinate, exponent);
        }
        HeapMemory memory;
        const AllBounds scaled = Bounded(lay_out(large, 3, memory), isa, {}).bounds;
        if (!std::ranges::equal(scaled.oriented.axes, bounds.oriented.axes)) {
            fail(Tally::untold, "axes differ by units", isa, describe(bounds));
        }
        const std::vector<float> one = bounds.lengths(), other = scaled.lengths();
        for (std::size_t k = 0; k < one.size(); ++k) {
            // What is left of cancelled terms may underflow.
            if (std::ldexp(one[k], exponent) == other[k] || std::fabs(one[k]) < 0x1p-90f) continue;
            return fail(Tally::untold, "bounds are not scaled by 2^" + std::to_string(exponent), isa, describe(bounds));
        }
    }

    /// The name of the first coordinate that is not finite; empty: all are.
    [[nodiscard]] std::string first_bad() const {
        for (std::size_t i = 0; i < cloud_.size(); ++i) {
            for (std::size_t k = 0; k < 3; ++k) {
                if (!std::isfinite(cloud_[i][k])) {
                    return "vertices." + std::string(1, "xyz"[k]) + "[" + std::to_string(i) + "]";
                }
            }
        }
        return {};
    }

    void expect_refusal(const lanecull::Vertices& vertices, const std::string& sentence) {
        AllBounds before;
        std::memset(static_cast<void*>(&before), 1, sizeof before);
        for (const Isa isa : trial_.plan.isas) {
            const auto [bounds, status] = Bounded(vertices, isa, before);
            for (const lanecull::Status& told : status) {
                ++at(Tally::verdicts);
                if (std::string(told.message()).rfind(sentence, 0) != 0) {
                    fail(Tally::untold, sentence + " is told as " + told.message().text, isa);
                }
            }
            if (!bounds.same_bits(before)) fail(Tally::untold, "refused, yet written", isa);
        }
    }

    void check(const AllBounds& bounds, Isa isa) {
        check_claims(bounds, isa);
        const bool sphere = bounds.sphere_claims(), turned = bounds.oriented_claims();
        at(Tally::culled_gjk) += (1u + (sphere ? 1u : 0u) + (turned ? 1u : 0u)) * cloud_.size();
        for (std::size_t i = 0; i < cloud_.size(); ++i) {
            const bool alone = i < trial_.plan.oracle_objects;
            at(Tally::oracle_objects) += alone ? 1u : 0u;
            judge_.by_rationals_alone(alone);
            const Vertex& p = cloud_[i];
            const char* where = !contains(bounds.box, p)                          ? "box"
                                : sphere && !contains(bounds.sphere, p, judge_)   ? "sphere"
                                : turned && !contains(bounds.oriented, p, judge_) ? "oriented box"
                                                                                  : nullptr;
            if (where == nullptr) continue;
            fail(Tally::unproved, std::string("vertex ") + std::to_string(i) + " is not in its " + where, isa,
                 describe(bounds));
            break;
        }
        judge_.by_rationals_alone(false);
    }

    /// The box's corners are of vertices, no bound is infinite without need, and axes are orthonormal.
    void check_claims(const AllBounds& bounds, Isa isa) {
        float largest = 0;
        for (std::size_t k = 0; k < 3; ++k) {
            bool low = false, high = false;
            for (const Vertex& p : cloud_) {
                low = low || p[k] == bounds.box.lower[k];
                high = high || p[k] == bounds.box.upper[k];
                largest = std::max(largest, std::fabs(p[k]));
            }
            if (!low || !high) fail(Tally::unproved, "the box has a coordinate that no vertex has", isa);
        }
        if (largest < 0x1p125f && !(bounds.sphere_claims() && bounds.oriented_claims())) {
            fail(Tally::untold, "a bound is infinite without need", isa, describe(bounds));
        }
        if (!are_orthonormal(bounds.oriented.axes)) {
            fail(Tally::untold, "axes are not orthonormal", isa, describe(bounds));
        }
        const bool equal = std::ranges::all_of(cloud_, [&](const Vertex& p) { return p == cloud_[0]; });
        if (equal && bounds.sphere.radius != 0) fail(Tally::untold, "equal vertices need no radius", isa);
    }

    static std::string describe(const AllBounds& bounds) {
        return "\n  sphere" + properties::describe(bounds.sphere.center, 3) +
               properties::describe(&bounds.sphere.radius, 1) + "\n  oriented box" +
               properties::describe(bounds.oriented.center, 3) + properties::describe(bounds.oriented.axes, 9) +
               properties::describe(bounds.oriented.half_extents, 3);
    }

    void fail(Tally::Count count, const std::string& what, Isa isa, const std::string& more = {}) {
        trial_.fail(count, what + " by " + lanecull::isa_name(isa),
                    [&] { return properties::describe(cloud_) + more; });
    }

    Cloud cloud_;
    bool is_moderate_ = false;
};

class BallsTrial : public BoundsTrial {
public:
    using BoundsTrial::BoundsTrial;

    void run() {
        // Of any numbers are some that are not finite, which make no hull.
        for (std::size_t n = 0; n < 4 * trial_.plan.objects && !trial_.stopped(); ++n) {
            cloud_ = n % 4 == 1   ? tiny_cloud(random(), 8)
                     : n % 4 == 3 ? any_cloud(random(), 8)
                                  : random_cloud(random(), n == 0 ? 4 * trial_.plan.objects : 9);
            const bool alone = n < 3;
            at(Tally::oracle_objects) += alone ? 1u : 0u;
            judge_.by_rationals_alone(alone && cloud_.size() < 10);
            prepare();
        }
    }

private:
    void prepare() {
        HeapMemory memory;
        const lanecull::Vertices v = lay_out(cloud_, 1, memory);
        lanecull::Hull hull;
        const bool is_hull = lanecull::prepare_hull(v.x, v.y, v.z, v.count, hull).ok();
        ++at(Tally::cases);
        at(Tally::reached) += std::uint64_t{is_hull};
        if (is_hull != all_finite(cloud_)) fail(Tally::untold, "refused for no reason, or taken", hull);
        if (!is_hull && hull.count != 0) fail(Tally::untold, "refused, yet written", hull);
        if (!is_hull) return;
        check_around(hull);
        if (cloud_.size() < 10) check_within(hull);
    }

    void check_around(const lanecull::Hull& hull) {
        lanecull::BoxBounds box;
        std::copy_n(hull.lower, 3, box.lower), std::copy_n(hull.upper, 3, box.upper);
        const Vertex mean{hull.mean[0], hull.mean[1], hull.mean[2]};
        lanecull::SphereBounds ball{{mean[0], mean[1], mean[2]}, hull.outer};
        const bool claims = std::isfinite(ball.radius);
        at(Tally::verdicts) += 2 * cloud_.size();
        at(Tally::culled_gjk) += (claims ? 2 : 1) * cloud_.size();
        double farthest = 0;
        for (const Vertex& p : cloud_) {
            double distance = 0;
            for (std::size_t k = 0; k < 3; ++k) {
                distance = std::hypot(distance, static_cast<double>(p[k]) - static_cast<double>(mean[k]));
            }
            farthest = std::max(farthest, distance);
            if (contains(box, p) && contains(box, mean) && (!claims || contains(ball, p, judge_))) continue;
            return fail(Tally::unproved, "a vertex is outside of the box or of the outer ball", hull);
        }
        if (claims && static_cast<double>(hull.outer) > farthest * (1 + 1e-6) + 0x1p-148) {
            fail(Tally::untold, "the outer ball is too large", hull);
        }
    }

    void check_within(const lanecull::Hull& hull) {
        ++at(Tally::verdicts);
        if (!(hull.inner >= 0)) fail(Tally::unproved, "the inner radius is none", hull);
        if (!(hull.inner > 0)) return;
        ++at(Tally::culled_gjk);
        if (!hull_contains_ball(cloud_, hull.mean, hull.inner, judge_)) {
            fail(Tally::unproved, "the inner ball is not within the hull", hull);
        }
    }

    void fail(Tally::Count count, const char* what, const lanecull::Hull& hull) {
        trial_.fail(count, what, [&] {
            return describe(cloud_) + "\n  mean" + describe(hull.mean, 3) + " outer" + describe(&hull.outer, 1) +
                   " inner" + describe(&hull.inner, 1);
        });
    }

    Cloud cloud_;
};

}  // namespace

void bound_vertices(Trial& trial) { VerticesTrial(trial).run(); }
void bound_balls(Trial& trial) { BallsTrial(trial).run(); }

}  // namespace properties
