#include "yardsticks/read_memory.hpp"

#include <immintrin.h>

namespace bench {

std::uint64_t read_memory(const std::uint64_t* words, std::size_t count) {
    constexpr std::size_t vectors = 8;  // four cache lines
    __m256i sum[vectors] = {};
    for (std::size_t i = 0; i < count; i += 4 * vectors) {
        for (std::size_t k = 0; k < vectors; ++k)
            sum[k] = _mm256_add_epi64(sum[k], _mm256_loadu_si256(reinterpret_cast<const __m256i*>(words + i + 4 * k)));
    }
    alignas(32) std::uint64_t lanes[4 * vectors];
    std::uint64_t all = 0;
    for (std::size_t k = 0; k < vectors; ++k) _mm256_store_si256(reinterpret_cast<__m256i*>(lanes + 4 * k), sum[k]);
    for (const std::uint64_t lane : lanes) all += lane;
    return all;
}

}  // namespace bench
