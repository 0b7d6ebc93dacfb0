#pragma once

#include <cstddef>
#include <cstdint>

/// The layout of scene files, for the code that writes and reads them and for tests that damage them.
namespace lanecull::scene_file {

constexpr char magic[16] = "lanecull scene\n";
constexpr std::uint32_t version = 1;
constexpr std::uint32_t byte_order = 0x01020304;
constexpr std::size_t alignment = 64;

struct Header {
    char magic[16];
    std::uint32_t version;
    std::uint32_t byte_order;
    std::uint64_t file_bytes;
    std::uint64_t sections;  // entries of the table
    std::uint64_t checksum;  // of all bytes after the header
    std::uint64_t unused;
    std::uint64_t header_checksum;  // of the header's bytes before this one
};
static_assert(sizeof(Header) == 64);

enum class What : std::uint32_t { places, unused_handles, hull, store, column, handles, count, home };

/// What `a` and `b` are. Hull: the number of its vertices, its index. Store: its index, 0. Column: the store, the
/// column. Names and count: the store, 0. Home: the store, 6 level + side (sides 0 to 2 are low, 3 to 5 high); only
/// level 0 is written. Others: 0, 0.
struct Section {
    std::uint32_t what, a, b, reserved;
    std::uint64_t offset, bytes;
    std::uint64_t padding[4];
};
static_assert(sizeof(Section) == 64);

/// A store's numbers, except those of its objects.
struct StoreRecord {
    std::uint32_t layout, moving, large, blocks;
    double origin[3];
    float spacing;
    std::uint32_t reserved[5];
};
static_assert(sizeof(StoreRecord) == 64);

inline std::size_t padded(std::size_t bytes) { return (bytes + alignment - 1) / alignment * alignment; }

}  // namespace lanecull::scene_file
