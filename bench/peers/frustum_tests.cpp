#include "peers/frustum_tests.hpp"

#include "yardsticks/yardstick_planes_input.hpp"

namespace bench {
namespace {

struct Sphere {
    float center[3], radius;
};
struct Box {
    float low[3], high[3];
};

float dot(const float* a, const float* b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

bool is_visible(const SixPlanes& planes, const Sphere& sphere) {
    for (int k = 0; k < 6; ++k) {
        if (dot(planes.normal[k], sphere.center) - planes.offset[k] > sphere.radius) return false;
    }
    return true;
}

bool is_visible(const SixPlanes& planes, const Box& box) {
    for (int k = 0; k < 6; ++k) {
        const float* n = planes.normal[k];
        const float deepest[3] = {n[0] > 0 ? box.low[0] : box.high[0], n[1] > 0 ? box.low[1] : box.high[1],
                                  n[2] > 0 ? box.low[2] : box.high[2]};
        if (dot(n, deepest) > planes.offset[k]) return false;
    }
    return true;
}

template <class Object>
class Naive final : public FrustumTest {
public:
    Naive(const Camera& camera, std::vector<Object> objects)
        : planes_(six_planes(camera)), objects_(std::move(objects)) {}
    void run(std::span<std::uint64_t> visible) override {
        fill_bits(objects_, visible, [&](const Object& object) { return is_visible(planes_, object); });
    }

private:
    SixPlanes planes_;
    std::vector<Object> objects_;
};

}  // namespace

std::unique_ptr<FrustumTest> naive_frustum_test(const Camera& camera, const lanecull::Batch& batch) {
    if (const auto* s = batch.get_if<lanecull::Spheres>()) {
        std::vector<Sphere> spheres;
        for (std::uint32_t i = 0; i < s->count; ++i) spheres.push_back({{s->x[i], s->y[i], s->z[i]}, s->radius[i]});
        return std::make_unique<Naive<Sphere>>(camera, std::move(spheres));
    }
    const auto& b = *batch.get_if<lanecull::Boxes>();
    std::vector<Box> boxes;
    for (std::uint32_t i = 0; i < b.count; ++i)
        boxes.push_back({{b.min_x[i], b.min_y[i], b.min_z[i]}, {b.max_x[i], b.max_y[i], b.max_z[i]}});
    return std::make_unique<Naive<Box>>(camera, std::move(boxes));
}

std::span<const FrustumTestEntry> frustum_tests() {
    static constexpr FrustumTestEntry tests[] = {
        {"naive", naive_frustum_test},
#if defined(LANECULL_BENCH_OGRE)
        {"ogre", ogre_frustum_test},
#endif
    };
    return tests;
}

}  // namespace bench
