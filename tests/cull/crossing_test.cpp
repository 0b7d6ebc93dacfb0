#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "support/culling.hpp"
#include "support/generate.hpp"
#include "view/prepared_view.hpp"

/// Method::planes. Stage 1 tests spheres by side slabs, among candidates by planes. Verdicts must be the same, also of
/// spheres that reach a plane by as little as floats allow, and whatever else is in their chunk.

namespace {

using lanecull::Isa;

class Crossing : public testing::TestWithParam<std::tuple<Isa, Projection>> {
protected:
    static constexpr std::size_t count = 4'096, piece = 64;

    const Isa isa_ = std::get<0>(GetParam());
    const Projection projection_ = std::get<1>(GetParam());

    struct Answer {
        std::vector<std::uint64_t> visible;
        lanecull::Counts counts;
    };

    [[nodiscard]] Answer cull(const lanecull::View& view, std::span<const Object> objects, bool candidates) const {
        HeapMemory memory;
        const lanecull::Batch batch = make_batch(Kind::sphere, objects, {}, memory, {});
        Answer answer{std::vector<std::uint64_t>((objects.size() + 63) / 64), {}};
        const std::vector<std::uint64_t> all(answer.visible.size(), ~std::uint64_t{0});
        lanecull::Explanation why;
        lanecull::Output output = make_output(answer.visible);
        output.explanation = &why;
        if (candidates) output.candidates = all;
        std::vector<std::byte> scratch(lanecull::scratch_bytes({&batch, 1}, 1));
        const lanecull::CullOptions options{.method = lanecull::Method::planes, .isa = isa_};
        const lanecull::Status status = lanecull::cull({&batch, 1}, {&view, 1}, {&output, 1}, scratch, options);
        EXPECT_TRUE(status.ok()) << status.message();
        answer.counts = why.counts;
        return answer;
    }

    /// Near a side, and where it is outside as large as it is far away, up to a step of a float's or a tenth.
    static Object touching(Random& random, const PreparedCamera& prepared) {
        Object object = random_object(random, Kind::sphere, prepared.camera, Placement::facet, {});
        const lanecull::PreparedView& view = contents_of(prepared.view);
        double least = 0;
        for (std::uint32_t k = 0; k < view.plane_count; ++k) {
            double distance = static_cast<double>(view.offset[k]);
            for (std::size_t j = 0; j < 3; ++j) {
                distance += static_cast<double>(view.normal[k][j]) *
                            (static_cast<double>(object.fields[j]) - static_cast<double>(view.frame.origin_hi[j]));
            }
            least = std::min(least, distance);
        }
        const double by = random.log_range(1e-8, 0.1) * (random.chance(0.5) ? 1 : -1);
        if (least < 0) object.fields[3] = static_cast<float>(-least * (1 + by));
        return object;
    }
};

TEST_P(Crossing, VerdictsAreThoseOfPlanes) {
    Random random(20'261'127 + static_cast<std::uint64_t>(projection_));
    std::uint64_t by_slabs = 0, culled = 0, kept = 0;
    for (int round = 0; round < 12; ++round) {
        const PreparedCamera prepared = random_prepared_camera(random, projection_);
        std::vector<Object> objects;
        for (std::size_t i = 0; i < count; ++i) objects.push_back(touching(random, prepared));
        const Answer whole = cull(prepared.view, objects, false), planes = cull(prepared.view, objects, true);
        by_slabs += contents_of(prepared.view).sides.known;
        lanecull::Counts sum;
        for (std::size_t first = 0; first < count; first += piece) {
            const Answer few = cull(prepared.view, std::span(objects).subspan(first, piece), false);
            EXPECT_EQ(few.visible[0], whole.visible[first / 64]) << prepared.camera.describe();
            sum += few.counts;
        }
        EXPECT_EQ(planes.visible, whole.visible) << prepared.camera.describe();
        EXPECT_EQ(sum[lanecull::Reason::culled_plane], whole.counts[lanecull::Reason::culled_plane]);
        EXPECT_EQ(sum[lanecull::Reason::visible_planes], whole.counts[lanecull::Reason::visible_planes]);
        EXPECT_EQ(planes.counts[lanecull::Reason::visible_planes], whole.counts[lanecull::Reason::visible_planes]);
        expect_complete(whole.counts, count);
        culled += whole.counts[lanecull::Reason::culled_plane];
        kept += whole.counts[lanecull::Reason::visible_planes];
    }
    EXPECT_GT(culled, 2'000u);
    EXPECT_GT(kept, 2'000u);
    const bool has_slabs = projection_ != Projection::orthographic && projection_ != Projection::oblique &&
                           projection_ != Projection::sheared;
    EXPECT_EQ(by_slabs > 6, has_slabs) << by_slabs;
}

std::string parameter_name(const testing::TestParamInfo<Crossing::ParamType>& info) {
    return isa_label(std::get<0>(info.param)) + "_" + projection_name(std::get<1>(info.param));
}

INSTANTIATE_TEST_SUITE_P(All, Crossing,
                         testing::Combine(testing::ValuesIn(runnable_isas().begin(), runnable_isas().end()),
                                          testing::ValuesIn(all_projections)),
                         parameter_name);

}  // namespace
