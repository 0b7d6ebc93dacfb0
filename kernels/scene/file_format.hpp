#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

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

enum class What : std::uint32_t { places, unused_names, hull, store, column, names, count, home };

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

/// A checksum of four lanes, each of which multiplies and rotates words of 64 bits. It is as fast as memory, and each
/// bit of the input reaches all bits of its lane.
class Checksum {
public:
    void add(const void* data, std::size_t bytes) {
        const auto* at = static_cast<const unsigned char*>(data);
        total_ += bytes;
        for (; bytes >= 32; at += 32, bytes -= 32) {
            for (std::size_t k = 0; k < 4; ++k) mix(k, at + 8 * k);
        }
        unsigned char rest[32] = {};
        if (bytes == 0) return;
        std::memcpy(rest, at, bytes);  // the last words are filled up with zeros
        for (std::size_t k = 0; k < 4; ++k) mix(k, rest + 8 * k);
    }
    /// add() of the data and zeros after it, up to that many bytes in all.
    void add_padded(const void* data, std::size_t bytes, std::size_t padded_bytes) {
        const std::size_t whole = (bytes + 31) / 32 * 32;
        add(data, bytes);
        static constexpr unsigned char zeros[alignment] = {};
        if (padded_bytes > whole) add(zeros, padded_bytes - whole);
        total_ += whole - bytes;
    }
    [[nodiscard]] std::uint64_t value() const {
        std::uint64_t sum = total_;
        for (const std::uint64_t lane : lane_) sum = (std::rotl(sum, 27) ^ finish(lane)) * multiplier;
        return finish(sum);
    }

private:
    static constexpr std::uint64_t multiplier = 0x9e3779b97f4a7c15u;

    void mix(std::size_t k, const unsigned char* from) {
        std::uint64_t word;
        std::memcpy(&word, from, sizeof word);
        lane_[k] = std::rotl(lane_[k] ^ word * multiplier, 31) * 0xbf58476d1ce4e5b9u;
    }
    static std::uint64_t finish(std::uint64_t z) {
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
        z = (z ^ z >> 27) * 0x94d049bb133111ebu;
        return z ^ z >> 31;
    }

    std::uint64_t lane_[4] = {1, 2, 3, 4};
    std::uint64_t total_ = 0;
};

inline std::uint64_t checksum_of(const void* data, std::size_t bytes) {
    Checksum sum;
    sum.add(data, bytes);
    return sum.value();
}

inline std::size_t padded(std::size_t bytes) { return (bytes + alignment - 1) / alignment * alignment; }

}  // namespace lanecull::scene_file
