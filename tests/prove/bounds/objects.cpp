#include <algorithm>
#include <string>

#include "prove/bounds/bounds.hpp"
#include "prove/bounds/shapes.hpp"

/// bounding_radii() and bounding_spheres(): each sphere contains its object.
namespace prove {
namespace {

class ObjectsTrial {
public:
    explicit ObjectsTrial(Trial& trial) : trial_(trial), hulls_(random_hull_set(trial.random, Numbers::any)) {}

    void run() {
        trial_.at(Tally::trials) = 1;
        for (const Kind kind : {Kind::oriented_box, Kind::quaternion_box, Kind::hull, Kind::box_instance}) {
            kind_ = kind;
            objects_.clear();
            while (objects_.size() < trial_.plan.objects) {
                objects_.push_back(random_shape(trial_.random, kind, Numbers::any, hulls_));
            }
            HeapMemory memory;
            const std::size_t stride =
                trial_.random.chance(0.5) ? 0 : 12 + static_cast<std::size_t>(trial_.random.below(4));
            const lanecull::Batch batch =
                make_batch(kind, objects_, hulls_, memory, {.bounds = false, .stride_floats = stride});
            check(spheres_of(batch));
        }
        trial_.at(Tally::exact_checks) = judge_.exact_checks();
    }

private:
    std::vector<lanecull::SphereBounds> spheres_of(const lanecull::Batch& batch) {
        const std::size_t count = objects_.size();
        std::vector<float> stream[4];
        for (std::vector<float>& numbers : stream) numbers.resize(count);
        lanecull::Status status;
        if (kind_ == Kind::hull) {
            status = bounding_spheres(*batch.get_if<lanecull::HullInstances>(), stream[0].data(), stream[1].data(),
                                      stream[2].data(), stream[3].data());
        } else if (kind_ == Kind::box_instance) {
            status = bounding_spheres(*batch.get_if<lanecull::BoxInstances>(), stream[0].data(), stream[1].data(),
                                      stream[2].data(), stream[3].data());
        } else {
            status = bounding_radii(*batch.get_if<lanecull::OrientedBoxes>(), stream[3].data());
        }
        if (!status) trial_.fail(Tally::untold, status.message().text, [] { return ""; });
        std::vector<lanecull::SphereBounds> spheres;
        for (std::size_t i = 0; i < count; ++i) {
            lanecull::SphereBounds& sphere = spheres.emplace_back();
            for (std::size_t k = 0; k < 3; ++k) {
                sphere.center[k] = has_transform(kind_) ? stream[k][i] : objects_[i].fields[k];
            }
            sphere.radius = stream[3][i];
        }
        return spheres;
    }

    void check(const std::vector<lanecull::SphereBounds>& spheres) {
        for (std::size_t i = 0; i < objects_.size() && !trial_.stopped(); ++i) {
            const lanecull::SphereBounds& sphere = spheres[i];
            ++trial_.at(Tally::verdicts);
            const bool claims = all_finite(sphere.center, 3) && std::isfinite(sphere.radius);
            const bool alone = i < trial_.plan.oracle_objects;
            judge_.by_rationals_alone(alone);
            if (!claims) {
                if (!is_too_large(i)) fail(Tally::untold, i, sphere, "a bound is infinite or none without need");
                continue;
            }
            ++trial_.at(Tally::culled_gjk);
            trial_.at(Tally::oracle_objects) += alone ? 1u : 0u;
            const bool inside = contains(sphere, kind_, objects_[i], hulls_, judge_);
            if (!inside) fail(Tally::unproved, i, sphere, "the sphere does not contain the object");
            if (!has_transform(kind_)) measure(sphere, i);
        }
    }

    /// Whether a size or a centre may be beyond floats' range.
    [[nodiscard]] bool is_too_large(std::size_t i) const {
        const float* f = objects_[i].fields.data();
        return farthest(f, i) > 0x1p126;
    }

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

    void measure(const lanecull::SphereBounds& sphere, std::size_t i) {
        const double needed = farthest(objects_[i].fields.data(), i);
        ++trial_.at(Tally::apart_18);
        trial_.at(Tally::kept_18) += static_cast<double>(sphere.radius) > needed * (1 + 0x1p-18) + 0x1p-147 ? 1u : 0u;
    }

    void fail(Tally::Count count, std::size_t i, const lanecull::SphereBounds& sphere, const char* what) {
        trial_.fail(count, what, [&] {
            return ::describe(kind_, objects_[i], hulls_) + "\n  sphere" + describe(sphere.center, 3) +
                   describe(&sphere.radius, 1);
        });
    }

    Trial& trial_;
    HullSet hulls_;
    Judge judge_;
    Kind kind_ = Kind::hull;
    std::vector<Object> objects_;
};

}  // namespace

void bound_radii(Trial& trial) { ObjectsTrial(trial).run(); }

}  // namespace prove
