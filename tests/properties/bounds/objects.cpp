#include <algorithm>
#include <cstring>
#include <optional>

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

    /// How far an object reaches from a centre, and the sizes of all terms of a coordinate; boxes have their own.
    struct Extent {
        double distance = 0, terms = 0;
    };
    [[nodiscard]] Extent extent(std::size_t i, const float* center) const {
        Extent extent;
        for (const Vertex& vertex : points_of(kind_, objects_[i], hulls_)) {
            for (int corner = 0; corner < 4; ++corner) {
                const double square = squared_distance(center, kind_, objects_[i], vertex, corner, InDoubles{}).value;
                extent.distance = std::max(extent.distance, std::sqrt(square));
            }
            for (std::size_t row = 0; row < 3 && has_transform(kind_); ++row) {
                const Estimate at = placed(objects_[i].fields.data(), row, vertex, InDoubles{});
                extent.terms = std::max(extent.terms, at.error / (4 * Estimate::unit));
            }
        }
        return extent;
    }

    /// Whether a size or a centre may be beyond floats' range.
    [[nodiscard]] bool is_too_large(std::size_t i) const {
        constexpr float origin[3] = {};
        const auto [distance, terms] = extent(i, origin);
        return std::max(distance, 12 * terms) > 0x1p126;
    }

    /// Hulls are not measured: their spheres are those of their boxes.
    void measure(const lanecull::SphereBounds& sphere, std::size_t i) {
        if (kind_ == Kind::hull) return;
        // An instance's centre is rounded, which counts once more.
        const auto [needed, terms] = extent(i, sphere.center);
        ++at(Tally::apart_18);
        const double enough = needed * (1 + 0x1p-18) + 0x1p-18 * terms + 0x1p-123;
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
