#include <algorithm>
#include <cstring>
#include <optional>
#include <string>

#include "properties/bounds/bounds.hpp"
#include "properties/bounds/shapes.hpp"

/// bounding_radii() and bounding_spheres(): each sphere contains its object.
namespace properties {
namespace {

class ObjectsTrial : public ShapesTrial {
public:
    using ShapesTrial::ShapesTrial;

    void run() {
        for (const Kind kind : {Kind::oriented_box, Kind::quaternion_box, Kind::hull, Kind::box_instance}) {
            kind_ = kind;
            objects_.clear();
            while (objects_.size() < trial_.plan.objects) {
                objects_.push_back(draw(kind));
            }
            HeapMemory memory;
            const std::size_t stride = random().chance(0.5) ? 0 : 12 + static_cast<std::size_t>(random().below(4));
            const auto spheres =
                spheres_of(make_batch(kind, objects_, hulls_, memory, {.bounds = false, .stride_floats = stride}));
            const auto otherwise_placed = spheres_of(make_batch(kind, objects_, hulls_, memory));
            if (spheres.size() != objects_.size() || otherwise_placed.size() != objects_.size()) {
                trial_.fail(Tally::untold, "bounds are refused", [] { return ""; });
                return;
            }
            check(spheres);
            for (std::size_t i = 0; i < objects_.size(); ++i) {
                if (std::memcmp(&spheres[i], &otherwise_placed[i], sizeof spheres[i]) == 0) continue;
                fail(Tally::untold, i, otherwise_placed[i], "the sphere depends on how the object is stored");
            }
        }
    }

private:
    void check(const std::vector<lanecull::SphereBounds>& spheres) {
        for (std::size_t i = 0; i < objects_.size() && !trial_.stopped(); ++i) {
            const lanecull::SphereBounds& sphere = spheres[i];
            const std::optional<bool> valid = is_object(kind_, shape(i), hulls_.size());
            ++at(Tally::verdicts);
            ++at(Tally::cases);
            at(Tally::reached) += valid == true ? 1u : 0u;
            const bool claims = all_finite(sphere.center, 3) && std::isfinite(sphere.radius);
            if (valid != true) {
                const bool is_none = std::isnan(sphere.radius);
                if (valid == false && !is_none) fail(Tally::invalid_told, i, sphere, "a radius of what is no object");
                continue;
            }
            const bool alone = i < trial_.plan.oracle_objects;
            judge_.by_rationals_alone(alone);
            if (!claims) {
                if (!is_too_large(i)) fail(Tally::untold, i, sphere, "a bound is infinite or none without need");
                continue;
            }
            ++at(Tally::culled_gjk);
            at(Tally::oracle_objects) += alone ? 1u : 0u;
            const bool inside = contains(sphere, kind_, objects_[i], hulls_, judge_);
            if (!inside) fail(Tally::unproved, i, sphere, "the sphere does not contain the object");
            measure(sphere, i);
        }
    }

    /// Without its margin and sweep, which these bounds do not contain.
    [[nodiscard]] Object shape(std::size_t i) const {
        Object object = objects_[i];
        object.margin = 0, object.sweep = {};
        return object;
    }

    /// Whether a size or a centre may be beyond floats' range.
    [[nodiscard]] bool is_too_large(std::size_t i) const { return farthest(objects_[i].fields.data(), i) > 0x1p126; }

    /// How far the box reaches from its centre, rounded; or more than an instance's box reaches from the origin.
    [[nodiscard]] double farthest(const float* f, std::size_t i) const {
        double most = 0;
        if (kind_ == Kind::oriented_box) {
            for (int corner = 0; corner < 4; ++corner) {
                const auto p = corner_offset(f + 3, f + 12, corner, InDoubles{});
                most = std::max(most, std::hypot(p[0].value, p[1].value, p[2].value));
            }
        } else if (kind_ == Kind::quaternion_box) {
            most = std::hypot(static_cast<double>(f[7]), static_cast<double>(f[8]), static_cast<double>(f[9]));
        } else {
            for (const Vertex& vertex : local_points(kind_, objects_[i], hulls_)) {
                for (std::size_t k = 0; k < 12; ++k) {
                    const double factor = k % 4 == 3 ? 1 : static_cast<double>(vertex[k % 4]);
                    most = std::max(most, 12 * std::fabs(static_cast<double>(f[k]) * factor));
                }
            }
        }
        return most;
    }

    /// Hulls are not measured: their spheres are those of their boxes.
    void measure(const lanecull::SphereBounds& sphere, std::size_t i) {
        if (kind_ == Kind::hull) return;
        const float* const f = objects_[i].fields.data();
        double needed = 0, sizes = 0;
        if (kind_ == Kind::box_instance) {
            for (const Vertex& vertex : local_points(kind_, objects_[i], hulls_)) {
                double square = 0;
                for (std::size_t row = 0; row < 3; ++row) {
                    const double at = placed(f, row, vertex, InDoubles{}).value;
                    square = std::hypot(square, at - static_cast<double>(sphere.center[row]));
                    for (std::size_t k = 0; k < 4; ++k) {
                        const double factor = k == 3 ? 1 : static_cast<double>(vertex[k]);
                        sizes = std::max(sizes, std::fabs(static_cast<double>(f[4 * row + k]) * factor));
                    }
                }
                needed = std::max(needed, square);
            }
        } else {
            needed = farthest(f, i);
        }
        // An instance's centre is rounded, which counts once more.
        ++at(Tally::apart_18);
        const double enough = needed * (1 + 0x1p-18) + 0x1p-18 * sizes + 0x1p-123;
        at(Tally::kept_18) += static_cast<double>(sphere.radius) > enough ? 1u : 0u;
    }

    void fail(Tally::Count count, std::size_t i, const lanecull::SphereBounds& sphere, const char* what) {
        trial_.fail(count, what, [&] {
            return ::describe(kind_, objects_[i], hulls_) + "\n  sphere" + describe(sphere.center, 3) +
                   describe(&sphere.radius, 1);
        });
    }

    Kind kind_ = Kind::hull;
    std::vector<Object> objects_;
};

}  // namespace

void bound_radii(Trial& trial) { ObjectsTrial(trial, Numbers::any).run(); }
void bound_any_spheres(Trial& trial) { ObjectsTrial(trial, Numbers::unchecked).run(); }

}  // namespace properties
