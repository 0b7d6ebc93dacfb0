#pragma once

/// W objects of a chunk, one a lane.

#include <cstdint>

#include "lanes/gather.hpp"
#include "lanes/inline.hpp"
#include "lanes/lanes.hpp"

namespace lanecull {
namespace {

/// Entries [first, last) of a list: at most W, perhaps none. The lanes beyond them are object 0 and masked. Or W
/// objects in a row.
struct Packet {
    std::uint32_t active;
    IndexW entries;
    std::uint32_t first_object = 0;
    bool neighbours = false;  // set: W objects in a row

    /// W objects in a row from first_object_ on, of which those in the lanes `active_` count. From `end` on, lanes
    /// repeat the last object before it.
    LANE_INLINE Packet(std::uint32_t first_object_, std::uint32_t active_, std::uint32_t end)
        : active(active_),
          entries(lane_numbers() + IndexW(static_cast<std::int32_t>(first_object_))),
          first_object(first_object_),
          neighbours(end - first_object_ >= lanes) {
        if (neighbours) return;
        alignas(64) std::int32_t padded[lanes];
        for (std::uint32_t i = 0; i < lanes; ++i) {
            padded[i] = static_cast<std::int32_t>(first_object + i < end ? first_object + i : end - 1);
        }
        entries = load(padded);
    }

    LANE_INLINE Packet(std::uint32_t active_, IndexW entries_, std::uint32_t first_object_, bool neighbours_)
        : active(active_), entries(entries_), first_object(first_object_), neighbours(neighbours_) {}

    LANE_INLINE Packet(const std::int32_t* entry, std::uint32_t n) {
        active = n >= lanes ? all_lanes : (1u << n) - 1u;
        if (n >= lanes) {
            entries = load(entry);
            const auto object = [&](std::uint32_t at) LANE_LAMBDA { return static_cast<std::uint32_t>(entry[at]); };
            first_object = object(0);
            neighbours = object(lanes - 1) - first_object == lanes - 1;  // lists ascend
            return;
        }
        alignas(64) std::int32_t padded[lanes];
        for (std::uint32_t i = 0; i < lanes; ++i) padded[i] = i < n ? entry[i] : 0;
        entries = load(padded);
    }
    LANE_INLINE IndexW objects() const { return entries; }
    LANE_INLINE GatheredObjects gathered(std::uint32_t chunk_first) const {
        return {chunk_first, objects(), neighbours, chunk_first + first_object};
    }
};

}  // namespace
}  // namespace lanecull
