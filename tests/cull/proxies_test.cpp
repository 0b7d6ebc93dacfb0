#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "oracle/exact_objects.hpp"
#include "support/culling.hpp"
#include "support/scale.hpp"

/// Objects with a greatest distance, and others with a least one that take their place from there on (HLOD): nothing is
/// ever missing, and both are seen only where the header says so.

namespace {

using lanecull::Isa;
using oracle::Real;
using oracle::Vec;

constexpr Real well = 0x1p-14L;

/// The eye given, as the exact oracle takes it.
struct Eye {
    Double3 at{};

    [[nodiscard]] bool is_within(const exact::Solid& solid, Real distance) const {
        if (!(distance > 0)) return false;
        const exact::Point point = exact::point(at[0], at[1], at[2]);
        const exact::Volume ball =
            exact::Volume::hull({&point, 1}).widened(exact::rational(static_cast<double>(distance)));
        return decide(solid, ball).verdict == exact::Verdict::visible;
    }
    [[nodiscard]] Real from(Vec p) const { return length(p - Vec{at[0], at[1], at[2]}); }
};

class Proxies : public testing::TestWithParam<Kind> {
protected:
    const Kind kind_ = GetParam();
    HullSet hulls_, boxes_;
    Camera camera_;
    Eye eye_;
    lanecull::View view_;

    bool prepare(Random& random, Projection projection) {
        hulls_ = random_hulls(random, 5);
        boxes_ = boxes_around(hulls_);
        camera_ = random_camera(random, projection);
        const double near = std::fabs(camera_.size_at(camera_.depth[0]));
        for (std::size_t k = 0; k < 3; ++k) eye_.at[k] = camera_.eye[k] + near * random.range(-1, 1);
        return camera_.prepare(view_, {.eye = eye_.at.data()}).ok();
    }

    [[nodiscard]] ViewResult cull(const std::vector<Object>& objects, const Streams& streams, Isa isa) const {
        HeapMemory memory;
        return run_cull(make_batch(kind_, objects, hulls_, memory, {.streams = streams}), view_, {.isa = isa});
    }
};

/// `distance`: of its nearest corner. `radius`: without the ball around its points.
struct Size {
    Real distance, radius, extent;
};

Size size_of(const oracle::Solid& shape, const Eye& eye) {
    Vec sum;
    for (const Vec p : shape.points) sum = sum + p;
    const Vec center = (1 / static_cast<Real>(shape.points.size())) * sum;
    Size size{eye.from(center), 0, 0};
    for (const Vec p : shape.points) {
        size.distance = std::min(size.distance, eye.from(p));
        size.radius = std::max(size.radius, length(p - center));
        size.extent = std::max(size.extent, eye.from(p) + shape.radius);
    }
    size.distance = std::max<Real>(size.distance - shape.radius, 0);
    return size;
}

/// The same shapes twice: near ones have max_distance, far ones the same numbers as min_distance.
TEST_P(Proxies, OfTheSameShapesLeaveNoHole) {
    Random random(20261129 + static_cast<std::uint64_t>(kind_));
    std::uint64_t seen = 0, both = 0, near_only = 0, far_only = 0;
    const bool is_exact = kind_ != Kind::oriented_box && kind_ != Kind::hull && kind_ != Kind::box_instance;
    for (int c = 0; c < scaled(72); ++c) {
        if (!prepare(random, all_projections[c % 9])) continue;
        std::vector<Object> objects = random_objects(random, kind_, camera_, 96, hulls_);
        for (Object& object : objects) {
            const Size size = size_of(shape_of(kind_, object, boxes_), eye_);
            const double share = 1 + random.sign() * random.log_range(1e-8, 0.9);
            const Real distance = std::max(size.distance, size.extent / 1000);
            object.max_distance = object.min_distance = static_cast<float>(static_cast<double>(distance) * share);
        }
        for (const Isa isa : runnable_isas()) {
            const ViewResult plain = cull(objects, {}, isa), near = cull(objects, {.max_distance = true}, isa),
                             far = cull(objects, {.min_distance = true}, isa);
            for (std::size_t i = 0; i < objects.size(); ++i) {
                if (!plain.visible(i)) continue;
                ASSERT_TRUE(near.visible(i) || far.visible(i)) << "a hole, on " << lanecull::isa_name(isa) << "\n"
                                                               << camera_.describe() << "\n"
                                                               << describe(kind_, objects[i], hulls_);
                ++seen;
                near_only += !far.visible(i);
                far_only += !near.visible(i);
                if (!near.visible(i) || !far.visible(i)) continue;
                ++both;
                if (isa != runnable_isas().back()) continue;
                const Size size = size_of(shape_of(kind_, objects[i], boxes_), eye_);
                const exact::Solid solid = exact_solid_of(kind_, objects[i], boxes_);
                const Real at = objects[i].min_distance, slack = well * (size.extent + at);
                EXPECT_TRUE(eye_.is_within(solid, std::hypot(at, size.radius) + slack));
                EXPECT_FALSE(is_exact && eye_.is_within(solid, at - slack)) << describe(kind_, objects[i], hulls_);
            }
        }
    }
    std::printf("[ figures  ] %-14s seen %llu, by the near ones alone %llu, by the far ones alone %llu, by both %llu\n",
                kind_name(kind_), static_cast<unsigned long long>(seen), static_cast<unsigned long long>(near_only),
                static_cast<unsigned long long>(far_only), static_cast<unsigned long long>(both));
    EXPECT_GT(10 * near_only, seen);
    EXPECT_GT(20 * far_only, seen);
}

/// One box around some objects, which takes their place. By the rule of the header nothing is missing; with equal
/// numbers something would be.
TEST_P(Proxies, AroundSeveralChildrenLeaveNoHole) {
    Random random(20261130 + static_cast<std::uint64_t>(kind_));
    std::uint64_t seen = 0, replaced = 0, holes_without_rule = 0;
    for (int c = 0; c < scaled(72); ++c) {
        if (!prepare(random, all_projections[c % 9])) continue;
        std::vector<Object> children = random_objects(random, kind_, camera_, 96, hulls_);
        std::vector<Object> proxies(children.size()), equal = children;
        // Two neighbours have a proxy together. Every child gets a copy of it, so that the two have the same index.
        for (std::size_t i = 0; i < children.size(); ++i) {
            Vec low{1e30L, 1e30L, 1e30L}, high{-1e30L, -1e30L, -1e30L};
            for (const std::size_t child : {i, i ^ 1}) {
                const oracle::Solid shape = shape_of(kind_, children[child], boxes_);
                for (const Vec p : shape.points) {
                    low = {std::min(low.x, p.x - shape.radius), std::min(low.y, p.y - shape.radius),
                           std::min(low.z, p.z - shape.radius)};
                    high = {std::max(high.x, p.x + shape.radius), std::max(high.y, p.y + shape.radius),
                            std::max(high.z, p.z + shape.radius)};
                }
            }
            const Real corners[6] = {low.x, low.y, low.z, high.x, high.y, high.z};
            Real square = 0;
            for (std::size_t k = 0; k < 6; ++k) {
                const float outward =
                    k < 3 ? -std::numeric_limits<float>::infinity() : std::numeric_limits<float>::infinity();
                proxies[i].fields[k] = std::nextafterf(static_cast<float>(corners[k]), outward);
            }
            for (std::size_t k = 0; k < 3; ++k) {
                const Real side = static_cast<Real>(proxies[i].fields[3 + k]) - static_cast<Real>(proxies[i].fields[k]);
                square += side * side;
            }
            const Size size = size_of(shape_of(Kind::box, proxies[i], boxes_), eye_);
            const auto limit = static_cast<float>(static_cast<double>(size.distance) * random.log_range(0.2, 2));
            proxies[i].min_distance = equal[i].max_distance = limit;
            children[i].max_distance = static_cast<float>((static_cast<Real>(limit) + std::sqrt(square)) * (1 + 1e-6L));
        }
        for (const Isa isa : runnable_isas()) {
            HeapMemory memory;
            const lanecull::Batch around =
                make_batch(Kind::box, proxies, hulls_, memory, {.streams = {.min_distance = true}});
            const ViewResult plain = cull(children, {}, isa), near = cull(children, {.max_distance = true}, isa),
                             as_proxies = cull(equal, {.max_distance = true}, isa),
                             far = run_cull(around, view_, {.isa = isa});
            for (std::size_t i = 0; i < children.size(); ++i) {
                if (!plain.visible(i)) continue;
                ASSERT_TRUE(near.visible(i) || far.visible(i)) << "a hole, on " << lanecull::isa_name(isa) << "\n"
                                                               << camera_.describe() << "\n"
                                                               << describe(kind_, children[i], hulls_) << "\n"
                                                               << describe(Kind::box, proxies[i], hulls_);
                ++seen;
                replaced += !near.visible(i);
                holes_without_rule += !as_proxies.visible(i) && !far.visible(i);
            }
        }
    }
    EXPECT_GT(50 * replaced, seen);
    EXPECT_GT(holes_without_rule, 0u);
}

INSTANTIATE_TEST_SUITE_P(All, Proxies, testing::ValuesIn(all_kinds),
                         [](const auto& parameter) { return std::string(kind_name(parameter.param)); });

}  // namespace
