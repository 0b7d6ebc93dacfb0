#pragma once

#include <benchmark/benchmark.h>

#include <lanecull/batch.h>
#include <lanecull/cull.h>
#include <lanecull/library.h>
#include <lanecull/types.h>
#include <lanecull/view.h>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "workloads/workload.hpp"

namespace bench {

/// GJK for every object, which the library takes for tests and benchmarks.
inline constexpr auto gjk_alone = static_cast<lanecull::Method>(255);

struct CullRun {
    Key key;
    lanecull::Method method = lanecull::Method::automatic;
    lanecull::Isa isa = lanecull::Isa::automatic;
    int threads = 1;    ///< 1: the calling one; more: oneTBB's
    bool list = false;  ///< the index list besides the bits
    lanecull::Attributes attributes = {};
};

/// One workload, culled over and over into memory of its own.
class CullPass {
public:
    CullPass(const Workload& objects, const CullRun& run);
    CullPass(const CullPass&) = delete;

    [[nodiscard]] lanecull::Status operator()();
    [[nodiscard]] std::uint64_t kept() const { return output_.visible_count; }

private:
    lanecull::View view_;
    lanecull::Batch batch_;
    lanecull::CullOptions options_;
    std::vector<std::uint64_t> bits_;
    std::vector<std::uint32_t> indices_;
    std::vector<std::byte> scratch_;
    lanecull::Output output_;
};

/// Measures lanecull::cull() on one workload.
void measure_cull(benchmark::State& state, const CullRun& run);

}  // namespace bench
