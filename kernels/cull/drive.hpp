#pragma once

/// The loop of the pipeline. A step is a pure function of a packet: it says which objects it decides, and for which
/// reasons. drive() takes a step over packets, of a list or of a chunk's bits: it clears the bits of what is culled,
/// records the reasons, and leaves on the list what stays undecided.

#include <cstdint>

#include <lanecull/cull.h>

#include "cull/chunk.hpp"
#include "cull/kernel_work.hpp"
#include "cull/reasons.hpp"
#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"

namespace lanecull {
namespace {

/// What a step finds of W objects, or of up to 64, a bit each. Set in of[k]: decided, for reasons[k]. The first of an
/// object's reasons counts. Objects without one stay undecided.
template <Reason... reasons>
struct Found {
    static constexpr bool may_cull = (is_culled(reasons) || ...);

    std::uint64_t of[sizeof...(reasons)] = {};

    /// Adds a packet of a word, whose first object is bit `shift`.
    LANE_INLINE void add(const Found& packet, std::uint32_t shift) {
        int k = 0;
        ((static_cast<void>(reasons), of[k] |= packet.of[k] << shift, ++k), ...);
    }
    /// Leaves the first reason to each of the objects `asked`, and none to others. Returns those without a reason.
    LANE_INLINE std::uint64_t sort(std::uint64_t asked) {
        int k = 0;
        ((static_cast<void>(reasons), of[k] &= asked, asked &= ~of[k], ++k), ...);
        return asked;
    }
    [[nodiscard]] LANE_INLINE std::uint64_t culled() const {
        std::uint64_t all = 0;
        int k = 0;
        ((all |= is_culled(reasons) ? of[k] : 0, ++k), ...);
        return all;
    }
    /// Calls visit(objects, reason) for each reason.
    template <class Visit>
    LANE_INLINE void each(const Visit& visit) const {
        int k = 0;
        ((visit(of[k], reasons), ++k), ...);
    }
};

/// Clears the bits of what is culled of a packet and records the reasons. Returns the lanes that stay undecided. Sorts
/// what was found.
template <Reason... reasons>
LANE_INLINE std::uint32_t record(Verdicts& verdicts, const Chunk& chunk, const Packet& packet,
                                 Found<reasons...>& found) {
    const std::uint64_t left = found.sort(packet.active);
    if constexpr (Found<reasons...>::may_cull) chunk.clear(chunk.words, packet, found.culled());
    found.each([&](std::uint64_t decided, Reason reason)
                   LANE_LAMBDA { verdicts.record(chunk, packet, decided, reason); });
    return static_cast<std::uint32_t>(left);
}

/// The same for the undecided objects of word w.
template <Reason... reasons>
LANE_INLINE void record(Verdicts& verdicts, const Chunk& chunk, std::uint32_t w, Found<reasons...>& found) {
    chunk.undecided[w] = found.sort(chunk.undecided[w]);
    chunk.words[w] &= ~found.culled();
    found.each([&](std::uint64_t decided, Reason reason) LANE_LAMBDA { verdicts.record(chunk, w, decided, reason); });
}

/// Takes a step over packets: ListPackets, Packets, HullPackets. `test(packet)` gives what it finds.
template <class From, class Test>
LANE_INLINE void drive(Verdicts& verdicts, const Chunk& chunk, From&& packets, const Test& test) {
    while (packets.more()) {
        auto packet = packets.next();
        auto found = test(packet);
        packets.leave(packet, record(verdicts, chunk, packet, found));
    }
}

/// Takes a step over the chunk's words [0, end), which are whole. `test(first)` gives what it finds of 64 objects. What
/// stays undecided keeps its bit.
template <class Test>
LANE_INLINE void drive_words(Verdicts& verdicts, const Chunk& chunk, std::uint32_t end, const Test& test) {
    for (std::uint32_t w = 0; w < end; ++w) {
        auto found = test(chunk.first + 64 * w);
        record(verdicts, chunk, w, found);
    }
}

/// The numbers that support() reads, and the magnitude, in memory. They are written number by number, because gcc 12
/// stores a whole shape twice.
template <class Shape>
struct StagedW {
    alignas(64) float number[Shape::lane_numbers + 1][lanes];

    /// Not by value, which would be a copy in memory (lanes/box.hpp). The shape stays as it is.
    LANE_INLINE void put(Shape& shape) {
        std::uint32_t at = 0;
        shape.visit_lanes([&](FloatW& value) LANE_LAMBDA { store(number[at++], value); });
        // What is not a shape gets an infinite magnitude instead: it is not sound either way.
        store(number[at], select(shape.valid, shape.magnitude, FloatW(__builtin_inff())));
    }
    LANE_INLINE Shape get() const {
        Shape shape;
        std::uint32_t at = 0;
        shape.visit_lanes([&](FloatW& value) LANE_LAMBDA { value = load(number[at++]); });
        shape.magnitude = load(number[at]);
        shape.valid = mask_of(all_lanes);
        return shape;
    }
};

constexpr std::uint32_t few_packets = 4;

/// A few packets of a list, each of which takes a step before any of them takes the next. A packet's operations in a
/// stage are one chain of dependent operations, longer than processors look ahead. Step by step, the processor finds
/// the next packet's operations to begin with.
template <class Shape>
struct FewPackets {
    std::uint32_t count = 0;                              // objects
    alignas(64) std::int32_t entry[few_packets * lanes];  // copies: the list is written to meanwhile
    StagedW<Shape> staged[few_packets];

    LANE_INLINE Packet packet(std::uint32_t k) const { return Packet(entry + k * lanes, count - k * lanes); }
    /// Calls step(k) for each packet.
    template <class Step>
    LANE_INLINE void each(const Step& step) const {
#pragma GCC unroll 1
        for (std::uint32_t k = 0; k * lanes < count; ++k) step(k);
    }
};

/// Loads the list's shapes, a few packets at a time, and calls steps(few), which puts back on the list what stays
/// undecided.
template <class Axes, class Range, class Steps>
LANE_INLINE void drive_few(Range& range, const Chunk& chunk, UndecidedList& list, const Axes& axes,
                           const Steps& steps) {
    FewPackets<decltype(range.load_in_a_row(axes, 0))> few;
    constexpr std::uint32_t room = few_packets * lanes;
    const std::uint32_t waiting = list.take_all();
    for (std::uint32_t at = 0; at < waiting; at += room) {
        few.count = waiting - at < room ? waiting - at : room;
        few.each([&](std::uint32_t k) LANE_LAMBDA {
            store(few.entry + k * lanes, load(list.entry + at + k * lanes));
            auto shape = range.load(axes, few.packet(k).gathered(chunk.first));
            few.staged[k].put(shape);
        });
        steps(few);
    }
}

/// Writes the second bit array: those of the chunk's visible objects that are in the lanes `is_inside(packet)`. Unlike
/// other accepts this is a claim, so it needs a proof.
template <class IsInside>
LANE_INLINE void write_inside(const Chunk& chunk, UndecidedList& list, std::uint64_t* inside,
                              const IsInside& is_inside) {
    std::uint64_t straddling[chunk_words];
    __builtin_memcpy(straddling, chunk.words, chunk.word_count() * sizeof(std::uint64_t));
    for (Packets packets(chunk, chunk.words, list); packets.more();) {
        const Packet packet = packets.next();
        chunk.clear(straddling, packet, is_inside(packet) & packet.active);
    }
    for (std::uint32_t w = 0; w < chunk.word_count(); ++w) inside[w] = chunk.words[w] & ~straddling[w];
}

/// A range's chunks, one after the other.
struct Chunks {
    const RangeTask& task;
    std::uint32_t done = 0;
    UndecidedList list;
    std::uint64_t words[chunk_words], undecided[chunk_words];

    LANE_INLINE explicit Chunks(const RangeTask& task_) : task(task_) {}
    LANE_INLINE bool more() const { return done < task.count; }
    LANE_INLINE Chunk next() {
        const std::uint32_t rest = task.count - done;
        return {task.first + done, rest < chunk_objects ? rest : chunk_objects, words, undecided,
                task.candidates != nullptr ? task.candidates + done / 64 : nullptr};
    }
    /// Writes the chunk's words where the task wants them, and goes on to the next. Returns where the words of what is
    /// wholly inside go, or null.
    LANE_INLINE std::uint64_t* write(const Chunk& chunk) {
        const std::uint32_t at = done / 64;
        const std::size_t bytes = chunk.word_count() * sizeof(std::uint64_t);
        if (task.visible != nullptr) __builtin_memcpy(task.visible + at, chunk.words, bytes);
        if (task.kept != nullptr) __builtin_memcpy(task.kept + at, chunk.words, bytes);
        done += chunk.count;
        return task.inside != nullptr ? task.inside + at : nullptr;
    }
};

}  // namespace
}  // namespace lanecull
