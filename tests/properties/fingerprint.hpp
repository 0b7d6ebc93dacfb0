#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include <lanecull/cull.h>

#include "cull/kernel_work.hpp"

namespace properties {

/// Each step is one to one, so that answers that differ in one place have different hashes.
class Hash {
public:
    void add(std::uint64_t value) { value_ = std::rotl((value_ ^ value) * 0x9e3779b97f4a7c15u, 29); }
    void add(float value) { add(std::uint64_t{std::bit_cast<std::uint32_t>(value)}); }
    void add(double value) { add(std::bit_cast<std::uint64_t>(value)); }
    void add(std::span<const float> values) {
        for (const float value : values) add(value);
    }
    void add(std::span<const std::uint64_t> words) {
        for (const std::uint64_t word : words) add(word);
    }
    [[nodiscard]] std::uint64_t value() const { return value_; }

private:
    std::uint64_t value_ = 0xcbf29ce484222325u;
};

/// Of answers: of all there is to them, and of what is decided alone, method by method. What has no methods counts as
/// Method::automatic.
struct Fingerprint {
    static constexpr std::array methods = {lanecull::Method::automatic, lanecull::Method::planes, lanecull::gjk_alone};
    Hash all;
    std::array<Hash, methods.size()> words;  ///< visibility words, and those of pairs that are separated

    void add_words(std::span<const std::uint64_t> decided, lanecull::Method method = lanecull::Method::automatic) {
        all.add(decided);
        words[static_cast<std::size_t>(std::find(methods.begin(), methods.end(), method) - methods.begin())].add(
            decided);
    }
    void add(std::span<const lanecull::Certificate> certificates) {
        for (const lanecull::Certificate& certificate : certificates) {
            all.add(static_cast<std::uint64_t>(certificate.reason));
            all.add(static_cast<std::uint64_t>(certificate.steps));
            all.add(static_cast<std::uint64_t>(certificate.occluder));
            all.add(certificate.far_depth);
            all.add(certificate.gap);
            for (const double component : certificate.direction) all.add(component);
        }
    }
    void add(const lanecull::Counts& counts) {
        all.add(counts.objects());
        all.add(std::span<const std::uint64_t>(counts.by_reason));
    }
};

}  // namespace properties
