#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include <lanecull/certificate.hpp>

#include "prove/verdicts.hpp"

namespace prove {

/// How many objects of a kind the cases have that fingerprints are made of.
inline constexpr std::size_t fingerprint_objects = 480;

/// FNV-1a, 64 bits.
class Fingerprint {
public:
    void add(std::uint64_t value, int bytes = 8) {
        for (int k = 0; k < bytes; ++k) value_ = (value_ ^ (value >> 8 * k & 0xff)) * 0x100000001b3u;
    }
    void add(float value) { add(std::bit_cast<std::uint32_t>(value), 4); }
    void add(double value) { add(std::bit_cast<std::uint64_t>(value)); }
    void add(std::span<const float> values) {
        for (const float value : values) add(value);
    }
    void add(std::span<const std::uint64_t> words) {
        for (const std::uint64_t word : words) add(word);
    }
    void add(const Verdicts& verdicts) {
        add(std::span<const std::uint64_t>(verdicts.words));
        for (const lanecull::Certificate& certificate : verdicts.certificates) {
            add(static_cast<std::uint64_t>(certificate.reason), 1);
            add(static_cast<std::uint64_t>(certificate.steps), 1);
            add(certificate.far_depth);
            add(certificate.gap);
            for (const double component : certificate.direction) add(component);
        }
        const auto counts =
            std::bit_cast<std::array<std::uint64_t, sizeof(lanecull::Statistics) / 8>>(verdicts.statistics);
        add(std::span<const std::uint64_t>(counts));
    }
    [[nodiscard]] std::uint64_t value() const { return value_; }

private:
    std::uint64_t value_ = 0xcbf29ce484222325u;
};

}  // namespace prove
