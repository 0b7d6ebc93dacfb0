#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "support/culling.hpp"
#include "support/generate.hpp"
#include "support/scale.hpp"

/// Invalid records are visible and counted as invalid in any lane, and do not change the verdicts of their neighbours.
/// Also tests valid records whose numbers are near the ends of the float range.

namespace {

using lanecull::Isa;
using lanecull::Method;

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float nan_value = std::numeric_limits<float>::quiet_NaN();

class Invalid : public testing::TestWithParam<std::tuple<Isa, Kind, Method>> {
protected:
    const Isa isa_ = std::get<0>(GetParam());
    const Kind kind_ = std::get<1>(GetParam());
    const Method method_ = std::get<2>(GetParam());
    const std::size_t count_ = 2 * lanecull::isa_lanes(isa_) + 1;

    void SetUp() override {
        Random random(17);
        PreparedCamera prepared = random_prepared_camera(random, Projection::perspective);
        view_ = prepared.view;
        hulls_ = random_hulls(random, 3);
        // All culled, so that being visible means something, and by every stage, so that every stage meets the bad one.
        while (objects_.size() < count_) {
            const Placement placement = all_placements[objects_.size() % std::size(all_placements)];
            const Object object = random_object(random, kind_, prepared.camera, placement, hulls_);
            const std::span<const Object> alone(&object, 1);
            HeapMemory memory;
            const ViewResult result = run_cull(make_batch(kind_, alone, hulls_, memory), view_, {.isa = isa_});
            if (result.visible_count == 0) objects_.push_back(object);
        }
        base_ = cull_objects(objects_, true);
    }

    [[nodiscard]] ViewResult cull_objects(std::span<const Object> objects, bool bounds,
                                          const Streams& streams = {}) const {
        HeapMemory memory;
        const lanecull::Batch batch =
            make_batch(kind_, objects, hulls_, memory, {.bounds = bounds, .streams = streams});
        return run_cull(batch, view_, {.method = method_, .isa = isa_});
    }

    /// Lets `spoil` have its way with one object after the other.
    template <class Spoil>
    void expect_visible_when(const Spoil& spoil) const {
        for (std::size_t bad = 0; bad < count_; ++bad) {
            for (const bool bounds : {true, false}) {
                std::vector<Object> objects = objects_;
                spoil(objects[bad]);
                const ViewResult result = cull_objects(objects, bounds);
                ASSERT_TRUE(result.visible(bad)) << "object " << bad << describe(kind_, objects[bad], hulls_);
                ASSERT_EQ(result.counts[lanecull::Reason::visible_invalid], 1u)
                    << describe(kind_, objects[bad], hulls_);
                for (std::size_t i = 0; i < count_; ++i) {
                    if (i != bad) {
                        ASSERT_EQ(result.visible(i), base_.visible(i)) << "neighbour " << i << " of " << bad;
                    }
                }
            }
        }
    }

    /// Lets `spoil` have its way with the attributes of one object after the other, all streams being there, and calls
    /// `check` with what came of it.
    template <class Spoil, class Check>
    void spoil_attributes(const Spoil& spoil, const Check& check) const {
        const ViewResult sound = cull_objects(objects_, true, Streams::all());
        ASSERT_EQ(sound.counts[lanecull::Reason::visible_invalid], 0u);
        for (std::size_t bad = 0; bad < count_; ++bad) {
            for (const bool bounds : {true, false}) {
                std::vector<Object> objects = objects_;
                spoil(objects[bad]);
                SCOPED_TRACE("object " + std::to_string(bad) + describe(kind_, objects[bad], hulls_));
                const ViewResult result = cull_objects(objects, bounds, Streams::all());
                check(result, bad);
                expect_complete(result.counts, count_);
                for (std::size_t i = 0; i < count_; ++i) {
                    if (i != bad) {
                        ASSERT_EQ(result.visible(i), sound.visible(i)) << "neighbour " << i;
                    }
                }
                if (testing::Test::HasFailure()) return;
            }
        }
    }

    template <class Spoil>
    void expect_invalid_when(const Spoil& spoil) const {
        spoil_attributes(spoil, [](const ViewResult& result, std::size_t bad) {
            EXPECT_TRUE(result.visible(bad));
            EXPECT_EQ(result.counts[lanecull::Reason::visible_invalid], 1u);
        });
    }

    lanecull::View view_;
    HullSet hulls_;
    std::vector<Object> objects_;
    ViewResult base_;
};

TEST_P(Invalid, AttributesThatAreNone) {
    for (const float value : {nan_value, infinity, -infinity, -1.0f, -1e-45f, 1e38f}) {
        expect_invalid_when([&](Object& object) { object.margin = value; });
    }
    for (std::size_t k = 0; k < 3; ++k) {
        for (const float value : {nan_value, infinity, -infinity, -1e38f}) {
            expect_invalid_when([&](Object& object) { object.sweep[k] = value; });
        }
    }
    for (const float value : {nan_value, -nan_value, -infinity, -1.0f, -1e-45f}) {
        expect_invalid_when([&](Object& object) { object.max_distance = value; });
        expect_invalid_when([&](Object& object) { object.min_projected_size = value; });
        expect_invalid_when([&](Object& object) { object.min_distance = value; });
    }
    expect_invalid_when([&](Object& object) {
        object.margin = object.max_distance = object.min_distance = object.min_projected_size = nan_value;
        object.flags = lanecull::object_always_visible;
        object.fields.fill(nan_value);
    });
}

/// An object that is no shape, or whose shape and growth together are beyond all floats, is not judged by its distance.
TEST_P(Invalid, ShapesWithLimits) {
    const std::size_t place = place_field(kind_, 0);
    for (const float value : {nan_value, infinity, 3e38f}) {
        expect_invalid_when([&](Object& object) {
            object.fields[place] = value;
            object.max_distance = 1e-30f;
            object.min_projected_size = 1e30f;
        });
        expect_invalid_when([&](Object& object) {
            object.fields[place] = value;
            object.min_distance = infinity;
        });
    }
}

TEST_P(Invalid, AttributesOfObjectsThatAreLeftOut) {
    const auto spoil = [](Object& object) { object.margin = object.sweep[1] = object.max_distance = nan_value; };
    spoil_attributes(
        [&](Object& object) {
            spoil(object);
            object.flags = lanecull::object_disabled | lanecull::object_always_visible;
        },
        [](const ViewResult& result, std::size_t bad) {
            EXPECT_FALSE(result.visible(bad));
            EXPECT_EQ(result.counts[lanecull::Reason::culled_disabled], 1u);
            EXPECT_EQ(result.counts[lanecull::Reason::visible_invalid], 0u);
        });
    spoil_attributes(
        [&](Object& object) {
            spoil(object);
            object.layers = 0;
            object.flags = lanecull::object_always_visible;
        },
        [](const ViewResult& result, std::size_t bad) {
            EXPECT_FALSE(result.visible(bad));
            EXPECT_EQ(result.counts[lanecull::Reason::culled_layer], 1u);
            EXPECT_EQ(result.counts[lanecull::Reason::visible_invalid], 0u);
        });
}

TEST_P(Invalid, LimitsThatSayNothingAreValid) {
    const auto untouched = [&](const ViewResult& result, std::size_t) {
        EXPECT_EQ(result.counts[lanecull::Reason::visible_invalid], 0u);
    };
    for (const float zero : {0.0f, -0.0f}) {
        spoil_attributes(
            [&](Object& object) { object.margin = object.min_projected_size = object.min_distance = zero; }, untouched);
        spoil_attributes([&](Object& object) { object.sweep.fill(zero), object.max_distance = zero; }, untouched);
    }
}

TEST_P(Invalid, NotFiniteInAnyField) {
    EXPECT_EQ(base_.counts[lanecull::Reason::visible_invalid], 0u);
    for (std::size_t field = 0; field < field_count(kind_); ++field) {
        for (const float value : {nan_value, -nan_value, infinity, -infinity}) {
            SCOPED_TRACE("field " + std::to_string(field) + " = " + std::to_string(value));
            expect_visible_when([&](Object& object) { object.fields[field] = value; });
        }
    }
}

/// Infinite minimum and maximum of one sign, or of both: differences become NaN, comparisons stay true.
TEST_P(Invalid, NotFiniteInSeveralFields) {
    for (const float value : {nan_value, infinity, -infinity}) {
        expect_visible_when([&](Object& object) { object.fields.fill(value); });
    }
    expect_visible_when([&](Object& object) {
        for (std::size_t k = 0; k < field_count(kind_); ++k)
            object.fields[k] = k < field_count(kind_) / 2 ? -infinity : infinity;
    });
}

TEST_P(Invalid, NotAShape) {
    constexpr float least = std::numeric_limits<float>::denorm_min();
    switch (kind_) {
        case Kind::sphere:
            for (const float radius : {-1.0f, -least, -3e38f}) {
                expect_visible_when([&](Object& object) { object.fields[3] = radius; });
            }
            break;
        case Kind::box:
            for (std::size_t k = 0; k < 3; ++k) {
                expect_visible_when(
                    [&](Object& object) { object.fields[k] = std::nextafter(object.fields[k + 3], infinity); });
                expect_visible_when([&](Object& object) { object.fields[k] = 3e38f, object.fields[k + 3] = -3e38f; });
            }
            break;
        case Kind::centered_box:
        case Kind::oriented_box:
            for (std::size_t k = 0; k < 3; ++k) {
                const std::size_t field = (kind_ == Kind::centered_box ? 3 : 12) + k;
                for (const float half : {-1.0f, -least, -3e38f}) {
                    expect_visible_when([&](Object& object) { object.fields[field] = half; });
                }
            }
            break;
        case Kind::capsule:
            for (const float radius : {-1.0f, -least, -3e38f}) {
                expect_visible_when([&](Object& object) { object.fields[6] = radius; });
            }
            break;
        case Kind::hull:
            break;  // IndicesAndBounds has the indices
        case Kind::quaternion_box:
            for (std::size_t k = 0; k < 3; ++k) {
                for (const float half : {-1.0f, -least, -3e38f}) {
                    expect_visible_when([&](Object& object) { object.fields[7 + k] = half; });
                }
            }
            for (const float component : {0.0f, least, -1e-20f, 1e20f, 3e38f}) {
                expect_visible_when([&](Object& object) { std::fill_n(object.fields.begin() + 3, 4, component); });
            }
            break;
        case Kind::box_instance:
            for (std::size_t k = 12; k < 15; ++k) {
                expect_visible_when([&](Object& object) { object.fields[3 + k] = object.fields[k] - 1; });
                expect_visible_when([&](Object& object) { object.fields[k] = 3e38f, object.fields[3 + k] = -3e38f; });
            }
            break;
    }
}

TEST_P(Invalid, ZeroOfEitherSignIsAShape) {
    for (const float zero : {0.0f, -0.0f}) {
        std::vector<Object> objects = objects_;
        const std::size_t sizes = kind_ == Kind::sphere           ? 3
                                  : kind_ == Kind::capsule        ? 6
                                  : kind_ == Kind::oriented_box   ? 12
                                  : kind_ == Kind::quaternion_box ? 7
                                                                  : 3;
        if (has_transform(kind_) || kind_ == Kind::box) return;  // have no sizes
        for (Object& object : objects) {
            for (std::size_t field = sizes; field < field_count(kind_); ++field) object.fields[field] = zero;
        }
        EXPECT_EQ(cull_objects(objects, true).counts[lanecull::Reason::visible_invalid], 0u);
    }
}

std::string parameter_name(const testing::TestParamInfo<Invalid::ParamType>& info) {
    return isa_label(std::get<0>(info.param)) + "_" + kind_name(std::get<1>(info.param)) + "_" +
           method_name(std::get<2>(info.param));
}

INSTANTIATE_TEST_SUITE_P(All, Invalid,
                         testing::Combine(testing::ValuesIn(runnable_isas().begin(), runnable_isas().end()),
                                          testing::ValuesIn(all_kinds), testing::ValuesIn(all_methods)),
                         parameter_name);

/// An index out of range is visible and counted. A spoilt bounding sphere of a good instance is as if there were none.
TEST(InvalidStreams, IndicesAndBounds) {
    Random random(3);
    const PreparedCamera prepared = random_prepared_camera(random, Projection::perspective);
    const HullSet hulls = random_hulls(random, 3);
    for (const Isa isa : runnable_isas()) {
        const std::size_t count = 2 * lanecull::isa_lanes(isa) + 1;
        HeapMemory memory;
        const auto objects = random_objects(random, Kind::hull, prepared.camera, count, hulls);
        const auto with_bounds = *make_batch(Kind::hull, objects, hulls, memory).get_if<lanecull::HullInstances>();
        lanecull::HullInstances no_bounds = with_bounds;
        no_bounds.bounding_x = no_bounds.bounding_y = no_bounds.bounding_z = no_bounds.bounding_radius = nullptr;
        const ViewResult base = run_cull(no_bounds, prepared.view, {.isa = isa});
        ASSERT_TRUE(run_cull(with_bounds, prepared.view, {.isa = isa}).words == base.words);
        for (std::size_t bad = 0; bad < count; ++bad) {
            for (const std::uint32_t index : {3u, 0x7fffffffu, 0x80000000u, ~0u}) {
                std::vector<std::uint32_t> indices(no_bounds.hull_index, no_bounds.hull_index + count);
                indices[bad] = index;
                lanecull::HullInstances spoilt = no_bounds;
                spoilt.hull_index = indices.data();
                const ViewResult result = run_cull(spoilt, prepared.view, {.isa = isa});
                EXPECT_EQ(result.counts[lanecull::Reason::visible_invalid], 1u) << bad;
                for (std::size_t i = 0; i < count; ++i) EXPECT_EQ(result.visible(i), i == bad || base.visible(i));
            }
            using Stream = const float* lanecull::HullInstances::*;
            for (const Stream stream :
                 {&lanecull::HullInstances::bounding_x, &lanecull::HullInstances::bounding_y,
                  &lanecull::HullInstances::bounding_z, &lanecull::HullInstances::bounding_radius}) {
                for (const float value : {nan_value, infinity}) {
                    std::vector<float> values(with_bounds.*stream, with_bounds.*stream + count);
                    values[bad] = value;
                    lanecull::HullInstances spoilt = with_bounds;
                    spoilt.*stream = values.data();
                    EXPECT_EQ(run_cull(spoilt, prepared.view, {.isa = isa}).words, base.words) << bad;
                }
            }
        }
    }
}

/// An endless view along the axes: all but one component of each row is 0, and nothing lies too deep. Balls infinitely
/// far away, or too far for floats, are taken for none all the same.
TEST(InvalidPlaces, InEndlessViewsAlongTheAxes) {
    for (const double forward : {1.8, -1.8}) {
        for (const double origin : {0.0, 180.0}) {
            const double rows[16] = {14, 0, 0, 0, 0, 34, 0, 0, 0, 0, 0, 18, 0, 0, forward, 0};
            const lanecull::ClipSpace clip_space{.layout = lanecull::MatrixLayout::row_major,
                                                 .origin = {origin, origin, origin}};
            lanecull::View view;
            ASSERT_TRUE(lanecull::prepare_view(rows, clip_space, view).ok());
            for (const float far : {infinity, -infinity, 1e38f, -1e38f}) {
                for (std::size_t axis = 0; axis < 4; ++axis) {
                    if (axis == 3 && far != infinity) continue;  // a negative radius, or one that may be
                    std::vector<float> numbers[4];
                    for (std::size_t k = 0; k < 4; ++k) {
                        const auto place = static_cast<float>(k == 2 ? origin + 30 / forward : origin);
                        numbers[k].assign(129, k == axis ? far : k == 3 ? 1.0f : place);
                    }
                    const lanecull::Spheres spheres{numbers[0].data(), numbers[1].data(), numbers[2].data(),
                                                    numbers[3].data(), 129};
                    for (const Isa isa : runnable_isas()) {
                        const ViewResult result = run_cull(spheres, view, {.isa = isa});
                        EXPECT_EQ(result.visible_count, 129u) << far << " as number " << axis;
                        EXPECT_EQ(result.counts[lanecull::Reason::visible_invalid], 129u)
                            << far << " as number " << axis;
                    }
                }
            }
        }
    }
}

/// Finite numbers of any size, subnormal to 3e38, some of them in one object: results overflow and underflow on the
/// way, and nothing visible may be culled for it.
class Extremes : public testing::TestWithParam<Kind> {};

float any_float(Random& random, double least, double most) {
    return static_cast<float>(random.sign() * random.log_range(least, most));
}

Object extreme_object(Random& random, Kind kind, const HullSet& hulls) {
    Object object;
    const double scale = random.log_range(1e-44, 3e38);
    for (float& field : object.fields) {
        const double most = random.chance(0.3) ? 3e38 : scale;
        field = random.chance(0.1) ? 0 : any_float(random, std::min(1e-45, most), most);
    }
    const auto make_positive = [&](std::size_t first, std::size_t count) {
        for (std::size_t k = first; k < first + count; ++k) object.fields[k] = std::fabs(object.fields[k]);
    };
    switch (kind) {
        case Kind::sphere:
            make_positive(3, 1);
            break;
        case Kind::box:
        case Kind::box_instance:
            for (std::size_t k = *corner_fields(kind); k < *corner_fields(kind) + 3; ++k) {
                if (object.fields[k] > object.fields[k + 3]) std::swap(object.fields[k], object.fields[k + 3]);
            }
            break;
        case Kind::centered_box:
            make_positive(3, 3);
            break;
        case Kind::oriented_box:
            make_positive(12, 3);
            break;
        case Kind::capsule:
            make_positive(6, 1);
            break;
        case Kind::hull:
            object.hull = static_cast<std::uint32_t>(random.below(static_cast<int>(hulls.size())));
            break;
        case Kind::quaternion_box: {
            const double length = random.log_range(1e-17, 1e17);
            for (std::size_t k = 3; k < 7; ++k) object.fields[k] = any_float(random, 0.1 * length, length);
            make_positive(7, 3);
            break;
        }
    }
    return object;
}

HullSet extreme_hulls(Random& random) {
    HullSet hulls = random_hulls(random, 8);
    for (Vertices& vertices : hulls) {
        const double scale = random.log_range(1e-44, 3e37);
        for (auto& vertex : vertices) {
            for (float& component : vertex) component = static_cast<float>(scale * static_cast<double>(component));
        }
    }
    return hulls;
}

TEST_P(Extremes, AreNeverCulledWrongly) {
    const Kind kind = GetParam();
    Random random(99 + static_cast<std::uint64_t>(kind));
    int visible = 0, apart = 0, total = 0;
    const int frames = std::max(scaled(60), 12);  // of fewer cameras chance may find none that sees anything
    for (int frame = 0; frame < frames; ++frame) {
        const PreparedCamera prepared = random_prepared_camera(random, all_projections[frame % 9]);
        const oracle::Volume volume = prepared.camera.volume();
        const HullSet hulls = extreme_hulls(random);
        std::vector<Object> objects;
        std::vector<oracle::Verdict> verdicts;
        for (int i = 0; i < 200; ++i) {
            objects.push_back(extreme_object(random, kind, hulls));
            verdicts.push_back(volume.decide(solid_of(kind, objects.back(), hulls)).verdict);
            visible += verdicts.back() == oracle::Verdict::visible;
            apart += verdicts.back() == oracle::Verdict::apart;
            ++total;
        }
        HeapMemory memory;
        const lanecull::Batch batch = make_batch(kind, objects, hulls, memory, {.bounds = frame % 2 == 0});
        for (const Isa isa : runnable_isas()) {
            for (const Method method : all_methods) {
                const ViewResult result = run_cull(batch, prepared.view, {.method = method, .isa = isa});
                for (std::size_t i = 0; i < objects.size(); ++i) {
                    ASSERT_TRUE(verdicts[i] != oracle::Verdict::visible || result.visible(i))
                        << lanecull::isa_name(isa) << " " << method_name(method) << "\n"
                        << prepared.camera.describe() << "\n"
                        << describe(kind, objects[i], hulls);
                }
            }
        }
    }
    // The rest is beyond the oracle: its roundings are relative to coordinates of up to 3e38.
    // Of few objects chance may find less: three standard deviations are allowed.
    const double least = total / 20.0 - 3 * std::sqrt(total / 20.0);
    EXPECT_GT(visible, least);
    EXPECT_GT(apart, least);
    EXPECT_GT(visible + apart, total / 2);
}

INSTANTIATE_TEST_SUITE_P(All, Extremes, testing::ValuesIn(all_kinds),
                         [](const auto& parameter) { return std::string(kind_name(parameter.param)); });

}  // namespace
