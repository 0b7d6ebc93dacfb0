#pragma once

#include <cstdint>
#include <glm/vec3.hpp>
#include <span>

#include "picture/picture_image.hpp"
#include "picture/picture_volume.hpp"
#include "scene/judged_block.hpp"

/// What became of an ordered scene's blocks, seen from above.
namespace lanecull::program {

/// 0xRRGGBB; told apart by colour-blind eyes too.
namespace block_color {
inline constexpr unsigned outside = 0xB4B8BC;
inline constexpr unsigned inside = 0x117733;
inline constexpr unsigned mixed = 0xAA2277;
}  // namespace block_color

/// How many blocks became what.
struct BlockCounts {
    std::uint64_t outside = 0, inside = 0, mixed = 0;

    [[nodiscard]] std::uint64_t all() const { return outside + inside + mixed; }
};
[[nodiscard]] BlockCounts count_blocks(std::span<const JudgedBlock> blocks);

struct BlockMap {
    std::span<const JudgedBlock> blocks;
    const Polyhedron& volume;  ///< its edges
    glm::dvec3 eye;
    glm::dvec3 up;
};

/// A map of all blocks, `width` pixels wide and at most as high. The largest component of `up` points at the reader.
[[nodiscard]] Image draw_block_map(const BlockMap& map, int width);

}  // namespace lanecull::program
