#pragma once

#include <lanecull/batch.h>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "workloads/camera.hpp"
#include "workloads/workload.hpp"

/// What engines do: a structure an object, and a function that holds it against the planes one after the other and
/// returns at the first that it is behind. Spheres and boxes.
namespace bench {

class FrustumTest {
public:
    virtual ~FrustumTest() = default;
    /// A bit an object.
    virtual void run(std::span<std::uint64_t> visible) = 0;
};

struct FrustumTestEntry {
    const char* name;
    std::unique_ptr<FrustumTest> (*make)(const Camera& camera, const lanecull::Batch& batch);
};
[[nodiscard]] std::span<const FrustumTestEntry> frustum_tests();
inline constexpr Shape frustum_test_shapes[] = {Shape::sphere, Shape::box};

/// Calls visible(object) of one after the other.
template <class Object, class Visible>
void fill_bits(const std::vector<Object>& objects, std::span<std::uint64_t> bits, Visible visible) {
    for (std::size_t i = 0; i < objects.size(); i += 64) {
        std::uint64_t word = 0;
        const std::size_t end = std::min(objects.size() - i, std::size_t{64});
        for (std::size_t k = 0; k < end; ++k) word |= std::uint64_t{visible(objects[i + k]) ? 1u : 0u} << k;
        bits[i / 64] = word;
    }
}

std::unique_ptr<FrustumTest> naive_frustum_test(const Camera& camera, const lanecull::Batch& batch);
std::unique_ptr<FrustumTest> ogre_frustum_test(const Camera& camera, const lanecull::Batch& batch);

}  // namespace bench
