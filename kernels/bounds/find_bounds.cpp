/// Boxes around visible objects: parts of the words, the kernels, and the box around what the parts found.
///
/// Where blocks of objects have boxes, most need not be read. A first pass over the blocks' boxes alone finds
/// which of them reach farthest to each side. Their objects nearly make the result. Then all blocks are compared with
/// it, and the objects of those that reach beyond it are read.

#include "bounds/find_bounds.hpp"
#include "base/failure.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/float_modes.hpp"
#include "bounds/kernels.hpp"
#include "calls/check.hpp"
#include "calls/kinds.hpp"

namespace lanecull {
namespace {

constexpr std::size_t least_words = 128;  // of a part
constexpr std::size_t max_parts = 64;
constexpr std::size_t most_boxes = ParallelSlabs::capacity;

/// A box around objects for each slab, or one for all of space.
struct Extents {
    WorldExtent of[most_boxes];

    Extents() { std::fill_n(of, most_boxes, nothing); }
    void add(const Extents& other, std::size_t count) {
        for (std::size_t i = 0; i < count; ++i) {
            for (std::size_t k = 0; k < 3; ++k) {
                of[i].low[k] = std::min(of[i].low[k], other.of[i].low[k]);
                of[i].high[k] = std::max(of[i].high[k], other.of[i].high[k]);
            }
        }
    }
    /// What is endless has infinite bounds from here on.
    void spread(std::size_t count) {
        for (std::size_t i = 0; i < count; ++i) {
            if (!of[i].is_endless) continue;
            std::fill_n(of[i].low, 3, -HUGE_VALF);
            std::fill_n(of[i].high, 3, HUGE_VALF);
        }
    }

private:
    static constexpr WorldExtent nothing = {
        {HUGE_VALF, HUGE_VALF, HUGE_VALF}, {-HUGE_VALF, -HUGE_VALF, -HUGE_VALF}, false};
};

class Finding {
public:
    Finding(const BoundsTable& kernels, std::span<const Batch> batches, std::span<const std::uint64_t> visible,
            const BlockBoxes* blocks, const ParallelSlabs* slabs)
        : kernels_(kernels), batches_(batches), visible_(visible), blocks_(blocks), slabs_(slabs) {
        count_ = std::clamp<std::size_t>(visible.size() / least_words, 1, max_parts);
        if (visible.size() <= BlockBoxes::few_words) blocks_ = nullptr;
    }

    void run(const Runner& runner, std::span<WorldBox> bounds) {
        if (blocks_ != nullptr) known_ = of_outermost_blocks();
        runner(static_cast<std::uint32_t>(count_),
               {[](void* self, std::uint32_t part) { static_cast<Finding*>(self)->run_part(part); }, this,
                "visible bounds"});
        Extents found = known_;
        for (std::size_t part = 0; part < count_; ++part) found.add(found_[part], boxes());
        for (std::size_t i = 0; i < bounds.size(); ++i) {
            for (std::size_t k = 0; k < 3; ++k) {
                bounds[i].lower[k] = static_cast<double>(found.of[i].low[k]);
                bounds[i].upper[k] = static_cast<double>(found.of[i].high[k]);
            }
        }
    }

private:
    [[nodiscard]] std::size_t boxes() const { return slabs_ == nullptr ? 1 : slabs_->count; }
    /// Of blocks, the last of which may have fewer.
    [[nodiscard]] std::size_t groups() const {
        return (visible_.size() + BlockBoxes::group_words - 1) / BlockBoxes::group_words;
    }
    [[nodiscard]] std::size_t first_word(std::size_t group) const {
        return std::min(group * BlockBoxes::group_words, visible_.size());
    }

    void run_part(std::size_t part) {
        const FloatModes modes;
        const std::size_t begin = visible_.size() * part / count_, end = visible_.size() * (part + 1) / count_;
        Extents found;
        std::size_t batch_begin = 0;
        for (const Batch& batch : batches_) {
            const std::size_t batch_end = batch_begin + (std::size_t{batch.count()} + 63) / 64;
            const std::size_t from = std::max(begin, batch_begin), to = std::min(end, batch_end);
            if (from < to && blocks_ == nullptr) {
                add(batch, from - batch_begin, to - batch_begin, visible_.data() + from, found);
            } else if (from < to) {
                add_blocks(batch, from, to, found);
            }
            batch_begin = batch_end;
        }
        found_[part] = found;
    }

    /// Adds the objects whose words are `first` to `last` - 1 of the batch's.
    void add(const Batch& batch, std::size_t first, std::size_t last, const std::uint64_t* words,
             Extents& found) const {
        const std::size_t begin = 64 * first, end = std::min(64 * last, std::size_t{batch.count()});
        Extents more;
        kernels_.visible_extents({place_of(batch), &batch.shapes, &batch.attributes, words,
                                  static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end - begin), slabs_},
                                 more.of);
        more.spread(boxes());
        found.add(more, boxes());
    }

    /// The same for the one batch whose blocks have boxes; only of blocks that reach beyond what is known, or has been
    /// found besides.
    void add_blocks(const Batch& batch, std::size_t first, std::size_t last, Extents& found) const {
        for (std::size_t at = first, end = 0; at < last; at = end) {
            const std::size_t group = at / BlockBoxes::group_words;
            end = std::min(first_word(group + 1), last);
            Extents known = known_;
            known.add(found, boxes());
            add_chosen(batch, at, end, blocks_beyond(group, known, false), found);
        }
    }

    /// Adds the visible objects of some of a group's blocks, as far as their words are `first` to `last` - 1.
    void add_chosen(const Batch& batch, std::size_t first, std::size_t last, std::uint64_t chosen,
                    Extents& found) const {
        std::uint64_t words[BlockBoxes::group_words], any = 0;
        for (std::size_t w = first; w < last; ++w) {
            const std::size_t block = w % BlockBoxes::group_words / BlockBoxes::words;
            words[w - first] = (chosen >> block & 1) != 0 ? visible_[w] : 0;
            any |= words[w - first];
        }
        if (any != 0) add(batch, first, last, words, found);
    }

    [[nodiscard]] std::uint64_t blocks_beyond(std::size_t group, const Extents& known, bool or_touches) const {
        const std::size_t at = group * BlockBoxes::group;
        const BlockBoxes& b = *blocks_;
        return b.loose[group] | kernels_.boxes_beyond({{b.low[0] + at, b.low[1] + at, b.low[2] + at},
                                                       {b.high[0] + at, b.high[1] + at, b.high[2] + at},
                                                       slabs_,
                                                       known.of,
                                                       or_touches});
    }

    /// How far the blocks' boxes reach, and for each box and side the first group that has a block which reaches so
    /// far.
    struct Outermost {
        Extents of_blocks;
        std::array<std::size_t, most_boxes * 6> group;
    };

    [[nodiscard]] Outermost outermost_blocks() const {
        const BlockBoxes& b = *blocks_;
        const Batch boxes_of_blocks(Boxes{b.low[0], b.low[1], b.low[2], b.high[0], b.high[1], b.high[2],
                                          static_cast<std::uint32_t>(groups() * BlockBoxes::group)});
        Outermost outermost;
        outermost.group.fill(groups());
        for (std::size_t g = 0; g < groups(); ++g) {
            const std::uint64_t asked = with_visible(g) & ~b.loose[g];
            if (asked == 0) continue;
            Extents more;
            add(boxes_of_blocks, g, g + 1, &asked, more);
            for (std::size_t i = 0; i < boxes(); ++i) {
                const WorldExtent& known = outermost.of_blocks.of[i];
                for (std::size_t k = 0; k < 3; ++k) {
                    if (more.of[i].low[k] < known.low[k]) outermost.group[6 * i + k] = g;
                    if (more.of[i].high[k] > known.high[k]) outermost.group[6 * i + 3 + k] = g;
                }
            }
            outermost.of_blocks.add(more, boxes());
        }
        return outermost;
    }

    /// The visible objects of those blocks.
    [[nodiscard]] Extents of_outermost_blocks() const {
        Outermost outermost = outermost_blocks();
        std::sort(outermost.group.begin(), outermost.group.end());
        const auto end = std::unique(outermost.group.begin(), outermost.group.end());
        Extents found;
        for (auto g = outermost.group.begin(); g != end && *g < groups(); ++g) {
            add_chosen(batches_[0], first_word(*g), first_word(*g + 1), blocks_beyond(*g, outermost.of_blocks, true),
                       found);
        }
        return found;
    }

    /// Bits of a group's blocks that have visible objects.
    [[nodiscard]] std::uint64_t with_visible(std::size_t group) const {
        const std::size_t begin = first_word(group), end = first_word(group + 1);
        std::uint64_t blocks = 0;
        for (std::size_t w = begin; w < end; ++w) {
            blocks |= std::uint64_t{visible_[w] != 0} << (w - begin) / BlockBoxes::words;
        }
        return blocks;
    }

    const BoundsTable& kernels_;
    std::span<const Batch> batches_;
    std::span<const std::uint64_t> visible_;
    const BlockBoxes* blocks_;
    const ParallelSlabs* slabs_;
    std::size_t count_;
    Extents known_;  // of objects that have been read before the parts are
    Extents found_[max_parts];
};

}  // namespace

Status find_bounds(std::span<const Batch> batches, std::span<const std::uint64_t> visible, const BlockBoxes* blocks,
                   const ParallelSlabs* slabs, std::span<WorldBox> bounds, const WorldBoundsOptions& options) {
    if (Status status = check_batches(batches); !status) return status;
    const std::size_t words = visibility_words(batches);
    if (visible.size() != words) {
        return failure("visible: must have %zu words (visibility_words()), not %zu", words, visible.size());
    }
    const BoundsTable* kernels = nullptr;
    if (Status status = find_kernels(options.isa, "options.isa", kernels); !status) return status;
    Finding(*kernels, batches, visible, blocks, slabs).run(options.runner, bounds);
    return {};
}

}  // namespace lanecull
