#pragma once

#include "cull/measure_ordered.hpp"
#include "cull/occluder_choice.hpp"
#include "scene/camera.hpp"
#include "scene/scene.hpp"

namespace lanecull::program {

struct MeasureOptions {
    Isa isa = Isa::automatic;
    int threads = 0;  ///< 0: all that oneTBB finds; 1: the calling thread alone
    /// Whose verdicts are kept; unset: the frame with the most false positives of the six-plane test.
    std::optional<std::size_t> picked_frame = {};
    bool ordered = false;  ///< an ordered scene's time beside the flat batches'
    std::optional<OccluderSettings> occluders = {};
    bool all_solids = true;  ///< count what all solids hide, too: OccluderPass::hidden_by_all
    bool quiet = false;
};

/// What cull() did in all frames.
struct MethodPass {
    std::vector<double> seconds;               ///< of cull() alone, frame by frame
    std::vector<std::uint64_t> frame_visible;  ///< objects, frame by frame
    std::vector<std::uint64_t> group_visible;  ///< summed over the frames, group by group
    Counts counts;                             ///< summed over the frames
};

/// What occluders add to a pass.
struct OccluderPass {
    std::size_t most = 0, solids = 0;    ///< how many a frame may have; how many there are to choose from
    MethodPass without;                  ///< the same frames without occluders
    std::vector<double> choose_seconds;  ///< of choosing and preparing them, frame by frame
    std::uint64_t chosen = 0;            ///< summed over the frames
    /// Objects hidden by some solid box of the scene, each box alone, summed over the frames.
    std::uint64_t hidden_by_all = 0;

    // Of the frame whose verdicts are kept.
    std::vector<BoxEdges> picked_boxes;
    std::vector<std::uint64_t> picked_without;  ///< bits of what is visible without occluders
};

struct Measurement {
    Isa isa{};        ///< what ran
    int threads = 1;  ///< that took part at most
    MethodPass pass;  ///< with occluders where there are to be some
    std::optional<OccluderPass> occluders;
    /// Objects that the six-plane test kept and `pass`, without occluders, culled: summed over the frames, group by
    /// group, and frame by frame. Six planes are not timed here, but in bench/.
    std::vector<std::uint64_t> group_false_positives, frame_false_positives;
    std::optional<OrderedPass> ordered;  ///< the same frames, if there is to be an ordered scene

    std::size_t picked_frame = 0;
    std::vector<std::uint64_t> picked_visible;  ///< that frame's bits by `pass`
    std::vector<std::uint64_t> picked_planes;   ///< and by the six-plane test

    [[nodiscard]] std::size_t frames() const { return pass.seconds.size(); }
    /// Objects that occluders hide, summed over the frames.
    [[nodiscard]] std::uint64_t hidden() const {
        return occluders ? occluders->without.counts.visible() - pass.counts.visible() : 0;
    }
};

/// Culls every frame of the path and compares with six planes, after a warm-up. With occluders, frames are culled
/// without them as well, and once more with all solid boxes of the scene.
[[nodiscard]] Measurement measure(const Scene& scene, const CameraPath& path, const MeasureOptions& options);

/// An object that the six-plane test keeps and cull() culls.
struct KeptByPlanes {
    std::uint64_t object;  ///< its number through all groups
    ObjectPlace place;
    Certificate certificate;  ///< of cull()
};

/// Those of a frame, without occluders. The first is the worst: its gap to the view's volume, which the certificate
/// proves, is the largest.
[[nodiscard]] std::vector<KeptByPlanes> kept_by_planes(const Scene& scene, const Camera& camera, Isa isa);

}  // namespace lanecull::program
