#pragma once

#include <cstddef>
#include <cstdint>

#include <lanecull/visibility.h>

/// The layout of visibility files, for the code that writes and reads them and for tests that damage them: a head, the
/// cells if they are no grid, the sets, the index, a tail. So a file is written from its beginning to its end. Numbers
/// are little-endian; each part begins at a multiple of 8 bytes.
namespace lanecull::visibility_file {

constexpr char magic[16] = "lanecull seen\n";
constexpr std::uint32_t version = 1;
constexpr std::uint32_t byte_order = 0x01020304;

struct Head {
    char magic[16];
    std::uint32_t version;
    std::uint32_t byte_order;
    std::uint64_t unused[5];
};
static_assert(sizeof(Head) == 64);

/// Cells of a list are written as they are.
static_assert(sizeof(ConvexCell) == 200 && offsetof(ConvexCell, corner) == 8);

/// A set. It ends where the next one begins, but for up to 7 bytes of zeros.
struct Entry {
    std::uint64_t offset;
    std::uint32_t bytes;
    std::uint32_t visible;   ///< how many objects are in it
    std::uint64_t checksum;  ///< of its bytes
};
static_assert(sizeof(Entry) == 24);

struct Tail {
    std::uint64_t file_bytes;
    std::uint64_t cells;
    std::uint64_t objects;
    std::uint64_t fingerprint;
    std::uint64_t index_offset;
    double grid_lower[3];
    double grid_size[3];
    std::uint32_t grid_count[3];  ///< one of them 0: the cells are a list behind the head
    std::uint32_t unused;
    double near_reach;
    double distance;
    double raster[3];             ///< per_distance, depth_per_square, depth_per_distance
    std::uint64_t head_checksum;  ///< of all before the sets
    std::uint64_t index_checksum;
    std::uint64_t tail_checksum;  ///< of the tail's bytes before this one
};
static_assert(sizeof(Tail) == 168);

constexpr std::size_t padded(std::size_t bytes) { return (bytes + 7) / 8 * 8; }

}  // namespace lanecull::visibility_file
