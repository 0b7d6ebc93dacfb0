#pragma once

/// Spotlights of which a view may see the balls around them: those whose cones it sees nothing of are culled, by the
/// view's planes and by GJK.

#include <cstdint>

#include "base/rounding_bound.hpp"
#include "cull/gjk.hpp"
#include "cull/refine.hpp"
#include "lanes/frames.hpp"
#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "lanes/vec3w.hpp"
#include "lights/place.hpp"
#include "lights/shape.hpp"
#include "lights/work.hpp"
#include "view/prepared_view.hpp"

namespace lanecull {
namespace {

/// Spotlights that are tested together: copies of their numbers, which lights they are, and where GJK starts.
struct SpotsInTurn {
    static constexpr std::uint32_t room = 2 * lanes;

    alignas(64) float number[8][room];
    alignas(64) float start[3][room];
    std::uint32_t light[room];
    std::uint32_t count = 0;

    LANE_INLINE void add(const Spots& spots, std::uint32_t spot, std::uint32_t light_) {
        const float* const streams[8] = {spots.x,      spots.y,      spots.z,      spots.range,
                                         spots.axis_x, spots.axis_y, spots.axis_z, spots.tangent};
        for (std::uint32_t k = 0; k < 8; ++k) number[k][count] = streams[k][spot];
        light[count++] = light_;
    }
    LANE_INLINE Spots spots(SpotEnd end) const {
        return {number[0], number[1], number[2], number[3], number[4], number[5], number[6], number[7], count, end};
    }
    /// How many of the packet that begins with `first` there are.
    [[nodiscard]] LANE_INLINE std::uint32_t in_packet(std::uint32_t first) const {
        return count <= first ? 0 : count - first < lanes ? count - first : lanes;
    }
};

/// W spotlights, and what the view's planes say of them.
struct SpotsByPlanesW {
    LightShapeW shape;
    MaskW valid, outside, inside;  // inside: the apex is, or the middle of the end
    Vec3W worst;                   // the normal of the plane that they reach least far inside of

    LANE_INLINE SpotsByPlanesW(const PreparedView& view, const LoadedW& spots, SpotEnd end)
        : shape(view.frame, spots.apex, spots.axis, FloatW(0.0f), spots.range, spots.tangent, end),
          valid(spots.valid & (shape.magnitude < FloatW(magnitude_limit))) {
        const FloatW share(LightShapeW::error_factor(view.frame) * view.view_normal_one_norm), zero(0.0f);
        const FloatW out = end == SpotEnd::flat ? shape.range : shape.range * shape.cosine;
        Vec3W middle = plus_times(shape.at, shape.rotation * shape.axis, out);
        FloatW least(magnitude_limit), of_apex = least, of_middle = least;
        worst = broadcast3(view.view_normal[0]);
        for_each_plane(view, [&](std::uint32_t k) LANE_LAMBDA {
            const ViewPlaneW plane(view, k);
            const FloatW distance = plane.distance(shape.support(plane.normal));
            worst = select(distance < least, plane.normal, worst);
            least = min(distance, least);
            of_apex = min(plane.distance(shape.at), of_apex), of_middle = min(plane.distance(middle), of_middle);
        });
        outside = valid & (least < -(share * shape.magnitude));
        inside = mask_of(view.planes_suffice ? all_lanes : 0) & ((of_apex >= zero) | (of_middle >= zero));
    }
};

/// Clears the bits of the spotlights that the view sees nothing of.
class UnseenSpots {
public:
    LANE_INLINE explicit UnseenSpots(const SeenSpots& work)
        : work_(work), view_(*work.view), end_(work.spots->end), axes_(view_.frame) {}

    LANE_INLINE void run() {
        const std::uint32_t end = work_.first_light + work_.count;
        for (std::uint32_t light = work_.first_light; light < end; light = (light | 63) + 1) {
            std::uint64_t rest = work_.visible[light / 64] >> light % 64 << light % 64;
            if (end / 64 == light / 64) rest &= (std::uint64_t{1} << end % 64) - 1;
            for (; rest != 0; rest &= rest - 1) {
                const std::uint32_t seen = light / 64 * 64 + static_cast<std::uint32_t>(__builtin_ctzll(rest));
                waiting_.add(*work_.spots, work_.first + (seen - work_.first_light), seen);
                if (waiting_.count == SpotsInTurn::room) test_planes();
            }
        }
        test_planes();
        separate_undecided();
    }

private:
    LANE_INLINE void clear(std::uint32_t light) { work_.visible[light / 64] &= ~(std::uint64_t{1} << light % 64); }
    LANE_INLINE LoadedW loaded(const SpotsInTurn& from, std::uint32_t first) const {
        const std::uint32_t n = from.in_packet(first);
        return load_spots(from.spots(end_), axes_, n > 0 ? first : 0, n > 0 ? n : 1);
    }

    void test_planes() {
        for (std::uint32_t first = 0; first < waiting_.count; first += lanes) {
            const SpotsByPlanesW spots(view_, loaded(waiting_, first), end_);
            const std::uint32_t n = waiting_.in_packet(first), outside = bits(spots.outside);
            const std::uint32_t undecided = bits(spots.valid & ~spots.outside & ~spots.inside);
            alignas(64) float start[3][lanes];
            store(start[0], spots.worst.x), store(start[1], spots.worst.y), store(start[2], spots.worst.z);
            for (std::uint32_t lane = 0; lane < n; ++lane) {
                const std::uint32_t light = waiting_.light[first + lane];
                if (outside >> lane & 1) clear(light);
                if (!(undecided >> lane & 1) || view_.volume == VolumeKind::planes_only) continue;
                for (std::uint32_t k = 0; k < 3; ++k) undecided_.start[k][undecided_.count] = start[k][lane];
                undecided_.add(waiting_.spots(end_), first + lane, light);
                if (undecided_.count == SpotsInTurn::room) separate_undecided();
            }
        }
        waiting_.count = 0;
    }

    LANE_INLINE LightShapeW shape(const LoadedW& spots) const {
        return {view_.frame, spots.apex, spots.axis, FloatW(0.0f), spots.range, spots.tangent, end_};
    }
    LANE_INLINE QueryW<LightShapeW> query(const LightShapeW& shape, std::uint32_t first) const {
        const auto& start = undecided_.start;
        return {shape,
                {load(start[0] + first), load(start[1] + first), load(start[2] + first)},
                mask_of((1u << undecided_.in_packet(first)) - 1u)};
    }

    [[gnu::noinline]] void separate_undecided() {
        if (undecided_.count == 0) return;
        const LightShapeW shapes[2] = {shape(loaded(undecided_, 0)), shape(loaded(undecided_, lanes))};
        SeparatedW separated[2];
        NotTraced* const untraced = nullptr;
        separate_from<AnyVolumeW>(view_, query(shapes[0], 0), query(shapes[1], lanes), separated, untraced);
        const std::uint32_t apart = bits(separated[0].apart) | bits(separated[1].apart) << lanes;
        for (std::uint32_t i = 0; i < undecided_.count; ++i) {
            if (apart >> i & 1) clear(undecided_.light[i]);
        }
        undecided_.count = 0;
    }

    const SeenSpots& work_;
    const PreparedView& view_;
    SpotEnd end_;
    FrameAxesW axes_;
    SpotsInTurn waiting_, undecided_;
};

}  // namespace
}  // namespace lanecull
