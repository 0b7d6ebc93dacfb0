#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <lanecull/bounds.h>

#include "oracle/exact_objects.hpp"
#include "support/culling.hpp"
#include "support/generate.hpp"
#include "support/scale.hpp"

/// What box instances alone have: transforms in four layouts at a stride, boxes by index, positions in doubles, and
/// boxes far from their own origin. Everything else about them is tested as for every kind.

namespace {

using lanecull::BoxInstances;
using lanecull::TransformLayout;

constexpr TransformLayout all_layouts[] = {TransformLayout::rows_3x4, TransformLayout::columns_3x4,
                                           TransformLayout::rows_4x4, TransformLayout::columns_4x4};

/// Box instances and the arrays of one way to write them down.
struct Instances {
    std::vector<float> matrices;
    std::array<std::vector<float>, 6> sides;
    std::vector<std::uint32_t> index;
    std::vector<double> positions;
    BoxInstances shapes;
};

struct Way {
    TransformLayout layout = TransformLayout::rows_3x4;
    std::size_t more = 0;   ///< floats between transforms; with none of them the stride is `packed`
    bool by_index = false;  ///< boxes in another order, with some that no object has
};

std::size_t number_at(TransformLayout layout, std::size_t row, std::size_t column) {
    switch (layout) {
        case TransformLayout::columns_3x4:
            return 3 * column + row;
        case TransformLayout::columns_4x4:
            return 4 * column + row;
        default:
            return 4 * row + column;
    }
}

Instances write_down(const std::vector<Object>& objects, const Way& way) {
    const std::size_t count = objects.size();
    const bool is_4x4 = way.layout == TransformLayout::rows_4x4 || way.layout == TransformLayout::columns_4x4;
    const std::size_t stride = (is_4x4 ? 16 : 12) + way.more, boxes = way.by_index ? 2 * count : count;
    Instances result;
    result.matrices.assign(count * stride, std::numeric_limits<float>::quiet_NaN());
    for (std::vector<float>& side : result.sides) side.assign(boxes, std::numeric_limits<float>::quiet_NaN());
    for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t k = 0; k < (is_4x4 ? 16u : 12u); ++k) {
            const float last = k == 15 ? 1.0f : 0.0f;
            result.matrices[i * stride + number_at(way.layout, k / 4, k % 4)] = k < 12 ? objects[i].fields[k] : last;
        }
        const std::size_t at = way.by_index ? 2 * (count - 1 - i) + 1 : i;
        for (std::size_t k = 0; k < 6; ++k) result.sides[k][at] = objects[i].fields[12 + k];
        if (way.by_index) result.index.push_back(static_cast<std::uint32_t>(at));
    }
    auto& s = result.sides;
    result.shapes.transforms = {result.matrices.data(), way.more == 0 ? 0 : stride * sizeof(float), way.layout};
    result.shapes.local = {{s[0].data(), s[1].data(), s[2].data(), s[3].data(), s[4].data(), s[5].data(),
                            static_cast<std::uint32_t>(boxes)},
                           way.by_index ? result.index.data() : nullptr};
    result.shapes.count = static_cast<std::uint32_t>(count);
    return result;
}

/// Objects of all placements. Their boxes lie up to `farthest` of their size from their own origin.
std::vector<Object> far_objects(Random& random, const Camera& camera, std::size_t count, double farthest) {
    std::vector<Object> objects = random_objects(random, Kind::box_instance, camera, count, {});
    for (Object& object : objects) {
        auto& f = object.fields;
        double size = 0;
        for (std::size_t k = 0; k < 3; ++k) size += static_cast<double>(f[15 + k] - f[12 + k]);
        const Double3 way = size * random.log_range(1, farthest) * random_direction(random);
        for (std::size_t k = 0; k < 3; ++k) {
            for (const std::size_t corner : {12u, 15u}) {
                f[corner + k] = static_cast<float>(static_cast<double>(f[corner + k]) + way[k]);
            }
        }
        for (std::size_t r = 0; r < 3; ++r) {
            double back = 0;
            for (std::size_t c = 0; c < 3; ++c) back += static_cast<double>(f[4 * r + c]) * way[c];
            f[4 * r + 3] = static_cast<float>(static_cast<double>(f[4 * r + 3]) - back);
        }
    }
    return objects;
}

/// Whatever the layout, the stride and the order of boxes: the same verdicts for the same reasons.
TEST(BoxInstances, InAnyLayout) {
    for (std::uint64_t seed = 0; seed < 9; ++seed) {
        Random random(seed);
        const PreparedCamera prepared = random_prepared_camera(random, all_projections[seed % 9]);
        const std::vector<Object> objects = random_objects(random, Kind::box_instance, prepared.camera, 333, {});
        const Instances base = write_down(objects, {});
        for (const lanecull::Isa isa : runnable_isas()) {
            for (const lanecull::Method method : all_methods) {
                const ViewResult expected = run_cull(base.shapes, prepared.view, {.method = method, .isa = isa});
                EXPECT_EQ(expected.counts[lanecull::Reason::visible_invalid], 0u);
                for (const TransformLayout layout : all_layouts) {
                    for (const std::size_t more : {0u, 1u, 5u}) {
                        const Instances other = write_down(objects, {layout, more, more != 1});
                        EXPECT_EQ(run_cull(other.shapes, prepared.view, {.method = method, .isa = isa}), expected)
                            << "layout " << static_cast<int>(layout) << ", " << more << " floats between";
                    }
                }
            }
        }
    }
}

/// The box that stands for nothing: index out of range, last row other than 0 0 0 1. Neighbours are as they were.
TEST(BoxInstances, IndicesAndLastRows) {
    Random random(4);
    const PreparedCamera prepared = random_prepared_camera(random, Projection::perspective);
    const std::vector<Object> objects = random_objects(random, Kind::box_instance, prepared.camera, 70, {});
    const auto expect_only = [&](std::size_t bad, const Instances& spoilt, const ViewResult& base, lanecull::Isa isa) {
        for (const lanecull::Method method : all_methods) {
            const ViewResult result = run_cull(spoilt.shapes, prepared.view, {.method = method, .isa = isa});
            EXPECT_EQ(result.counts[lanecull::Reason::visible_invalid], 1u) << bad;
            if (method != lanecull::Method::automatic) continue;
            for (std::size_t i = 0; i < objects.size(); ++i) EXPECT_EQ(result.visible(i), i == bad || base.visible(i));
        }
    };
    for (const lanecull::Isa isa : runnable_isas()) {
        const ViewResult base = run_cull(write_down(objects, {}).shapes, prepared.view, {.isa = isa});
        for (std::size_t bad = 0; bad < objects.size(); bad += 3) {
            Instances by_index = write_down(objects, {.by_index = true});
            for (const std::uint32_t index : {140u, 0x7fffffffu, 0x80000000u, ~0u}) {
                by_index.index[bad] = index;
                expect_only(bad, by_index, base, isa);
            }
            for (const TransformLayout layout : {TransformLayout::rows_4x4, TransformLayout::columns_4x4}) {
                Instances in_4x4 = write_down(objects, {.layout = layout});
                const std::size_t column = bad % 4;
                float& number = in_4x4.matrices[16 * bad + number_at(layout, 3, column)];
                for (const float value :
                     {0.5f, -1.0f, std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
                    number = value;
                    expect_only(bad, in_4x4, base, isa);
                }
            }
        }
    }
}

/// Hulls have the same transforms: the same verdicts and bounding spheres from every layout, a last row that is none
/// makes an instance invalid.
TEST(HullInstances, InAnyLayout) {
    for (std::uint64_t seed = 0; seed < 9; ++seed) {
        Random random(700 + seed);
        const PreparedCamera prepared = random_prepared_camera(random, all_projections[seed % 9]);
        const HullSet hulls = random_hulls(random, 4);
        const std::vector<Object> objects = random_objects(random, Kind::hull, prepared.camera, 150, hulls);
        HeapMemory memory;
        auto instances = *make_batch(Kind::hull, objects, hulls, memory, {.bounds = seed % 3 != 0})
                              .get_if<lanecull::HullInstances>();
        const ViewResult expected = run_cull(instances, prepared.view);
        std::vector<float> base(4 * objects.size()), other = base;
        const auto spheres = [&](std::vector<float>& to) {
            float* const s = to.data();
            const std::size_t n = objects.size();
            return bounding_spheres(instances, s, s + n, s + 2 * n, s + 3 * n);
        };
        ASSERT_TRUE(spheres(base));
        for (const TransformLayout layout : all_layouts) {
            Instances written = write_down(objects, {.layout = layout, .more = 3});
            instances.transforms = written.shapes.transforms;
            EXPECT_EQ(run_cull(instances, prepared.view), expected) << static_cast<int>(layout);
            ASSERT_TRUE(spheres(other));
            EXPECT_EQ(other, base);
            if (layout != TransformLayout::rows_4x4 && layout != TransformLayout::columns_4x4) continue;
            written.matrices[19 * 30 + number_at(layout, 3, 2)] = 1e-30f;
            ASSERT_TRUE(spheres(other));
            EXPECT_TRUE(std::isnan(other[3 * objects.size() + 30]));
            lanecull::HullInstances alone = instances;
            alone.bounding_x = alone.bounding_y = alone.bounding_z = alone.bounding_radius = nullptr;
            for (const lanecull::Method method : all_methods) {
                const ViewResult spoilt = run_cull(alone, prepared.view, {.method = method});
                EXPECT_TRUE(spoilt.visible(30));
                EXPECT_GE(spoilt.counts[lanecull::Reason::visible_invalid], 1u);
            }
        }
    }
}

struct Count {
    std::uint64_t visible = 0, culled = 0;
};

/// Culls by every method on every set, and asks exact arithmetic about each object that is culled by any.
void expect_no_false_cull(const BoxInstances& shapes, const Camera& camera, const lanecull::View& view,
                          const std::vector<exact::Solid>& solids, Count& total) {
    const exact::Volume volume(exact_half_spaces_of(camera));
    std::vector<bool> culled(solids.size());
    for (const lanecull::Isa isa : runnable_isas()) {
        for (const lanecull::Method method : all_methods) {
            const ViewResult result = run_cull(shapes, view, {.method = method, .isa = isa});
            for (std::size_t i = 0; i < solids.size(); ++i) culled[i] = culled[i] || !result.visible(i);
        }
    }
    for (std::size_t i = 0; i < solids.size(); ++i) {
        ++(culled[i] ? total.culled : total.visible);
        if (!culled[i]) continue;
        EXPECT_EQ(exact::decide(solids[i], volume).verdict, exact::Verdict::apart) << camera.describe();
    }
}

TEST(BoxInstances, FarFromTheirOwnOrigin) {
    Count total;
    for (int seed = 0; seed < scaled(90); ++seed) {
        Random random(100 + static_cast<std::uint64_t>(seed));
        const PreparedCamera prepared = random_prepared_camera(random, all_projections[seed % 9]);
        const std::vector<Object> objects = far_objects(random, prepared.camera, 60, 1e7);
        const Instances instances = write_down(objects, {.layout = all_layouts[seed % 4]});
        std::vector<exact::Solid> solids;
        for (const Object& object : objects) solids.push_back(exact_solid_of(Kind::box_instance, object, {}));
        expect_no_false_cull(instances.shapes, prepared.camera, prepared.view, solids, total);
    }
    EXPECT_GT(total.culled, total.visible / 4);
}

/// Positions up to 1e9 from zero, relative to an origin nearby. What is compared is the exact sum of translation and
/// position, less the origin.
TEST(BoxInstances, AtPositionsInDoubles) {
    Count total;
    for (int seed = 0; seed < scaled(90); ++seed) {
        Random random(300 + static_cast<std::uint64_t>(seed));
        const PreparedCamera prepared = random_prepared_camera(random, all_projections[seed % 9]);
        std::vector<Object> objects = far_objects(random, prepared.camera, 60, seed % 2 == 0 ? 1.001 : 100);
        const Double3 origin = random.log_range(1, 1e9) * random_direction(random);
        std::vector<double> positions;
        std::vector<exact::Solid> solids;
        for (Object& object : objects) {
            std::array<exact::Rational, 3> by;
            for (std::size_t k = 0; k < 3; ++k) {
                float& t = object.fields[place_field(Kind::box_instance, k)];
                const auto kept = static_cast<float>(random.range(-1, 1) * static_cast<double>(t));
                positions.push_back(origin[k] + static_cast<double>(t) - static_cast<double>(kept));
                by[k] = exact::rational(positions.back()) - exact::rational(origin[k]);
                t = kept;
            }
            exact::Solid solid = exact_solid_of(Kind::box_instance, object, {});
            for (exact::Point& p : solid.points) p = {p.x + by[0], p.y + by[1], p.z + by[2]};
            solids.push_back(solid);
        }
        Instances instances = write_down(objects, {.layout = all_layouts[seed % 4], .by_index = seed % 3 == 0});
        instances.shapes.transforms.positions = {positions.data()};
        for (std::size_t k = 0; k < 3; ++k) instances.shapes.transforms.origin[k] = origin[k];
        expect_no_false_cull(instances.shapes, prepared.camera, prepared.view, solids, total);
    }
    EXPECT_GT(total.culled, total.visible / 4);
}

/// A translation that is given as a position decides all but what is too close to call as it does by itself, however
/// far the two are from zero in doubles. A position that is no number is no object.
TEST(BoxInstances, PositionsInPlaceOfTranslations) {
    std::uint64_t different = 0, all = 0;
    for (int seed = 0; seed < 27; ++seed) {
        Random random(500 + static_cast<std::uint64_t>(seed));
        const PreparedCamera prepared = random_prepared_camera(random, all_projections[seed % 9]);
        std::vector<Object> objects = random_objects(random, Kind::box_instance, prepared.camera, 200, {});
        const ViewResult base = run_cull(write_down(objects, {}).shapes, prepared.view);
        const double origin = std::ldexp(random.sign(), 24);  // most floats here are added to it without rounding
        std::vector<double> positions;
        for (Object& object : objects) {
            for (std::size_t k = 0; k < 3; ++k) {
                float& t = object.fields[place_field(Kind::box_instance, k)];
                positions.push_back(origin + static_cast<double>(t));
                t = 0;
            }
        }
        Instances instances = write_down(objects, {});
        instances.shapes.transforms.positions = {positions.data()};
        for (double& o : instances.shapes.transforms.origin) o = origin;
        const ViewResult result = run_cull(instances.shapes, prepared.view);
        for (std::size_t i = 0; i < objects.size(); ++i) different += result.visible(i) != base.visible(i) ? 1 : 0;
        all += objects.size();
        for (const double none : {std::numeric_limits<double>::quiet_NaN(), HUGE_VAL, -HUGE_VAL, 1e39}) {
            const double before = std::exchange(positions[50], none);
            const ViewResult spoilt = run_cull(instances.shapes, prepared.view);
            EXPECT_EQ(spoilt.counts[lanecull::Reason::visible_invalid], 1u) << none;
            EXPECT_TRUE(spoilt.visible(50 / 3));
            positions[50] = before;
        }
    }
    EXPECT_LE(different, all / 1000);
}

/// How shapes whose own coordinates are far from zero come to be beside a view.
enum class Return {
    none,            ///< the view is there as well
    by_translation,  ///< of a transform that also turns, scales and mirrors
    by_position,     ///< in doubles, of such a transform
};

/// Small shapes beside a cube of side 2 that is the view's volume, no farther from it than some hundredths.
struct FarShapes {
    Double3 center{};  ///< of the volume
    std::vector<Object> objects;
    HullSet hulls;
    std::vector<double> positions;
    Double3 origin{};  ///< of the positions
    std::vector<exact::Solid> solids;
};

/// Any rotation, times a scale that may mirror.
std::array<Double3, 3> random_linear(Random& random) {
    const Double3 x = random_direction(random), across = cross(x, random_direction(random));
    const Double3 y = 1 / length(across) * across, z = cross(x, y);
    const double scale = random.log_range(0.1, 10);
    return {scale * x, random.log_range(0.5, 2) * scale * y, random.sign() * scale * z};
}

/// In a cube of half-size 1, or its corners.
std::vector<Double3> random_points(Random& random, Kind kind) {
    std::vector<Double3> points;
    for (int corner = 0; kind == Kind::box_instance && corner < 8; ++corner) {
        points.push_back({corner & 1 ? 1.0 : -1.0, corner & 2 ? 1.0 : -1.0, corner & 4 ? 1.0 : -1.0});
    }
    // With more vertices than twice the widest registers hold, or fewer than the narrowest, too.
    for (int left = kind == Kind::hull ? 1 + random.below(random.chance(0.2) ? 60 : 20) : 0; left > 0; --left) {
        points.push_back({random.range(-1, 1), random.range(-1, 1), random.range(-1, 1)});
    }
    return points;
}

void add_far_shape(Random& random, Kind kind, const Double3& away, Return how, FarShapes& to) {
    std::array<Double3, 3> columns = {Double3{1, 0, 0}, Double3{0, 1, 0}, Double3{0, 0, 1}};
    if (how != Return::none) columns = random_linear(random);
    const auto transformed = [&](const Double3& p) {
        return p[0] * columns[0] + p[1] * columns[1] + p[2] * columns[2];
    };

    std::vector<Double3> points = random_points(random, kind);
    const double half = random.log_range(0.02, 0.4) / length(columns[0]);
    for (Double3& p : points) p = half * p;
    const auto axis = static_cast<std::size_t>(random.below(3));
    const double side = random.sign();
    double reached = HUGE_VAL;
    for (const Double3& p : points) reached = std::min(reached, side * transformed(p)[axis]);
    Double3 place = to.center + Double3{random.range(-1, 1), random.range(-1, 1), random.range(-1, 1)};
    place[axis] = to.center[axis] + side * (1 + random.sign() * random.log_range(1e-6, 0.03) - reached);

    Object object;
    for (std::size_t k = 0; k < 12; ++k) object.fields[k] = k % 4 == 3 ? 0 : static_cast<float>(columns[k % 4][k / 4]);
    const Double3 translation = place - transformed(away);
    for (std::size_t k = 0; k < 3; ++k) {
        if (how == Return::by_translation) object.fields[4 * k + 3] = static_cast<float>(translation[k]);
        to.positions.push_back(to.origin[k] + (how == Return::by_position ? translation[k] : 0));
    }
    Vertices& vertices = to.hulls.emplace_back();
    for (const Double3& p : points) {
        const Double3 at = p + (how == Return::none ? place : away);
        vertices.push_back({static_cast<float>(at[0]), static_cast<float>(at[1]), static_cast<float>(at[2])});
    }
    object.hull = static_cast<std::uint32_t>(to.hulls.size() - 1);
    for (std::size_t k = 0; kind == Kind::box_instance && k < 3; ++k) {
        object.fields[12 + k] = vertices.front()[k];
        object.fields[15 + k] = vertices.back()[k];
    }
    to.objects.push_back(object);
    exact::Solid solid = exact_solid_of(kind, object, to.hulls);
    std::array<exact::Rational, 3> by;
    for (std::size_t k = 0; k < 3; ++k) {
        by[k] = exact::rational(to.positions[to.positions.size() - 3 + k]) - exact::rational(to.origin[k]);
    }
    for (exact::Point& p : solid.points) p = {p.x + by[0], p.y + by[1], p.z + by[2]};
    to.solids.push_back(solid);
}

FarShapes far_shapes(Random& random, Kind kind, double far, Return how, std::size_t count) {
    FarShapes made;
    Double3 away{};
    for (std::size_t k = 0; k < 3; ++k) {
        away[k] = random.sign() * std::round(far * random.range(0.5, 1));
        made.center[k] = how == Return::none ? away[k] : std::round(random.range(-4, 4));
        made.origin[k] = how == Return::by_position ? random.range(-1e9, 1e9) : 0;
    }
    while (made.objects.size() < count) add_far_shape(random, kind, away, how, made);
    return made;
}

/// The batch by one of the layouts, with positions where there are any.
template <class Shapes>
Shapes with_transforms_of(Shapes shapes, const FarShapes& of, const Instances& written, Return how) {
    shapes.transforms = written.shapes.transforms;
    if (how == Return::by_position) shapes.transforms.positions = {of.positions.data()};
    for (std::size_t k = 0; k < 3; ++k) shapes.transforms.origin[k] = of.origin[k];
    return shapes;
}

/// Objects are culled if they are apart by more than rounding may amount to near the volume, wherever their own
/// coordinates are; and if they are not apart they are not.
void expect_told_as_near_ones(Kind kind, const FarShapes& of, TransformLayout layout, Return how, Count& total) {
    const Instances written = write_down(of.objects, {.layout = layout});
    HeapMemory memory;
    lanecull::Batch batch = make_batch(kind, of.objects, of.hulls, memory, {.bounds = false});
    if (kind == Kind::hull) {
        batch = with_transforms_of(*batch.get_if<lanecull::HullInstances>(), of, written, how);
    } else {
        batch = with_transforms_of(written.shapes, of, written, how);
    }
    std::vector<lanecull::Plane> planes;
    exact::HalfSpaces half_spaces;
    for (std::size_t k = 0; k < 6; ++k) {
        const double side = k < 3 ? 1 : -1;
        lanecull::Plane plane{{0, 0, 0}, 1 - side * of.center[k % 3]};
        plane.normal[k % 3] = side;
        planes.push_back(plane);
        half_spaces.push_back(exact::half_space(plane.normal[0], plane.normal[1], plane.normal[2], plane.offset));
    }
    lanecull::View view;
    ASSERT_TRUE(lanecull::prepare_view_from_planes(planes, view));
    const exact::Volume volume(half_spaces);
    std::vector<exact::Verdict> near, far;
    for (const exact::Solid& solid : of.solids) {
        near.push_back(exact::decide(solid, volume).verdict);
        far.push_back(exact::decide(solid, volume, exact::rational(0x1p-14)).verdict);
        ++(near.back() == exact::Verdict::apart ? total.culled : total.visible);
    }
    for (const lanecull::Isa isa : runnable_isas()) {
        for (const lanecull::Method method : all_methods) {
            const ViewResult result = run_cull(batch, view, {.method = method, .isa = isa});
            EXPECT_EQ(result.counts[lanecull::Reason::visible_invalid], 0u);
            for (std::size_t i = 0; i < of.solids.size(); ++i) {
                const std::string what = describe(kind, of.objects[i], of.hulls) + " by " + lanecull::isa_name(isa) +
                                         ", " + method_name(method);
                // Culled is what is apart; what is apart by more than rounding amounts to there is culled. Planes alone
                // keep what is beside an edge.
                const bool may_stay = method == lanecull::Method::planes || far[i] != exact::Verdict::apart;
                const bool is_right = result.visible(i) ? may_stay : near[i] == exact::Verdict::apart;
                EXPECT_TRUE(is_right) << what << (result.visible(i) ? " stays" : " is culled");
            }
        }
    }
}

void expect_told_from_any_place(Kind kind) {
    Count total;
    for (const double far : {0.0, 1e3, 1e5, 1e6}) {
        for (const Return how : {Return::none, Return::by_translation, Return::by_position}) {
            for (int seed = 0; seed < scaled(12); ++seed) {
                Random random(900 + static_cast<std::uint64_t>(seed));
                const FarShapes shapes = far_shapes(random, kind, far, how, 40);
                SCOPED_TRACE("far " + std::to_string(far) + ", return " + std::to_string(static_cast<int>(how)) +
                             ", seed " + std::to_string(seed));
                expect_told_as_near_ones(kind, shapes, all_layouts[seed % 4], how, total);
            }
        }
    }
    EXPECT_GT(total.culled, total.visible / 4);
    EXPECT_GT(total.visible, total.culled / 4);
}

TEST(BoxInstances, ToldAsExactlyFromAnyPlace) { expect_told_from_any_place(Kind::box_instance); }
TEST(HullInstances, ToldAsExactlyFromAnyPlace) { expect_told_from_any_place(Kind::hull); }

}  // namespace
