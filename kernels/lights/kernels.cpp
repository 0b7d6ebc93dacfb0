/// Which tiles of which rows the lights of a chunk reach.

#include <lanecull/light_grid.h>

#include <cstdint>

#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"
#include "lights/cone_rows.hpp"
#include "lights/place.hpp"
#include "lights/rows.hpp"
#include "lights/seen_spots.hpp"
#include "lights/settle.hpp"
#include "lights/work.hpp"

namespace lanecull {
namespace {

constexpr TileSpan span_of(std::uint32_t begin, std::uint32_t end) { return static_cast<TileSpan>(begin | end << 8); }

/// The lights of a chunk that are decided together, by how many slices and rows they have.
struct Order {
    static constexpr std::uint32_t row_classes = 16, slice_classes = 32, classes = slice_classes * row_classes;

    std::uint16_t slot[light_chunk];
    std::uint32_t count = 0;

    static LANE_INLINE std::uint32_t class_of(const LightBlock& block) {
        const std::uint32_t rows = block.end_row - std::uint32_t{block.first_row} - 1;
        const std::uint32_t slices = block.end_slice - std::uint32_t{block.first_slice} - 1;
        return (slices < slice_classes ? slices : slice_classes - 1) * row_classes +
               (rows < row_classes ? rows : row_classes - 1);
    }

    /// Of lights first to end - 1 those for which `counts` is true.
    template <class Counts>
    LANE_INLINE Order(const LightBlock* blocks, std::uint32_t first, std::uint32_t end, const Counts& counts) {
        std::uint16_t next[classes + 1] = {};
        for (std::uint32_t i = first; i < end; ++i) {
            if (!counts(i)) continue;
            ++next[class_of(blocks[i]) + 1];
            ++count;
        }
        if (count == 0) return;
        for (std::uint32_t k = 1; k <= classes; ++k) next[k] = static_cast<std::uint16_t>(next[k] + next[k - 1]);
        for (std::uint32_t i = first; i < end; ++i) {
            if (counts(i)) slot[next[class_of(blocks[i])]++] = static_cast<std::uint16_t>(i);
        }
    }
};

/// Reserves the spans of lights from `first` on.
struct Spans {
    TileSpan* all;
    std::uint64_t next;
};

template <class Packet, class Write>
LANE_INLINE void decide(const LightWork& work, const PlacedLights& placed, const Order& order, Spans& spans,
                        const Write& write) {
    LightBlock* const blocks = work.blocks + work.first;
    for (std::uint32_t at = 0; at < order.count; at += lanes) {
        Packet packet;
        const std::uint32_t n = order.count - at < lanes ? order.count - at : lanes;
        for (std::uint32_t lane = 0; lane < lanes; ++lane) {
            const std::uint32_t slot = order.slot[at + (lane < n ? lane : 0)];
            packet.set(*work.cells, lane, placed, slot, lane < n ? blocks + slot : nullptr);
        }
        for (std::uint32_t lane = 0; lane < n; ++lane) {
            LightBlock& block = blocks[order.slot[at + lane]];
            block.row_pitch = lanes, block.slice_pitch = packet.rows * lanes;
            block.first_span = spans.next + lane;
        }
        write(packet, spans.all + spans.next);
        spans.next += std::uint64_t{packet.slices} * packet.rows * lanes;
    }
}

[[gnu::noinline]] void decide_closed(const LightWork& work, const PlacedLights& placed, Spans& spans) {
    const auto is_closed = [&](std::uint32_t i)
                               LANE_LAMBDA { return placed.way[i] == Way::closed || placed.way[i] == Way::closed_gjk; };
    const Order order(work.blocks + work.first, 0, work.count, is_closed);
    decide<BallPacket>(work, placed, order, spans, [&](const BallPacket& packet, TileSpan* to) LANE_LAMBDA {
        write_spans(*work.cells, packet, to);
    });
}

/// Lights first to end - 1 of the chunk, which are of one kind.
[[gnu::noinline]] void decide_by_planes(const LightWork& work, PlacedLights& placed, Body body, std::uint32_t first,
                                        std::uint32_t end, Spans& spans) {
    const Order order(work.blocks + work.first, first, end,
                      [&](std::uint32_t i) LANE_LAMBDA { return placed.way[i] == Way::planes; });
    std::uint32_t at = 0;
    decide<ConePacket>(work, placed, order, spans, [&](const ConePacket& packet, TileSpan* to) LANE_LAMBDA {
        std::uint32_t doubtful = write_cone_spans(*work.cells, packet, body, to);
        for (; doubtful != 0; doubtful &= doubtful - 1)
            placed.way[order.slot[at + static_cast<std::uint32_t>(__builtin_ctz(doubtful))]] = Way::planes_gjk;
        at += lanes;
    });
}

/// Gives a light whole rows.
LANE_INLINE void take_whole_rows(const LightCells& cells, LightBlock& block, Spans& spans) {
    const std::uint32_t rows = block.end_row - std::uint32_t{block.first_row};
    const std::uint32_t count = rows * (block.end_slice - std::uint32_t{block.first_slice});
    block.first_span = spans.next, block.row_pitch = 1, block.slice_pitch = rows;
    for (std::uint32_t i = 0; i < count; ++i) spans.all[spans.next + i] = span_of(0, cells.x.count);
    spans.next += count;
}

constexpr bool needs_gjk(Way way) { return way == Way::gjk || way == Way::closed_gjk || way == Way::planes_gjk; }

/// Walks through the rows of the lights of a chunk that GJK decides.
class RowsToSettle {
public:
    struct Row {
        std::uint32_t light, slice, row;  ///< `light`: of the chunk
        TileSpan* span;
    };

    LANE_INLINE RowsToSettle(const LightWork& work, const PlacedLights& placed)
        : work_(work), placed_(placed), light_(~0u) {
        go_to_next_light();
    }

    /// False if there is no other.
    LANE_INLINE bool next(Row& row) {
        while (light_ < work_.count) {
            if (slice_ == block().end_slice) {
                go_to_next_light();
                continue;
            }
            const LightBlock& of = block();
            row = {light_, slice_, row_,
                   work_.spans + of.first_span + std::uint64_t{slice_ - of.first_slice} * of.slice_pitch +
                       std::uint64_t{row_ - of.first_row} * of.row_pitch};
            if (++row_ == of.end_row) row_ = of.first_row, ++slice_;
            if (is_wanted(*row.span)) return true;
        }
        return false;
    }

private:
    [[nodiscard]] LANE_INLINE const LightBlock& block() const { return work_.blocks[work_.first + light_]; }
    LANE_INLINE void go_to_next_light() {
        while (++light_ < work_.count) {
            const Way way = placed_.way[light_];
            if (!needs_gjk(way)) continue;
            wanted_ = way == Way::planes_gjk ? doubtful_span : ~TileSpan{0};
            slice_ = block().first_slice, row_ = block().first_row;
            return;
        }
    }

    [[nodiscard]] LANE_INLINE bool is_wanted(TileSpan span) const { return (span & wanted_) != 0; }

    const LightWork& work_;
    const PlacedLights& placed_;
    std::uint32_t light_, slice_ = 0, row_ = 0;
    TileSpan wanted_ = 0;
};

/// Rows under way, one in each lane of two packets.
class Settling {
public:
    LANE_INLINE Settling(const LightWork& work, const PlacedLights& placed)
        : work_(work), cells_(*work.cells), placed_(placed), rows_(work, placed) {}

    LANE_INLINE void run() {
        for (std::uint32_t i = 0; i < PairNumbers::pairs; ++i) {
            for (auto& numbers : numbers_.value) numbers[i] = 0;
            take(i);
        }
        while (active_ != 0) {
            const std::uint32_t apart = find_apart(cells_, work_.lights->spots.end, numbers_, active_);
            for (std::uint32_t rest = active_; rest != 0; rest &= rest - 1) {
                const auto i = static_cast<std::uint32_t>(__builtin_ctz(rest));
                advance(i, (apart >> i & 1) != 0);
            }
        }
    }

private:
    static constexpr std::uint32_t few = 2;  ///< tiles that are tested one by one
    enum class Stage : std::uint8_t { whole, first, last };
    struct State {
        RowsToSettle::Row row;
        std::uint32_t begin, end;
        Stage stage;
    };

    /// What pair i is next, after its block was proved apart, or was not.
    LANE_INLINE void advance(std::uint32_t i, bool apart) {
        State& state = states_[i];
        const bool one = state.end - state.begin == 1;
        if (state.stage == Stage::whole) {
            if (apart) state.begin = state.end;
            if (apart || one) return finish(i);
            state.stage = Stage::first;
        } else if (state.stage == Stage::first) {
            if (apart) {
                ++state.begin;
                if (one) return finish(i);
            } else {
                if (one) return finish(i);
                state.stage = Stage::last;
            }
        } else {
            if (!apart) return finish(i);
            --state.end;
            if (state.end - state.begin == 1) return finish(i);
        }
        set_block(i);
    }

    LANE_INLINE void finish(std::uint32_t i) {
        const State& state = states_[i];
        *state.row.span = state.begin < state.end ? span_of(state.begin, state.end) : 0;
        take(i);
    }

    LANE_INLINE void take(std::uint32_t i) {
        State& state = states_[i];
        const bool is_same = (active_ >> i & 1) != 0;
        const std::uint32_t before = state.row.light;
        active_ &= ~(1u << i);
        if (!rows_.next(state.row)) return;
        active_ |= 1u << i;
        state.begin = begin_of(*state.row.span), state.end = end_of(*state.row.span);
        state.stage = state.end - state.begin <= few ? Stage::first : Stage::whole;
        if (!is_same || before != state.row.light) set_light(i);
        set_block(i);
    }

    LANE_INLINE void set_light(std::uint32_t i) {
        auto& value = numbers_.value;
        const Lights& lights = *work_.lights;
        const std::uint32_t number = work_.first + states_[i].row.light;
        const Frame& frame = cells_.view.frame;
        const bool is_ball = number < lights.balls.count;
        const std::uint32_t spot = is_ball ? 0 : number - lights.balls.count;
        const float p[3] = {is_ball ? lights.balls.x[number] : lights.spots.x[spot],
                            is_ball ? lights.balls.y[number] : lights.spots.y[spot],
                            is_ball ? lights.balls.z[number] : lights.spots.z[spot]};
        float size = 0;
        for (std::uint32_t k = 0; k < 3; ++k) {
            value[PairNumbers::at_x + k][i] = (p[k] - frame.origin_hi[k]) - frame.origin_lo[k];
            size += __builtin_fabsf(value[PairNumbers::at_x + k][i]);
        }
        float radius = 0, range = 0, tangent = 0, axis[3] = {0, 0, 1};
        if (is_ball) {
            radius = lights.balls.radius[number];
        } else {
            range = lights.spots.range[spot], tangent = lights.spots.tangent[spot];
            const float d[3] = {lights.spots.axis_x[spot], lights.spots.axis_y[spot], lights.spots.axis_z[spot]};
            const float length = __builtin_sqrtf(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
            for (std::uint32_t k = 0; k < 3; ++k) axis[k] = d[k] / length;
        }
        for (std::uint32_t k = 0; k < 3; ++k) value[PairNumbers::axis_x + k][i] = axis[k];
        value[PairNumbers::radius][i] = radius, value[PairNumbers::range][i] = range;
        value[PairNumbers::tangent][i] = tangent;
        light_size_[i] = size + radius + range * (lights.spots.end == SpotEnd::flat ? 1 + tangent : 1.0f);
    }

    LANE_INLINE void set_block(std::uint32_t i) {
        auto& value = numbers_.value;
        const State& state = states_[i];
        const std::uint32_t begin = state.stage == Stage::last ? state.end - 1 : state.begin;
        const std::uint32_t end = state.stage == Stage::first ? state.begin + 1 : state.end;
        const auto line = [](const TileLines& lines, std::uint32_t at)
                              LANE_LAMBDA { return lines.first + static_cast<float>(at) * lines.step; };
        const float x[2] = {line(cells_.x, begin), line(cells_.x, end)};
        const float y[2] = {line(cells_.y, state.row.row), line(cells_.y, state.row.row + 1)};
        // Of the cell, what is as near as the light counts.
        const std::uint32_t slot = state.row.light;
        const float near = cells_.depth[state.row.slice], last = cells_.depth[state.row.slice + 1];
        const float top = placed_.z[slot] + placed_.radius[slot], low = placed_.z[slot] - placed_.radius[slot];
        const float far = last < top ? last : top > near ? top : near;
        const float first = cells_.is_orthographic != 0 && low > near ? (low < far ? low : far) : near;
        value[PairNumbers::x_low][i] = x[0], value[PairNumbers::x_high][i] = x[1];
        value[PairNumbers::y_low][i] = y[0], value[PairNumbers::y_high][i] = y[1];
        value[PairNumbers::near][i] = first, value[PairNumbers::far][i] = far;
        const float across =
            __builtin_fabsf(x[0]) + __builtin_fabsf(x[1]) + __builtin_fabsf(y[0]) + __builtin_fabsf(y[1]);
        const float deep = __builtin_fabsf(first) + __builtin_fabsf(far);
        const float size = cells_.is_orthographic != 0 ? across + deep : far * (1 + across);
        value[PairNumbers::magnitude][i] = light_size_[i] + size;
    }

    const LightWork& work_;
    const LightCells& cells_;
    const PlacedLights& placed_;
    RowsToSettle rows_;
    PairNumbers numbers_;
    State states_[PairNumbers::pairs] = {};
    float light_size_[PairNumbers::pairs] = {};
    std::uint32_t active_ = 0;
};

[[gnu::noinline]] void settle(const LightWork& work, const PlacedLights& placed) { Settling(work, placed).run(); }

}  // namespace

template <>
void LightKernels<this_isa>::reach(const LightWork& work) {
    const LightCells& cells = *work.cells;
    PlacedLights& placed = *work.placed;
    const std::uint32_t all_balls = work.lights->balls.count, end = work.first + work.count;
    const std::uint32_t balls = all_balls < work.first ? 0 : (all_balls < end ? all_balls : end) - work.first;
    place(work, false, work.first, balls, placed, 0);
    place(work, true, work.first + balls - all_balls, work.count - balls, placed, balls);

    Spans spans{work.spans, 0};
    decide_closed(work, placed, spans);
    decide_by_planes(work, placed, Body::ball, 0, balls, spans);
    const bool is_flat = work.lights->spots.end == SpotEnd::flat;
    decide_by_planes(work, placed, is_flat ? Body::flat : Body::round, balls, work.count, spans);
    bool any_gjk = false;
    for (std::uint32_t i = 0; i < work.count; ++i) {
        const Way way = placed.way[i];
        if (way == Way::gjk || way == Way::all) take_whole_rows(cells, work.blocks[work.first + i], spans);
        any_gjk = any_gjk || needs_gjk(way);
    }
    if (any_gjk) settle(work, placed);
}

template <>
void LightKernels<this_isa>::see(const SeenSpots& work) {
    UnseenSpots(work).run();
}

}  // namespace lanecull
