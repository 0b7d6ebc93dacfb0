/// The module that compare.mjs calls: boxes in the memory of WebAssembly, culled by one view a call.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

#include <emscripten/emscripten.h>

#include <lanecull/cull.hpp>

extern "C" {

/// `columns`: min x, y, z, then max x, y, z of all boxes. `clip_from_world`: the 16 numbers of a matrix as WebGL has
/// them, by columns. Each box gets a bit; where `indices` is not null, the visible ones are listed as well, in room for
/// all. Returns how many are visible, or -1.
EMSCRIPTEN_KEEPALIVE int cull_boxes(const float* columns, std::uint32_t count, const double* clip_from_world,
                                    std::uint64_t* bits, std::uint32_t* indices) {
    const float* c[6];
    for (std::size_t k = 0; k < 6; ++k) c[k] = columns + k * count;
    const lanecull::Batch batch{lanecull::Boxes{c[0], c[1], c[2], c[3], c[4], c[5], count}};
    lanecull::View view;
    const lanecull::ClipSpace webgl{.layout = lanecull::MatrixLayout::column_major,
                                    .depth = lanecull::DepthRange::minus_one_to_one};
    if (!lanecull::prepare_view(std::span<const double, 16>(clip_from_world, 16), webgl, view)) return -1;
    lanecull::ViewOutput output;
    output.visible = {bits, (count + 63) / 64};
    if (indices != nullptr) output.indices = {indices, count};
    // Kept for the next call, as an engine keeps it.
    static std::byte* scratch = nullptr;
    static std::size_t scratch_size = 0;
    const std::size_t needed = lanecull::scratch_bytes({&batch, 1}, 1);
    if (needed > scratch_size) {
        auto* larger = static_cast<std::byte*>(std::realloc(scratch, needed));
        if (larger == nullptr) return -1;
        scratch = larger;
        scratch_size = needed;
    }
    if (!lanecull::cull({&batch, 1}, {&view, 1}, {&output, 1}, {scratch, needed})) return -1;
    return static_cast<int>(output.visible_count);
}

}  // extern "C"
