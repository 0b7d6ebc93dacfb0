#include "cull/measure_ordered.hpp"

#include <optional>

#include "support/error.hpp"
#include "support/measuring.hpp"

namespace lanecull::program {
namespace {

constexpr std::uint32_t vacant = ~std::uint32_t{0};

}  // namespace

OrderedCuller::OrderedCuller(std::span<const Batch> batches, const CullOptions& options) : options_(options) {
    std::size_t objects = 0;
    for (const Batch& batch : batches) {
        first_object_.push_back(objects);
        objects += batch.count();
    }
    handles_.resize(objects);
    const Clock::time_point start = Clock::now();
    require(scene_.add(batches, handles_, {}, options_.runner));
    scene_.refit(Refit::tight, options_.runner);
    pass_.build_seconds = seconds_since(start);
    pass_.bytes = scene_.bytes();

    std::size_t object = 0;
    for (const Batch& batch : batches) {
        for (std::uint32_t i = 0; i < batch.count(); ++i)
            require(scene_.slot_of(handles_[object++], slots_.emplace_back()));
        slots_.resize((slots_.size() + 63) / 64 * 64, vacant);
    }
    bits_.resize(visibility_words(scene_));
    scratch_.resize(scratch_bytes(scene_, 1));
    output_.visible = bits_;
    output_.scene = &of_blocks_;
    output_.explanation = &why_;
}

double OrderedCuller::cull_view(const View& view) {
    const Clock::time_point start = Clock::now();
    const Status status = cull(scene_, {&view, 1}, {&output_, 1}, scratch_, options_);
    const double seconds = seconds_since(start);
    require(status);
    return seconds;
}

void OrderedCuller::set_occluders(std::span<const Occluder> occluders) {
    occluders_.assign(occluders.begin(), occluders.end());
    owners_.assign(occluders_.size(), {});
    for (std::size_t k = 0; k < occluders_.size(); ++k) {
        const Owner& in_batch = occluders_[k].owners.front();
        owners_[k].object = handles_[first_object_[in_batch.batch] + in_batch.object];
        occluders_[k].owners = std::span(owners_).subspan(k, 1);
    }
    output_.occluders = occluders_;
}

double OrderedCuller::cull_without_occluders(const View& view) {
    output_.occluders = {};
    const double seconds = cull_view(view);
    output_.occluders = occluders_;
    return seconds;
}

void OrderedCuller::run_frame(const View& view, std::span<const std::uint64_t> flat) {
    const bool without_too = !occluders_.empty();
    const bool without_first = pass_.seconds.size() % 2 == 1;  // neither always finds the other's data in the cache
    if (without_too && without_first) pass_.seconds_without.push_back(cull_without_occluders(view));
    pass_.seconds.push_back(cull_view(view));
    pass_.outside_blocks += of_blocks_.outside_blocks;
    pass_.hidden_blocks += of_blocks_.hidden_blocks;
    pass_.inside_blocks += of_blocks_.inside_blocks;
    pass_.mixed_blocks += of_blocks_.mixed_blocks;
    pass_.tested += why_.counts.objects();
    for (std::size_t i = 0; i < slots_.size(); ++i) {
        if (slots_[i] == vacant) continue;
        pass_.differences += has_bit(bits_, slots_[i]) != has_bit(flat, i);
    }
    if (without_too && !without_first) pass_.seconds_without.push_back(cull_without_occluders(view));
}

void OrderedCuller::judge_blocks(const View& view) {
    std::vector<BlockOutcome> outcomes(scene_.block_count());
    of_blocks_.block_outcomes = outcomes;
    cull_view(view);
    of_blocks_.block_outcomes = {};
    for (std::uint32_t b = 0; b < scene_.block_count(); ++b) {
        const SceneBlock block = scene_.block(b);
        if (block.objects > 0) pass_.picked_blocks.push_back({block, outcomes[b]});
    }
}

}  // namespace lanecull::program
