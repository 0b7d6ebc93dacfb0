#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace lanecull {

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
    /// add() of the data and zeros after it, up to that many bytes in all: less than 64 more.
    void add_padded(const void* data, std::size_t bytes, std::size_t padded_bytes) {
        const std::size_t whole = (bytes + 31) / 32 * 32;
        add(data, bytes);
        static constexpr unsigned char zeros[64] = {};
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

}  // namespace lanecull
