#include <lanecull/lanecull.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <vector>

/// Prints what the library makes of a few thousand objects near a frustum's sides, for every instruction set, method
/// and kind. The numbers that go in are whole multiples of 2^-8, which no compiler flag can change.

namespace {

constexpr std::uint32_t count = 1'000;

std::uint32_t random_bits() {
    static std::uint32_t state = 1;
    state = state * 1664525u + 1013904223u;
    return state >> 8;
}

/// In [low, low + range), both whole.
std::vector<float> stream(int low, int range) {
    std::vector<float> values(count);
    for (float& value : values) {
        const auto steps = static_cast<int>(random_bits() % (static_cast<std::uint32_t>(range) * 256u));
        value = static_cast<float>(steps + low * 256) * 0.00390625f;
    }
    return values;
}

/// Records of so many streams' values.
std::vector<float> records(std::initializer_list<std::vector<float>> streams) {
    std::vector<float> result;
    for (std::uint32_t i = 0; i < count; ++i) {
        for (const std::vector<float>& values : streams) result.push_back(values[i]);
    }
    return result;
}

bool print_verdicts(const lanecull::View& view, const lanecull::Batch& batch) {
    for (const lanecull::Isa isa : lanecull::all_isas) {
        if (!lanecull::isa_runnable(isa)) continue;
        for (const auto method : {lanecull::Method::automatic, lanecull::Method::planes}) {
            std::vector<std::uint64_t> bits(lanecull::visibility_words(batch));
            std::vector<std::byte> scratch(lanecull::scratch_bytes(batch, 1));
            lanecull::Output output{.visible = bits};
            const lanecull::CullOptions options{.method = method, .isa = isa};
            if (!lanecull::cull(batch, view, output, scratch, options)) return false;
            if (output.visible_count == 0 || output.visible_count == count) return false;
            std::printf("%s %d %d", lanecull::isa_name(isa), static_cast<int>(method), static_cast<int>(batch.kind));
            for (const std::uint64_t word : bits) std::printf(" %llx", static_cast<unsigned long long>(word));
            std::printf("\n");
        }
    }
    return true;
}

}  // namespace

int main() {
    const std::array<double, 16> clip_from_world = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1.25, -1, 0, 0, -2.5, 0};
    lanecull::View view;
    if (!lanecull::prepare_view(clip_from_world, {}, view)) return 1;

    const auto x = stream(-20, 40), y = stream(-20, 40), z = stream(-20, 20), size = stream(0, 4);
    const auto a_x = stream(-20, 40), one = stream(0, 2), two = stream(-1, 2), three = stream(-1, 2);
    const auto axes = records({one, two, three, three, one, two, two, three, one});
    const auto half = records({size, size, one});
    const auto transforms = records({one, two, three, x, three, one, two, y, two, three, one, z});
    lanecull::Hull hull;
    if (!lanecull::prepare_hull(two.data(), three.data(), two.data() + 40, 30, hull)) return 1;

    const lanecull::Batch batches[] = {
        lanecull::Spheres{x.data(), y.data(), z.data(), size.data(), count},
        lanecull::OrientedBoxes{.x = x.data(),
                                .y = y.data(),
                                .z = z.data(),
                                .axes = {axes.data()},
                                .half_extents = {half.data()},
                                .count = count},
        lanecull::Capsules{x.data(), y.data(), z.data(), a_x.data(), y.data(), z.data(), size.data(), count},
        lanecull::HullInstances{
            .transforms = {.first = transforms.data(), .layout = lanecull::TransformLayout::rows_3x4},
            .hulls = &hull,
            .hull_count = 1,
            .count = count},
    };
    lanecull::SphereBounds sphere;
    if (!lanecull::bounding_sphere({x.data(), y.data(), z.data(), count}, sphere)) return 1;
    std::printf("%a\n", static_cast<double>(sphere.radius));
    for (const lanecull::Batch& batch : batches) {
        if (!print_verdicts(view, batch)) return 1;
    }
    return 0;
}
