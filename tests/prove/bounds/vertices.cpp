#include <algorithm>
#include <cstring>
#include <optional>
#include <string>

#include "prove/bounds/bounds.hpp"
#include "prove/bounds/clouds.hpp"

/// bounding_box(), bounding_sphere() and bounding_oriented_box(): each vertex is in each, on every instruction set.
namespace prove {
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
    /// An infinite number makes an object that stays visible, and claims nothing.
    [[nodiscard]] bool sphere_claims() const { return all_finite(sphere.center, 3) && std::isfinite(sphere.radius); }
    [[nodiscard]] bool oriented_claims() const {
        return all_finite(oriented.center, 3) && all_finite(oriented.axes, 9) && all_finite(oriented.half_extents, 3);
    }
};

class VerticesTrial {
public:
    explicit VerticesTrial(Trial& trial) : trial_(trial) {}

    void run() {
        constexpr int clouds = 12;
        constexpr std::size_t strides[] = {1, 1, 2, 3, 4, 7, 20};
        trial_.at(Tally::trials) = 1;
        for (int n = 0; n < clouds && !trial_.stopped(); ++n) {
            // Records are taken apart 1,024 at a time.
            cloud_ = random_cloud(trial_.random, n == 0 ? 3000 : 200);
            HeapMemory memory(static_cast<std::size_t>(trial_.random.below(4)));
            const auto stride = strides[trial_.random.below(static_cast<int>(std::size(strides)))];
            ask(lay_out(cloud_, stride, memory));
        }
        trial_.at(Tally::exact_checks) = judge_.exact_checks();
    }

private:
    void ask(const lanecull::Vertices& vertices) {
        AllBounds first;
        for (const Isa isa : trial_.plan.isas) {
            AllBounds bounds;
            if (!bounding_box(vertices, bounds.box, isa) || !bounding_sphere(vertices, bounds.sphere, isa) ||
                !bounding_oriented_box(vertices, bounds.oriented, isa)) {
                fail(Tally::untold, "refused", isa);
                continue;
            }
            trial_.at(Tally::verdicts) += 3 * cloud_.size();
            if (isa == trial_.plan.isas.front()) {
                first = bounds;
                check(bounds, isa);
            } else if (!bounds.same_bits(first)) {
                fail(Tally::untold, "differs from what another set found", isa);
                check(bounds, isa);
            }
        }
    }

    void check(const AllBounds& bounds, Isa isa) {
        check_claims(bounds, isa);
        const bool sphere = bounds.sphere_claims(), turned = bounds.oriented_claims();
        std::optional<OrientedBoxSet> oriented;
        if (turned) oriented.emplace(bounds.oriented, judge_);
        trial_.at(Tally::culled_gjk) += (1u + (sphere ? 1u : 0u) + (turned ? 1u : 0u)) * cloud_.size();
        for (std::size_t i = 0; i < cloud_.size(); ++i) {
            const bool alone = i < trial_.plan.oracle_objects;
            trial_.at(Tally::oracle_objects) += alone ? 1u : 0u;
            judge_.by_rationals_alone(alone);
            const Vertex& p = cloud_[i];
            const char* where = !contains(bounds.box, p)                        ? "box"
                                : sphere && !contains(bounds.sphere, p, judge_) ? "sphere"
                                : turned && !oriented->contains(p)              ? "oriented box"
                                                                                : nullptr;
            if (where == nullptr) continue;
            fail(Tally::unproved, std::string("vertex ") + std::to_string(i) + " is not in its " + where, isa,
                 describe(bounds));
            break;
        }
        judge_.by_rationals_alone(false);
    }

    /// The box's corners are of vertices, and no bound is infinite without need.
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
    }

    static std::string describe(const AllBounds& bounds) {
        return "\n  sphere" + prove::describe(bounds.sphere.center, 3) + prove::describe(&bounds.sphere.radius, 1) +
               "\n  oriented box" + prove::describe(bounds.oriented.center, 3) +
               prove::describe(bounds.oriented.axes, 9) + prove::describe(bounds.oriented.half_extents, 3);
    }

    void fail(Tally::Count count, const std::string& what, Isa isa, const std::string& more = {}) {
        trial_.fail(count, what + " by " + lanecull::isa_name(isa), [&] { return prove::describe(cloud_) + more; });
    }

    Trial& trial_;
    Judge judge_;
    Cloud cloud_;
};

}  // namespace

void bound_vertices(Trial& trial) { VerticesTrial(trial).run(); }

}  // namespace prove
