#include "suspects.hpp"

#include <algorithm>
#include <cstddef>

#include "support/error.hpp"

namespace lanecull::program {

std::array<double, 16> matrix_of(const Pixel& pixel, std::span<const double, 16> clip_from_world) {
    // x of the pixel's clip space is (x - middle w) / half: rows are combined, each of them every fourth number.
    const auto middle = [](double at, double count) { return (2 * at + 1) / count - 1; };
    const double size[2] = {double(pixel.width), double(pixel.height)};
    const double at[2] = {double(pixel.x), double(pixel.y)};
    std::array<double, 16> result;
    std::copy(clip_from_world.begin(), clip_from_world.end(), result.begin());
    for (std::size_t row = 0; row < 2; ++row) {
        const double half = (1 + 2 * pixel.border) / size[row];
        for (std::size_t column = 0; column < 4; ++column) {
            const double x = clip_from_world[4 * column + row], w = clip_from_world[4 * column + 3];
            result[4 * column + row] = (x - middle(at[row], size[row]) * w) / half;
        }
    }
    return result;
}

std::vector<std::uint32_t> missing_from(std::span<const Batch> batches, std::span<const double, 16> clip_from_world,
                                        const ClipSpace& clip_space, const DirectionalLight* directional_light,
                                        std::span<const DrawCommand> drawn) {
    View view;
    require(prepare_view(clip_from_world, clip_space, view, {.directional_light = directional_light}));
    std::size_t count = 0;
    for (const Batch& batch : batches) count += batch.count();
    std::vector<std::uint32_t> met(count);
    Output output{.indices = met};
    std::vector<std::byte> scratch(scratch_bytes(batches, 1));
    require(cull(batches, {&view, 1}, {&output, 1}, scratch));
    met.resize(output.visible_count);

    std::vector<bool> is_drawn(count);
    for (const DrawCommand& command : drawn) is_drawn[command.first_instance] = true;
    std::erase_if(met, [&](std::uint32_t object) { return is_drawn[object]; });
    return met;
}

}  // namespace lanecull::program
