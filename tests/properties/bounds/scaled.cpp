#include <algorithm>
#include <cmath>
#include <string>

#include <lanecull/bounds.h>
#include <lanecull/shadow.h>

#include "properties/bounds/bounds.hpp"
#include "properties/bounds/shapes.hpp"

/// Nothing depends on units: bounds of 2^k times something are 2^k times its bounds, where nothing under- or overflows.
namespace properties {
namespace {

using lanecull::Isa;
using Floats = std::vector<float>;

class ScaledTrial : public BoundsTrial {
public:
    explicit ScaledTrial(Trial& trial)
        : BoundsTrial(trial),
          exponent_(trial.random.below(61) - 30),
          hulls_(random_hull_set(trial.random, Numbers::moderate)) {}

    void run() {
        for (int n = 0; n < 10 && !trial_.stopped(); ++n) {
            cloud_ = moderate_cloud(random(), 100);
            for (const Isa isa : trial_.plan.isas) compare_vertices(isa);
            compare_relative();
        }
        for (const Kind kind : all_kinds) compare_objects(kind);
    }

private:
    [[nodiscard]] float scaled(float number) const { return std::ldexp(number, exponent_); }

    void compare(const char* what, const Floats& one, const Floats& of_scaled) {
        at(Tally::verdicts) += one.size();
        if (one.empty() || of_scaled.size() != one.size()) {
            trial_.fail(Tally::untold, std::string(what) + " is refused", [] { return ""; });
            return;
        }
        for (std::size_t i = 0; i < one.size(); ++i) {
            // What is left of cancelled terms may underflow.
            if (scaled(one[i]) == of_scaled[i] || std::fabs(one[i]) < 0x1p-90f) continue;
            trial_.fail(Tally::untold, std::string(what) + " is not scaled by 2^" + std::to_string(exponent_), [&] {
                return describe(cloud_) + "\n  " + describe(one.data(), one.size()) + "\n  " +
                       describe(of_scaled.data(), of_scaled.size());
            });
            return;
        }
    }

    /// Lengths alone: axes stay as they are.
    [[nodiscard]] static Floats bounds_of(const Cloud& cloud, Isa isa, Floats& axes) {
        HeapMemory memory;
        const lanecull::Vertices vertices = lay_out(cloud, 3, memory);
        lanecull::BoxBounds box;
        lanecull::SphereBounds sphere;
        lanecull::OrientedBoxBounds oriented;
        if (!bounding_box(vertices, box, isa) || !bounding_sphere(vertices, sphere, isa) ||
            !bounding_oriented_box(vertices, oriented, isa)) {
            return {};
        }
        Floats lengths;
        for (const auto* three : {box.lower, box.upper, sphere.center, oriented.center, oriented.half_extents}) {
            lengths.insert(lengths.end(), three, three + 3);
        }
        lengths.push_back(sphere.radius);
        axes.insert(axes.end(), oriented.axes, oriented.axes + 9);
        return lengths;
    }

    void compare_vertices(Isa isa) {
        Cloud large = cloud_;
        for (Vertex& p : large) {
            for (float& coordinate : p) coordinate = scaled(coordinate);
        }
        Floats axes;
        const Floats one = bounds_of(cloud_, isa, axes), of_scaled = bounds_of(large, isa, axes);
        compare("a bound of vertices", one, of_scaled);
        if (!std::equal(axes.begin(), axes.begin() + 9, axes.begin() + 9)) {
            trial_.fail(Tally::untold, "axes differ by units", [&] { return describe(cloud_); });
        }
    }

    [[nodiscard]] Floats relative(double factor) const {
        std::vector<double> positions;
        Floats radius;
        for (const Vertex& p : cloud_) {
            for (const float coordinate : p) positions.push_back(factor * (static_cast<double>(coordinate) / 3));
            radius.push_back(static_cast<float>(factor * static_cast<double>(std::fabs(p[0]))));
        }
        const double origin[3] = {factor * 0.1, factor * 1e3, 0};
        const std::size_t count = cloud_.size();
        Floats spheres(4 * count);
        float* const of = spheres.data();
        const bool ok = lanecull::relative_spheres({positions.data()}, radius.data(), static_cast<std::uint32_t>(count),
                                                   origin, of, of + count, of + 2 * count, of + 3 * count)
                            .ok();
        return ok ? spheres : Floats{};
    }

    void compare_relative() { compare("a relative sphere", relative(1), relative(std::ldexp(1, exponent_))); }

    /// Which fields are lengths: all but axes, quaternions and the linear part of a transform.
    [[nodiscard]] static bool is_length(Kind kind, std::size_t field) {
        if (has_transform(kind)) return field >= 12 || field % 4 == 3;
        if (kind == Kind::oriented_box) return field < 3 || field >= 12;
        return kind != Kind::quaternion_box || field < 3 || field >= 7;
    }

    void compare_objects(Kind kind) {
        std::vector<Object> objects, large;
        HullSet large_hulls = hulls_;
        for (Vertices& hull : large_hulls) {
            for (Vertex& p : hull) {
                for (float& coordinate : p) coordinate = scaled(coordinate);
            }
        }
        for (int i = 0; i < 64; ++i) {
            const Object& object = objects.emplace_back(random_shape(random(), kind, Numbers::moderate, hulls_));
            Object& other = large.emplace_back(object);
            for (std::size_t k = 0; k < field_count(kind); ++k) {
                if (is_length(kind, k)) other.fields[k] = scaled(object.fields[k]);
            }
            other.margin = scaled(object.margin);
            for (float& component : other.sweep) component = scaled(component);
        }
        HeapMemory memory;
        const Format format{.bounds = true, .streams = {.margin = true, .sweep = true}};
        const lanecull::Batch one = make_batch(kind, objects, hulls_, memory, format),
                              of_scaled = make_batch(kind, large, large_hulls, memory, format);
        compare_boxes(one, of_scaled);
        if (!has_spheres(kind)) return;
        Floats spheres[2];
        for (const lanecull::SphereBounds& sphere : spheres_of(one)) add(sphere, spheres[0]);
        for (const lanecull::SphereBounds& sphere : spheres_of(of_scaled)) add(sphere, spheres[1]);
        compare("a bounding sphere", spheres[0], spheres[1]);
    }

    static void add(const lanecull::SphereBounds& sphere, Floats& numbers) {
        numbers.insert(numbers.end(), sphere.center, sphere.center + 3);
        numbers.push_back(sphere.radius);
    }

    /// Box by box; in any units the ends are off by some 2^-126, which counts for what is next to 0.
    void compare_boxes(const lanecull::Batch& one, const lanecull::Batch& of_scaled) {
        for (std::uint64_t bit = 1; bit != 0; bit <<= 1) {
            lanecull::WorldBox box, large;
            ++at(Tally::verdicts);
            bool same = visible_bounds({&one, 1}, {&bit, 1}, box) && visible_bounds({&of_scaled, 1}, {&bit, 1}, large);
            for (std::size_t k = 0; k < 3 && same; ++k) {
                for (const auto& [a, b] :
                     {std::pair(box.lower[k], large.lower[k]), std::pair(box.upper[k], large.upper[k])}) {
                    same = same && (std::ldexp(a, exponent_) == b || std::fmin(std::fabs(a), std::fabs(b)) < 0x1p-90);
                }
            }
            if (!same) trial_.fail(Tally::untold, "a visible box is not scaled", [] { return ""; });
        }
    }

    int exponent_;
    HullSet hulls_;
    Cloud cloud_;
};

}  // namespace

void bound_scaled(Trial& trial) { ScaledTrial(trial).run(); }

}  // namespace properties
