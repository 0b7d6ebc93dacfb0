#pragma once

#include <span>

#include "scene/scene.hpp"

namespace lanecull::program {

/// The same frames by an ordered scene (lanecull/scene.h).
struct OrderedPass {
    double build_seconds = 0;
    std::uint64_t bytes = 0;
    std::vector<double> seconds;          ///< of cull() alone, frame by frame
    std::vector<double> seconds_without;  ///< the same without occluders, of frames that have some
    // Sums over the frames.
    std::uint64_t outside_blocks = 0, hidden_blocks = 0, inside_blocks = 0, mixed_blocks = 0;
    std::uint64_t tested = 0;       ///< objects tested one by one
    std::uint64_t differences = 0;  ///< objects that it and the flat batches do not agree on

    std::vector<JudgedBlock> picked_blocks;  ///< of the frame whose verdicts are kept
};

/// An ordered scene of a scene's objects, and its memory.
class OrderedCuller {
public:
    /// Builds it with options.runner, which also culls.
    OrderedCuller(std::span<const Batch> batches, const CullOptions& options);
    OrderedCuller(const OrderedCuller&) = delete;
    OrderedCuller& operator=(const OrderedCuller&) = delete;

    void warm_up(const View& view) { static_cast<void>(cull_view(view)); }
    /// Those of the next culls, with owners counted in the batches; empty: none.
    void set_occluders(std::span<const Occluder> occluders);
    /// Culls, and compares with the bits of the flat batches.
    void run_frame(const View& view, std::span<const std::uint64_t> flat);
    /// Culls once more, for what becomes of the blocks.
    void judge_blocks(const View& view);
    OrderedPass take() { return std::move(pass_); }

private:
    double cull_view(const View& view);
    double cull_without_occluders(const View& view);

    const CullOptions options_;
    lanecull::Scene scene_;
    std::vector<std::uint64_t> bits_;
    std::vector<std::byte> scratch_;
    SceneOutput of_blocks_;
    Explanation why_;
    Output output_;
    std::vector<Handle> handles_;            ///< of all batches' objects
    std::vector<std::size_t> first_object_;  ///< of each batch
    std::vector<Occluder> occluders_;
    std::vector<Owner> owners_;  ///< theirs, one each
    /// For each bit of the flat batches, by its place: the slot of its object; vacant bits none.
    std::vector<std::uint32_t> slots_;
    OrderedPass pass_;
};

}  // namespace lanecull::program
