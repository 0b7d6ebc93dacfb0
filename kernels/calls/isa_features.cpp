/// Asks the processor for its features.

#include "calls/isa_features.hpp"

#include "lanes/features.hpp"

namespace lanecull {

std::uint32_t processor_features() noexcept {
    std::uint32_t features = 0;
#if defined(__x86_64__) || defined(__i386__)
    // The compiler's function also asks the operating system whether it saves the wide registers.
    const auto add = [&](int has, std::uint32_t bit) { features |= has != 0 ? bit : 0; };
    add(__builtin_cpu_supports("sse4.2"), feature::sse42);
    add(__builtin_cpu_supports("popcnt"), feature::popcnt);
    add(__builtin_cpu_supports("avx2"), feature::avx2);
    add(__builtin_cpu_supports("fma"), feature::fma);
    add(__builtin_cpu_supports("bmi"), feature::bmi);
    add(__builtin_cpu_supports("bmi2"), feature::bmi2);
    add(__builtin_cpu_supports("avx512f"), feature::avx512f);
    add(__builtin_cpu_supports("avx512cd"), feature::avx512cd);
    add(__builtin_cpu_supports("avx512dq"), feature::avx512dq);
    add(__builtin_cpu_supports("avx512bw"), feature::avx512bw);
    add(__builtin_cpu_supports("avx512vl"), feature::avx512vl);
#endif
    return features;
}

}  // namespace lanecull
