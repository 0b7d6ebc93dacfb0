#pragma once

#include <lanecull/cull.h>
#include <lanecull/library.h>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "cull/measure_ordered.hpp"
#include "cull/occluder_choice.hpp"
#include "scene/camera.hpp"
#include "scene/scene.hpp"

namespace lanecull::program {

class Trace;

struct MeasureOptions {
    Method method = Method::automatic;
    Isa isa = Isa::automatic;
    int threads = 0;  ///< 0: all that oneTBB finds; 1: the calling thread alone
    /// Whose verdicts are kept; unset: the frame with the most false positives of the six-plane test.
    std::optional<std::size_t> picked_frame;
    bool ordered = false;  ///< an ordered scene's time beside the flat batches'
    std::optional<OccluderSettings> occluders;
    Trace* trace = nullptr;  ///< receives the frames' culls, of all methods
    bool quiet = false;
};

/// One method over all frames.
struct MethodPass {
    Method method{};
    std::vector<double> seconds;               ///< of cull() alone, frame by frame
    std::vector<std::uint64_t> frame_visible;  ///< objects, frame by frame
    std::vector<std::uint64_t> group_visible;  ///< summed over the frames, group by group
    Counts counts;                             ///< summed over the frames
};

/// What occluders add to a pass.
struct OccluderPass {
    std::size_t most = 0, solids = 0;    ///< how many a frame may have; how many there are to choose from
    MethodPass without;                  ///< the same method over the same frames, without occluders
    std::vector<double> choose_seconds;  ///< of choosing and preparing them, frame by frame
    std::vector<std::size_t> frame_chosen;
    /// Objects hidden by some solid box of the scene, each box alone, summed over the frames.
    std::uint64_t hidden_by_all = 0;

    // Of the frame whose verdicts are kept.
    std::vector<BoxEdges> picked_boxes;
    std::vector<std::uint64_t> picked_without;  ///< bits of what is visible without occluders
};

struct Measurement {
    Isa isa{};        ///< what ran
    int threads = 1;  ///< that took part at most
    MethodPass pass;  ///< the method asked for, with occluders where asked for
    std::optional<OccluderPass> occluders;
    /// Whether six planes were compared: not when they were asked for alone. Only their verdicts are, since nobody
    /// culls by planes with this library to save time; bench/ has the time of a six-plane test.
    bool has_planes = false;
    /// Objects that the six-plane test kept and `pass`, without occluders, culled, summed over the frames, group by
    /// group.
    std::vector<std::uint64_t> group_false_positives;
    std::vector<std::uint64_t> frame_false_positives;

    std::optional<OrderedPass> ordered;  ///< the same frames, where asked for

    std::size_t picked_frame = 0;
    std::vector<std::uint64_t> picked_visible;  ///< that frame's bits by `pass`
    std::vector<std::uint64_t> picked_planes;   ///< and by the six-plane test

    [[nodiscard]] std::size_t frames() const { return pass.seconds.size(); }
    /// Objects that occluders hide, summed over the frames.
    [[nodiscard]] std::uint64_t hidden() const {
        return occluders ? occluders->without.counts.visible() - pass.counts.visible() : 0;
    }
};

/// Culls every frame of the path with the method asked for and with the six-plane test, alternately, after a warm-up.
/// With occluders, frames are culled without them as well, and once more with all solid boxes of the scene. Objects
/// that move are posed before each frame, and after the last as they are in the frame whose verdicts are kept.
[[nodiscard]] Measurement measure(Scene& scene, const CameraPath& path, const MeasureOptions& options);

}  // namespace lanecull::program
