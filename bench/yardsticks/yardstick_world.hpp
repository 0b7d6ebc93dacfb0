#pragma once

#include <cstdint>

#include <lanecull/batch.h>

/// The yardstick for world bounds: what an expert writes who wants the boxes of transformed local boxes, W objects side
/// by side, and nothing else. No rounding bound, no invalid objects, no tails, no choice of layout.
namespace bench {

struct WorldBoxLoop {
    /// Local box i and transform i, 12 floats row by row, give box i; `out` are the streams of Boxes. boxes.count is a
    /// multiple of 16.
    void (*run)(const lanecull::Boxes& boxes, const float* transforms, float* const (&out)[6]);
};
extern const WorldBoxLoop world_box_loop_avx2;
extern const WorldBoxLoop world_box_loop_avx512;

}  // namespace bench
