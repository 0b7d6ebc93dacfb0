/// The entry point for lights: checks, tasks over lights, then over slices.

#include <lanecull/light_grid.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "base/failure.hpp"
#include "base/float_modes.hpp"
#include "base/given.hpp"
#include "calls/check.hpp"
#include "calls/ranges.hpp"
#include "lights/check.hpp"
#include "lights/grid.hpp"
#include "lights/visible.hpp"
#include "lights/work.hpp"

namespace lanecull {
namespace {

constexpr std::uint32_t max_groups = 8;  ///< of slices: each is a task, which visits all lights
constexpr std::uint32_t short_span = 4;  ///< tiles that are written without a loop
constexpr double least_depth = 1e-30;

std::size_t chunks_of(std::size_t lights) { return (lights + light_chunk - 1) / light_chunk; }
std::size_t words_of_bits(std::size_t lights) { return (lights + 31) / 32; }
constexpr std::size_t pairs(std::size_t numbers) { return (numbers + 1) / 2; }

std::size_t bytes(std::size_t tiles_x, std::size_t tiles_y, std::size_t slices, std::size_t lights) {
    const std::size_t rows = tiles_y * slices, spans = (lights + span_padding * chunks_of(lights)) * rows;
    const std::size_t placed = lights * sizeof(LightBlock) + chunks_of(lights) * sizeof(PlacedLights);
    const std::size_t words = pairs(rows * tiles_x + short_span * max_groups) + max_groups + pairs(spans);
    return std::max(ScratchMemory::slack + placed + words * sizeof(std::uint64_t), cull_lights_bytes(lights));
}

Status check_boundaries(const LightGrid& grid) {
    const auto& at = grid.boundaries;
    if (Status status = check_span(at, "grid.boundaries"); !status) return status;
    if (at.size() < 2 || at.size() > LightCells::max_slices + 1) {
        return failure("grid.boundaries: 2 to %u, not %zu", LightCells::max_slices + 1, at.size());
    }
    for (std::size_t k = 0; k < at.size(); ++k) {
        const bool is_last = k + 1 == at.size();
        if (!(is_last ? !std::isnan(at[k]) : std::isfinite(at[k]))) {
            return failure("grid.boundaries: element %zu is not finite", k);
        }
        if (k > 0 && !(at[k] > at[k - 1]))
            return failure("grid.boundaries: element %zu is not above the one before", k);
    }
    return {};
}

Status check_grid(const LightGrid& grid) {
    if (Status status = check_not_null(grid.clip_from_world, "grid.clip_from_world"); !status) return status;
    for (const auto& [count, name] : {std::pair{grid.tiles_x, "x"}, {grid.tiles_y, "y"}}) {
        if (count >= 1 && count <= LANECULL_MAX_LIGHT_TILES) continue;
        return failure("grid.tiles_%s: 1 to %u, not %u", lasting(name), std::uint32_t{LANECULL_MAX_LIGHT_TILES}, count);
    }
    if (Status status = check_boundaries(grid); !status) return status;
    if (Status status = check_enum(grid.sight, SightDirection::shrinking_depth, "grid.sight"); !status) return status;
    return check_cleared(grid, "grid");
}

Status check_lists(const LightLists& lists, std::size_t cells, std::size_t lights) {
    Status status = check_span(lists.offsets, "lists.offsets");
    if (status) status = check_span(lists.indices, "lists.indices");
    if (status) status = check_span(lists.words, "lists.words");
    if (status) status = check_cleared(lists, "lists");
    if (!status) return status;
    if (!lists.offsets.empty() && lists.offsets.size() != cells + 1) {
        return failure("lists.offsets: must have %zu elements or none, not %zu", cells + 1, lists.offsets.size());
    }
    const std::size_t words = cells * words_of_bits(lights);
    if (!lists.words.empty() && lists.words.size() != words) {
        return failure("lists.words: must have %zu elements or none, not %zu", words, lists.words.size());
    }
    return {};
}

/// One call under way.
class Assignment {
public:
    Assignment(const LightGrid& grid, const LightCells& cells, const Lights& lights, const LightTable& kernels,
               Scratch scratch)
        : cells_(cells),
          lights_(lights),
          kernels_(kernels),
          hidden_layers_(grid.hidden_layers),
          count_(lights.balls.count + lights.spots.count),
          rows_(std::size_t{cells.y.count} * cells.slices) {
        ScratchMemory memory(std::span<std::byte>(scratch.data(), scratch.size()));
        blocks_ = memory.take<LightBlock>(count_).data();
        placed_ = memory.take<PlacedLights>(chunks_of(count_)).data();
        totals_ = memory.take<std::uint64_t>(max_groups).data();
        const auto numbers = [&](std::size_t count) { return memory.take<std::uint64_t>(pairs(count)).data(); };
        const std::size_t nexts = rows_ * cells.x.count + short_span * max_groups;
        next_ = new (numbers(nexts)) std::uint32_t[nexts];
        spans_ = reinterpret_cast<TileSpan*>(numbers((count_ + span_padding * chunks_of(count_)) * rows_));
    }

    void run(const Runner& runner, LightLists& lists) {
        lists_ = &lists;
        groups_ = runner.run == nullptr ? 1 : std::min(cells_.slices, max_groups);
        run_tasks<&Assignment::reach>(runner, static_cast<std::uint32_t>(chunks_of(count_)), "lights");
        run_tasks<&Assignment::count>(runner, groups_, "light counts");
        std::uint64_t sum = 0;
        for (std::uint32_t g = 0; g < groups_; ++g) sum += std::exchange(totals_[g], sum);
        run_tasks<&Assignment::write>(runner, groups_, "light lists");
        if (!lists.offsets.empty()) lists.offsets.back() = static_cast<std::uint32_t>(sum);
        lists.entry_count = sum;
    }

private:
    template <void (Assignment::*task)(std::uint32_t)>
    void run_tasks(const Runner& runner, std::uint32_t count, const char* name) {
        const auto one = [](void* self, std::uint32_t i) {
            const FloatModes modes;
            (static_cast<Assignment*>(self)->*task)(i);
        };
        if (count > 0) runner(count, {one, this, name});
    }

    void reach(std::uint32_t chunk) {
        const std::uint32_t first = chunk * light_chunk;
        kernels_.reach({&cells_, &lights_, hidden_layers_, first, std::min(count_ - first, light_chunk),
                        placed_ + chunk, blocks_, spans_ + std::size_t{chunk} * (light_chunk + span_padding) * rows_});
    }

    [[nodiscard]] std::uint32_t first_slice(std::uint32_t group) const { return group * cells_.slices / groups_; }

    /// Calls visit(light, first cell of a row, span) for the rows of a group's slices, light after light. Spans may be
    /// empty: a test of that would be mispredicted more often than it saves work.
    template <class Visit>
    void for_spans(std::uint32_t group, const Visit& visit) const {
        const std::uint32_t first = first_slice(group), end = first_slice(group + 1);
        for (std::uint32_t light = 0; light < count_; ++light) {
            const LightBlock& block = blocks_[light];
            const std::uint32_t to = std::min<std::uint32_t>(end, block.end_slice);
            const TileSpan* const chunk =
                spans_ + std::size_t{light / light_chunk} * (light_chunk + span_padding) * rows_ + block.first_span;
            for (std::uint32_t k = std::max<std::uint32_t>(first, block.first_slice); k < to; ++k) {
                const TileSpan* span = chunk + std::size_t{k - block.first_slice} * block.slice_pitch;
                for (std::uint32_t j = block.first_row; j < block.end_row; ++j, span += block.row_pitch) {
                    visit(light, (k * cells_.y.count + j) * cells_.x.count, *span);
                }
            }
        }
    }

    /// A group's cells by their numbers. Some numbers after them are the group's own, too.
    [[nodiscard]] std::uint32_t* next_of(std::uint32_t group) const { return next_ + group * short_span; }

    /// Where spans begin and end is counted, then summed along each row.
    void count(std::uint32_t group) {
        const std::uint32_t tiles = cells_.x.count, row = cells_.y.count * tiles;
        std::uint32_t* const next = next_of(group);
        std::uint32_t* const first = next + std::size_t{first_slice(group)} * row;
        std::uint32_t* const end = next + std::size_t{first_slice(group + 1)} * row;
        std::fill(first, end + short_span, 0u);
        for_spans(group, [&](std::uint32_t, std::uint32_t cell, TileSpan span) {
            ++next[cell + begin_of(span)];
            if (end_of(span) < tiles) --next[cell + end_of(span)];
        });
        std::uint64_t total = 0;
        for (std::uint32_t* cell = first; cell != end; cell += tiles) {
            std::uint32_t sum = 0;
            for (std::uint32_t i = 0; i < tiles; ++i) total += cell[i] = sum += cell[i];
        }
        totals_[group] = total;
    }

    void write(std::uint32_t group) {
        const std::size_t row = std::size_t{cells_.y.count} * cells_.x.count;
        const std::size_t first = first_slice(group) * row, end = first_slice(group + 1) * row;
        std::uint32_t* const next = next_of(group);
        auto place = static_cast<std::uint32_t>(totals_[group]);
        for (std::size_t cell = first; cell < end; ++cell) place += std::exchange(next[cell], place);
        if (!lists_->offsets.empty()) {
            std::copy(next + first, next + end, lists_->offsets.items + first);
            write_indices(group, place);
        }
        if (lists_->words.empty()) return;
        const std::size_t words = words_of_bits(count_);
        std::fill(lists_->words.items + first * words, lists_->words.items + end * words, 0u);
        for_spans(group, [&](std::uint32_t light, std::uint32_t cell, TileSpan span) {
            std::uint32_t* const to = lists_->words.items + cell * words + light / 32;
            for (std::uint32_t i = begin_of(span); i < end_of(span); ++i) to[i * words] |= 1u << light % 32;
        });
    }

    /// `last`: where the group's entries end.
    void write_indices(std::uint32_t group, std::uint32_t last) {
        std::uint32_t* const indices = lists_->indices.items;
        const std::size_t capacity = lists_->indices.size();
        if (last <= capacity) {
            // Most spans are short. Four steps for each, some of them to nowhere, cost less than a loop whose end is
            // mispredicted.
            for_spans(group, [&](std::uint32_t light, std::uint32_t cell, TileSpan span) {
                std::uint32_t nowhere;
                const std::uint32_t begin = begin_of(span), length = end_of(span) - begin;
                std::uint32_t* const next = next_of(group) + cell + begin;
                std::uint32_t place[short_span];
                for (std::uint32_t i = 0; i < short_span; ++i) place[i] = next[i];
                for (std::uint32_t i = 0; i < short_span; ++i) next[i] = place[i] + (i < length ? 1 : 0);
                for (std::uint32_t i = 0; i < short_span; ++i) *(i < length ? indices + place[i] : &nowhere) = light;
                for (std::uint32_t i = short_span; i < length; ++i) indices[next[i]++] = light;
            });
            return;
        }
        for_spans(group, [&](std::uint32_t light, std::uint32_t cell, TileSpan span) {
            for (std::uint32_t i = begin_of(span); i < end_of(span); ++i) {
                const std::uint32_t place = next_of(group)[cell + i]++;
                if (place < capacity) indices[place] = light;
            }
        });
    }

    const LightCells& cells_;
    const Lights& lights_;
    const LightTable& kernels_;
    const std::uint32_t hidden_layers_, count_;
    const std::size_t rows_;
    std::uint32_t groups_ = 1;
    PlacedLights* placed_;
    LightBlock* blocks_;
    std::uint64_t* totals_;  ///< of a group's entries; then how many are before them
    std::uint32_t* next_;    ///< of each cell: how many lights; then where the next one goes. By groups: next_of()
    TileSpan* spans_;        ///< of each chunk
    LightLists* lists_ = nullptr;
};

}  // namespace

Status check_lights(const Lights& lights) {
    const Spheres& balls = lights.balls;
    const Spots& spots = lights.spots;
    const auto check = [](std::uint32_t count, const char* of, std::initializer_list<NamedStream> streams) {
        for (const auto& [stream, name] : streams) {
            if (count == 0 || stream != nullptr) continue;
            return failure("lights.%s.%s: must not be null", lasting(of), lasting(name));
        }
        return Status();
    };
    Status given =
        check(balls.count, "balls", {{balls.x, "x"}, {balls.y, "y"}, {balls.z, "z"}, {balls.radius, "radius"}});
    if (given) {
        given = check(spots.count, "spots",
                      {{spots.x, "x"},
                       {spots.y, "y"},
                       {spots.z, "z"},
                       {spots.range, "range"},
                       {spots.axis_x, "axis_x"},
                       {spots.axis_y, "axis_y"},
                       {spots.axis_z, "axis_z"},
                       {spots.tangent, "tangent"}});
    }
    if (!given) return given;
    if (Status status = check_enum(spots.end, SpotEnd::flat, "lights.spots.end"); !status) return status;
    if (Status status = check_span(lights.visible, "lights.visible"); !status) return status;
    const std::size_t words = light_words(count_of(lights));
    if (!lights.visible.empty() && lights.visible.size() != words) {
        return failure("lights.visible: must have %zu words or none, not %zu", words, lights.visible.size());
    }
    return check_cleared(lights, "lights");
}

Status check_options(const LightOptions& options) { return check_cleared(options, "options"); }

Status check_assignment(const LightGrid& grid, const Lights& lights, const LightLists& lists,
                        std::size_t scratch_bytes) {
    Status status = check_grid(grid);
    if (status) status = check_lights(lights);
    if (!status) return status;
    const std::uint64_t count = count_of(lights);
    const std::size_t slices = grid.boundaries.size() - 1, cells = slices * grid.tiles_x * grid.tiles_y;
    if (count > 0xffffffffu / cells) {
        return failure("lights: %zu are too many for %zu cells: together 2^32 or more", static_cast<std::size_t>(count),
                       cells);
    }
    const auto light_count = static_cast<std::size_t>(count);
    status = check_lists(lists, cells, light_count);
    const std::size_t needed = bytes(grid.tiles_x, grid.tiles_y, slices, light_count);
    if (status && scratch_bytes < needed) {
        status = failure("scratch: %zu bytes are too few, light_scratch_bytes() asks for %zu", scratch_bytes, needed);
    }
    return status;
}

Status check_first_depth(const LightGrid& grid, const LightCells& cells) {
    if (cells.is_orthographic != 0 || grid.boundaries[0] >= least_depth) return {};
    return failure("grid.boundaries: element 0 is not 1e-30 or more, in a perspective view");
}

}  // namespace lanecull

using namespace lanecull;

size_t lanecull_light_scratch_bytes(uint32_t tiles_x, uint32_t tiles_y, size_t slices, size_t lights) noexcept {
    return bytes(tiles_x, tiles_y, slices, lights);
}

lanecull_status lanecull_assign_lights(const lanecull_light_grid* grid, const lanecull_lights* lights,
                                       const lanecull_light_options* options, lanecull_light_lists* lists,
                                       void* scratch, size_t scratch_bytes) noexcept {
    const FloatModes modes;
    const LightOptions& how = or_usual(options);
    const Scratch memory(scratch, scratch_bytes);
    Status status = check_not_null(grid, "grid");
    if (status) status = check_not_null(lights, "lights");
    if (status) status = check_not_null(lists, "lists");
    if (status) status = check_span(Span(memory.data(), memory.size()), "scratch");
    if (status) status = check_options(how);
    const LightTable* kernels = nullptr;
    if (status) status = find_kernels(how.isa, "options.isa", kernels);
    if (status) status = check_assignment(*grid, *lights, *lists, memory.size());
    if (!status) return status;
    LightCells cells;
    status = prepare_light_cells(*grid, cells);
    status = status ? check_first_depth(*grid, cells) : within(status, "grid.");
    if (status) Assignment(*grid, cells, *lights, *kernels, memory).run(how.runner, *lists);
    return status;
}
