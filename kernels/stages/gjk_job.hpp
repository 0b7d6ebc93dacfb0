#pragma once

/// What the files that share GJK for boxes pass to each other (stages/gjk_boxes.hpp).

#include <cstdint>

#include <lanecull/prepared_view.hpp>

namespace lanecull {

/// A packet of a list's entries as it passes between the files of a set: plain numbers, because each file's lane types
/// are its own.
struct PacketEntries {
    alignas(64) std::int32_t object[16];  ///< of the chunk; W of them count
    std::uint32_t active;                 ///< set: the lane holds one of the list's objects
    std::uint32_t first_object;
    bool neighbours;  ///< set: W objects in a row from first_object
};

/// Which lanes GJK has decided, and how.
struct GjkMasks {
    std::uint32_t apart, overlap, touching, cap;
};

/// Boxes along the axes that GJK is to decide. Their kinds' files load them and record what is decided; one file has
/// GJK itself for all of them (stages/gjk_boxes.cpp).
struct GjkBoxes {
    /// Numbers of a packet: the centre's three, three axes' three each, the magnitude, and the three of the direction
    /// that GJK starts in.
    static constexpr std::uint32_t numbers = 16;

    const PreparedView* view;
    const std::int32_t* entries;  ///< objects of the chunk, ascending
    std::uint32_t count;

    void* self;  ///< what the two functions are called with
    /// Loads two packets at a time. Writes number k of lane i to to[k * W + i], packet by packet, and which lanes are
    /// sound.
    void (*load)(void* self, const PacketEntries (&packets)[2], float* const (&to)[2], std::uint32_t (&sound_lanes)[2]);
    void (*record)(void* self, const PacketEntries& packet, const GjkMasks& decided);
};
static_assert(GjkBoxes::numbers == 3 + 9 + 1 + 3);

using GjkBoxesKernel = void(const GjkBoxes& boxes);

}  // namespace lanecull
