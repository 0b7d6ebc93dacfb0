/// Which solids are likely to hide most. Nothing here is proved: what is chosen hides by prepare_occluder()'s proof.

#include <lanecull/occluder.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <new>

#include "base/failure.hpp"
#include "base/float_modes.hpp"
#include "base/given.hpp"
#include "calls/occluders.hpp"
#include "calls/ranges.hpp"
#include "occluders/samples.hpp"
#include "occluders/solid.hpp"
#include "occluders/solids_in_view.hpp"

namespace lanecull {
namespace {

/// How much more than what it hides a solid that was chosen in the last frame counts. In a city with a camera that
/// stands still, choices come to rest within ten frames from 1.25 on; with 1.1 some swing to and fro between two.
constexpr float stay = 1.3F;

/// The last frame's counts are believed as if so many samples spoke against them.
constexpr float doubt = 16;

/// How many samples a solid that fills one steradian counts for: it decides between solids that hide equally many, and
/// what comes after all samples are hidden.
constexpr float size_weight = 1e-3F;

/// A solid in the view.
struct Seen {
    float squared_size;
    std::uint32_t index;
};

/// One of the largest solids in the view.
struct Contender {
    SampleSet hides = {};  ///< of those samples that were open when the gain was found
    float unsampled = 0;   ///< what it hid in the last frame beyond what its samples say, in samples
    float favour = 1;
    float gain = 0;
    float size = 0;
    std::uint32_t index = 0;
    std::uint32_t round = 0;  ///< so many were chosen when the gain was found
};

/// An object, for gcc makes calls of a function that heaps compare by.
constexpr auto gains_less = [](const Contender& a, const Contender& b) {
    return a.gain < b.gain || (a.gain == b.gain && a.index > b.index);
};

/// How many contenders there are. In a trial, in the city at street level, 96, 128 and 192 of them let 16 chosen hide
/// 95.0, 95.4 and 95.9 % of what all solids hide each alone; with twice the samples 95.9, 96.4 and 97.0 %.
constexpr std::size_t contenders_for(std::size_t most) { return std::min<std::size_t>(64 + 4 * most, 256); }
constexpr std::size_t max_contenders = contenders_for(max_occluders) + max_occluders;

struct Tables {
    Samples samples;
    std::uint32_t sampled[SampleSet::most];  ///< the solid whose place the sample is
    float weight[SampleSet::most];
    Contender contender[max_contenders];
};
static_assert(alignof(Tables) <= alignof(std::uint64_t));

constexpr std::size_t table_words = (sizeof(Tables) + sizeof(std::uint64_t) - 1) / sizeof(std::uint64_t);

/// Numbers that follow from an index alone, evenly spread.
std::uint32_t scattered(std::uint32_t index) {
    std::uint32_t x = (index + 1) * 0x9e3779b9U;
    x = (x ^ x >> 16) * 0x85ebca6bU;
    x = (x ^ x >> 13) * 0xc2b2ae35U;
    return x ^ x >> 16;
}

/// Whether a prepared occluder hides all corners of a solid, and so all of it, for what it hides is convex; of a hull,
/// all corners of the box that it is drawn in. In doubles; the margin covers how far normals that were rounded to
/// floats turn.
class Corners {
public:
    Corners(const SolidSet& solids, std::size_t i, const float (&origin)[3]) {
        if (i < solids.boxes.size()) {
            const SolidBox& b = solids.boxes[i];
            for (std::size_t k = 0; k < 3; ++k) {
                center_[k] = 0.5 * (double{b.min[k]} + double{b.max[k]}) - double{origin[k]};
                edge_[k][k] = 0.5 * (double{b.max[k]} - double{b.min[k]});
            }
        } else if (i - solids.boxes.size() < solids.oriented_boxes.size()) {
            const SolidOrientedBox& b = solids.oriented_boxes[i - solids.boxes.size()];
            for (std::size_t k = 0; k < 3; ++k) {
                center_[k] = double{b.center[k]} - double{origin[k]};
                for (std::size_t j = 0; j < 3; ++j) edge_[k][j] = double{b.half_extents[k]} * double{b.axes[k][j]};
            }
        } else {
            take_box_around(solids.hulls[i - solids.boxes.size() - solids.oriented_boxes.size()], origin);
        }
        for (std::size_t j = 0; j < 3; ++j) {
            magnitude_ += std::fabs(center_[j]);
            for (std::size_t k = 0; k < 3; ++k) magnitude_ += std::fabs(edge_[k][j]);
        }
    }
    [[nodiscard]] bool hidden_by(const PreparedOccluder& occluder) const {
        for (std::uint32_t i = 0; i < occluder.count; ++i) {
            const float(&n)[3] = occluder.normal[i];
            double lowest = dot(n, center_) + double{occluder.offset[i]};
            for (const double(&edge)[3] : edge_) lowest -= std::fabs(dot(n, edge));
            if (!(lowest > magnitude_ * 0x1p-20)) return false;
        }
        return true;
    }

private:
    void take_box_around(const SolidHullInstance& given, const float (&origin)[3]) {
        const BoxBounds& drawn = given.hull->drawn;
        for (std::size_t k = 0; k < 3; ++k) {
            const float* const row = given.transform + 4 * k;
            center_[k] = double{row[3]} - double{origin[k]};
            for (std::size_t j = 0; j < 3; ++j) {
                center_[k] += double{row[j]} * 0.5 * (double{drawn.lower[j]} + double{drawn.upper[j]});
                edge_[j][k] = double{row[j]} * 0.5 * (double{drawn.upper[j]} - double{drawn.lower[j]});
            }
        }
    }
    static double dot(const float (&n)[3], const double (&p)[3]) {
        return double{n[0]} * p[0] + double{n[1]} * p[1] + double{n[2]} * p[2];
    }

    double center_[3] = {};
    double edge_[3][3] = {};
    double magnitude_ = 0;
};

class Choice {
public:
    Choice(const SolidSet& given, const View& view, const Viewpoint& viewpoint, const ChooseOptions& options,
           std::span<std::byte> scratch)
        : given_(given),
          viewpoint_(viewpoint),
          options_(options),
          solids_(given, contents_of(viewpoint)),
          sight_(contents_of(viewpoint)),
          volume_(contents_of(view), contents_of(viewpoint)) {
        ScratchMemory memory(scratch);
        seen_ = memory.take<Seen>(solids_.count());
        tables_ = new (memory.take<std::uint64_t>(table_words).data()) Tables;
    }

    std::uint32_t run(std::span<Occluder> occluders, std::span<std::uint32_t> indices) {
        find_seen();
        take_samples();
        take_contenders(contenders_for(occluders.size()));
        learn_from_last();
        return choose(occluders, indices);
    }

private:
    [[nodiscard]] bool is_candidate(std::size_t i) const {
        return options_.candidates.empty() || (options_.candidates[i / 64] >> i % 64 & 1) != 0;
    }

    /// 0 or NaN: the solid may not be chosen.
    void find_squared_sizes_in_view(const RoughBoxes& boxes, float (&squared)[RoughBoxes::most]) const {
        sight_.find_squared_sizes(boxes, squared);
        volume_.clear_outside(boxes, squared);
    }
    [[nodiscard]] float squared_size_in_view(std::size_t i) const {
        RoughBoxes boxes;
        boxes.add(i, solids_.box(i));
        float squared[RoughBoxes::most];
        find_squared_sizes_in_view(boxes, squared);
        return squared[0];
    }

    void find_seen() {
        std::size_t count = 0;
        RoughBoxes boxes;
        const auto take = [&] {
            float squared[RoughBoxes::most];
            find_squared_sizes_in_view(boxes, squared);
            for (std::size_t b = 0; b < boxes.count; ++b) {
                seen_[count] = {squared[b], boxes.index[b]};
                count += squared[b] > 0 ? 1 : 0;
            }
            boxes.count = 0;
        };
        for_each_candidate([&](std::size_t i) {
            boxes.add(i, solids_.box(i));
            if (boxes.is_full()) take();
        });
        take();
        seen_ = seen_.first(count);
    }

    template <class Do>
    void for_each_candidate(const Do& what) const {
        const std::size_t solids = solids_.count();
        if (options_.candidates.empty()) {
            for (std::size_t i = 0; i < solids; ++i) what(i);
            return;
        }
        for (std::size_t first = 0; first < solids; first += 64) {
            std::uint64_t rest = options_.candidates[first / 64];
            if (solids - first < 64) rest &= (std::uint64_t{1} << (solids - first)) - 1;
            for (; rest != 0; rest &= rest - 1) what(first + static_cast<std::size_t>(std::countr_zero(rest)));
        }
    }

    /// The middles of solids by chance, and the same ones from frame to frame. They stand for objects: no better places
    /// were found. Corners, random points within and around the solids, and middles of objects chose equally well.
    void take_samples() {
        Samples& samples = tables_->samples;
        samples.count = 0;
        const double share = 0.9 * SampleSet::most / static_cast<double>(std::max<std::size_t>(seen_.size(), 1));
        sampled_below_ = static_cast<std::uint32_t>(std::min(share * 0x1p32, 0x1p32 - 1));
        const float reach = parallel_reach();
        for (std::size_t s = 0; s < seen_.size() && !samples.is_full(); ++s) {
            const std::uint32_t index = seen_[s].index;
            if (!may_be_sampled(index)) continue;
            const RoughBox box = solids_.box(index);
            float from[3];
            sight_.begin(box.center, reach, from);
            tables_->sampled[samples.count] = index;
            tables_->weight[samples.count] = 1;
            samples.add(from, box.center);
        }
        samples.fill_up();
    }

    [[nodiscard]] bool may_be_sampled(std::uint32_t index) const { return scattered(index) <= sampled_below_; }

    /// At least the way between any two solids in the view.
    [[nodiscard]] float parallel_reach() const {
        if (!sight_.parallel()) return 0;
        float reach = 0;
        for (const Seen& seen : seen_) {
            const RoughBox box = solids_.box(seen.index);
            for (std::size_t k = 0; k < 3; ++k) reach = std::max(reach, std::fabs(box.center[k]) + box.half[k]);
        }
        return 4 * reach;
    }

    [[nodiscard]] std::span<Contender> contenders() const { return {tables_->contender, count_}; }

    void add_contender(std::uint32_t index, float squared_size) {
        Contender& c = tables_->contender[count_++] = Contender{};
        c.index = index;
        c.size = std::sqrt(squared_size);
        c.hides = tables_->samples.hidden_by(solids_.solid(index));
        for (std::uint32_t s = 0; may_be_sampled(index) && s < tables_->samples.count; ++s) {
            if (tables_->sampled[s] == index) c.hides.erase(s);
        }
    }

    /// Leaves the largest of the solids that are seen, and few more: those whose sizes begin with the same bits as the
    /// smallest of these. Half of the comparisons of std::nth_element() among all of them are foreseen wrongly.
    void leave_largest(std::size_t most) {
        constexpr std::uint32_t dropped_bits = 21, kept_bits = 31 - dropped_bits;  // sizes are positive
        std::uint32_t count[1U << kept_bits] = {};
        const auto first_bits = [](const Seen& seen) {
            return __builtin_bit_cast(std::uint32_t, seen.squared_size) >> dropped_bits;
        };
        for (const Seen& seen : seen_) ++count[first_bits(seen)];
        std::size_t larger = 0;
        std::uint32_t least = 1U << kept_bits;
        while (least > 0 && larger < most) larger += count[--least];
        std::size_t left = 0;
        for (const Seen seen : seen_) {
            seen_[left] = seen;
            left += first_bits(seen) >= least ? 1 : 0;
        }
        seen_ = seen_.first(left);
    }

    /// The largest solids in the view, and those chosen in the last frame.
    void take_contenders(std::size_t most) {
        const auto larger = [](const Seen& a, const Seen& b) {
            return a.squared_size > b.squared_size || (a.squared_size == b.squared_size && a.index < b.index);
        };
        most = std::min(most, seen_.size());
        leave_largest(most);
        std::nth_element(seen_.begin(), seen_.begin() + static_cast<std::ptrdiff_t>(most), seen_.end(), larger);
        for (const Seen& seen : seen_.first(most)) add_contender(seen.index, seen.squared_size);
        for (const std::uint32_t index : options_.last_chosen) {
            if (index >= solids_.count() || !is_candidate(index) || find(index) != nullptr) continue;
            const float squared = squared_size_in_view(index);
            if (squared > 0) add_contender(index, squared);
        }
    }

    [[nodiscard]] Contender* find(std::uint32_t index) const {
        for (Contender& c : contenders()) {
            if (c.index == index) return &c;
        }
        return nullptr;
    }

    /// What a solid hid in the last frame is shared out among the samples that it hides and none before it does. What
    /// they cannot stand for stays with the solid.
    void learn_from_last() {
        SampleSet open = SampleSet::first(tables_->samples.count);
        struct Last {
            Contender* contender;
            SampleSet hides;
            double count;
        } last[max_occluders];
        std::size_t n = 0;
        double samples = 0, objects = 0;
        for (std::size_t k = 0; k < options_.last_chosen.size(); ++k) {
            Contender* const contender = find(options_.last_chosen[k]);
            if (contender == nullptr || contender->favour != 1) continue;
            contender->favour = stay;
            last[n] = {contender, contender->hides, 0};
            last[n].hides.keep(open);
            open.erase_all(last[n].hides);
            samples += last[n].hides.size();
            if (!options_.last_hidden.empty()) last[n].count = options_.last_hidden[k];
            objects += last[n++].count;
        }
        if (!(samples > 0 && objects > 0)) return;
        for (const Last& one : std::span(last, n)) {
            const auto hidden = static_cast<float>(one.count * samples / objects);
            const auto sampled = static_cast<float>(one.hides.size());
            const float weight = (hidden + doubt) / (sampled + doubt);
            one.hides.for_each([&](std::uint32_t s) { tables_->weight[s] = weight; });
            one.contender->unsampled = std::max(0.0F, hidden - sampled * weight);
        }
    }

    void find_gain(const SampleSet& open, std::uint32_t round, Contender& c) const {
        float gain = c.unsampled + size_weight * c.size;
        c.hides.keep(open);
        c.hides.for_each([&](std::uint32_t s) { gain += tables_->weight[s]; });
        c.gain = gain * c.favour;
        c.round = round;
    }

    /// The one that gains most first. Gains only fall as others are chosen, so only that of the first is found anew
    /// (M. Minoux, "Accelerated greedy algorithms for maximizing submodular set functions", 1978).
    std::uint32_t choose(std::span<Occluder> occluders, std::span<std::uint32_t> indices) {
        SampleSet open = SampleSet::first(tables_->samples.count);
        std::uint32_t chosen = 0;
        for (Contender& c : contenders()) find_gain(open, 0, c);
        std::make_heap(contenders().begin(), contenders().end(), gains_less);
        while (count_ > 0 && chosen < occluders.size()) {
            std::pop_heap(contenders().begin(), contenders().end(), gains_less);
            Contender& c = contenders().back();
            if (c.round != chosen) {
                find_gain(open, chosen, c);
                std::push_heap(contenders().begin(), contenders().end(), gains_less);
                continue;
            }
            --count_;
            if (is_hidden(c.index, occluders.first(chosen)) || !prepare(c.index, occluders[chosen])) continue;
            indices[chosen++] = c.index;
            open.erase_all(c.hides);
        }
        return chosen;
    }

    [[nodiscard]] bool is_hidden(std::uint32_t index, std::span<const Occluder> by) const {
        const Corners corners(given_, index, contents_of(viewpoint_).origin);
        return std::any_of(by.begin(), by.end(), [&](const Occluder& o) { return corners.hidden_by(contents_of(o)); });
    }

    [[nodiscard]] bool prepare(std::uint32_t index, Occluder& occluder) const {
        OccluderOptions options;
        options.drawn = given_.drawn.empty() ? nullptr : &given_.drawn[index];
        options.raster = options_.raster;
        const OccluderRefusal refusal =
            index < given_.boxes.size()  ? prepare_occluder(given_.boxes[index], viewpoint_, occluder, options)
            : solids_.is_oriented(index) ? prepare_occluder(solids_.oriented(index), viewpoint_, occluder, options)
                                         : prepare_occluder(solids_.hull(index), viewpoint_, occluder, options);
        if (refusal != OccluderRefusal::none) return false;
        occluder.owners = given_.owners.empty() ? Span<const Owner>() : given_.owners.subspan(index, 1);
        return true;
    }

    const SolidSet& given_;
    const Viewpoint& viewpoint_;
    const ChooseOptions& options_;
    RoughSolids solids_;
    RoughSight sight_;
    RoughVolume volume_;
    std::span<Seen> seen_;
    Tables* tables_;
    std::uint32_t sampled_below_ = 0;
    std::size_t count_ = 0;  ///< of contenders
};

Status check_solids_and_owners(const SolidSet& solids) {
    Status status = check_solids(solids);
    if (status) status = check_span(solids.owners, "solids.owners");
    if (!status) return status;
    if (!solids.owners.empty() && solids.owners.size() != solids.count()) {
        return failure("solids.owners: %zu are not one for each of %zu solids", solids.owners.size(), solids.count());
    }
    return {};
}

Status check_options(const ChooseOptions& options, std::size_t solids) {
    Status status = check_reserved(options.reserved, "options");
    if (status) status = check_span(options.candidates, "options.candidates");
    if (status) status = check_span(options.last_chosen, "options.last_chosen");
    if (status) status = check_span(options.last_hidden, "options.last_hidden");
    if (!status) return status;
    if (!is_valid(options.raster)) return failure("options.raster: a margin is not from 0 to 1e30");
    if (!options.candidates.empty() && options.candidates.size() < (solids + 63) / 64) {
        return failure("options.candidates: %zu words are too few for %zu solids", options.candidates.size(), solids);
    }
    if (options.last_chosen.size() > max_occluders) {
        return failure("options.last_chosen: at most %zu, not %zu", max_occluders, options.last_chosen.size());
    }
    if (!options.last_hidden.empty() && options.last_hidden.size() != options.last_chosen.size()) {
        return failure("options.last_hidden: %zu counts are not one for each of %zu chosen", options.last_hidden.size(),
                       options.last_chosen.size());
    }
    return {};
}

Status choose(const SolidSet& solids, const View& view, const Viewpoint& viewpoint, const ChooseOptions& options,
              Span<Occluder> occluders, Span<std::uint32_t> indices, Scratch scratch, std::uint32_t& count) {
    const std::size_t solid_count = solids.count();
    if (!is_prepared(view)) return failure(StatusCode::not_ready, "view: was not prepared");
    if (!is_prepared(viewpoint))
        return failure(StatusCode::not_ready, "viewpoint: was not prepared by prepare_viewpoint()");
    if (Status status = check_solids_and_owners(solids); !status) return status;
    if (occluders.empty() || occluders.size() > max_occluders) {
        return failure("occluders: 1 to %zu, not %zu", max_occluders, occluders.size());
    }
    if (indices.size() != occluders.size()) {
        return failure("indices: %zu are not one for each of %zu occluders", indices.size(), occluders.size());
    }
    if (Status status = check_options(options, solid_count); !status) return status;
    if (scratch.size() < choose_scratch_bytes(solid_count)) {
        return failure("scratch: %zu bytes, %zu are needed", scratch.size(), choose_scratch_bytes(solid_count));
    }
    count = Choice(solids, view, viewpoint, options, scratch).run(occluders, indices);
    return {};
}

}  // namespace
}  // namespace lanecull

using namespace lanecull;

size_t lanecull_choose_scratch_bytes(size_t solids) noexcept {
    return ScratchMemory::slack + solids * sizeof(Seen) + table_words * sizeof(std::uint64_t);
}

lanecull_status lanecull_choose_occluders(const lanecull_solid_set* solids, const lanecull_view* view,
                                          const lanecull_viewpoint* viewpoint, const lanecull_choose_options* options,
                                          lanecull_occluder* occluders, size_t occluder_count, uint32_t* indices,
                                          size_t index_count, void* scratch, size_t scratch_bytes,
                                          uint32_t* count) noexcept {
    const FloatModes modes;
    const Span<Occluder> chosen(occluders, occluder_count);
    const Span<std::uint32_t> numbers(indices, index_count);
    const Scratch memory(scratch, scratch_bytes);
    Status status = check_not_null(solids, "solids");
    if (status) status = check_not_null(view, "view");
    if (status) status = check_not_null(viewpoint, "viewpoint");
    if (status) status = check_span(chosen, "occluders");
    if (status) status = check_span(numbers, "indices");
    if (status) status = check_span(Span(memory.data(), memory.size()), "scratch");
    if (status) status = check_not_null(count, "count");
    if (!status) return status;
    return choose(*solids, *view, *viewpoint, or_usual(options), chosen, numbers, memory, *count);
}
