#pragma once

#include <cstddef>
#include <cstdint>

#include <lanecull/records.hpp>

namespace lanecull {

/// How the numbers of an affine transform p -> A p + t follow each other in memory. 0 names no layout.
enum class TransformLayout : std::uint8_t {
    rows_3x4 = 1,  ///< 12 floats: (A00 A01 A02 t0) (A10 A11 A12 t1) (A20 A21 A22 t2)
    columns_3x4,   ///< 12 floats: (A00 A10 A20) (A01 A11 A21) (A02 A12 A22) (t0 t1 t2)
    rows_4x4,      ///< 16 floats: the rows of rows_3x4, then (0 0 0 1)
    columns_4x4,   ///< 16 floats: (A00 A10 A20 0) (A01 A11 A21 0) (A02 A12 A22 0) (t0 t1 t2 1)
};

/// The transforms of objects, as engines have them, read at a stride. A may mirror, shear, scale and be singular. The
/// numbers are taken as stored: these are the transforms that a shader reads.
struct Transforms {
    const float* first = nullptr;
    /// Bytes from one transform to the next: a multiple of 4, at least the transform's own size and at most 65,536; or
    /// Records::packed.
    std::size_t stride_bytes = Records::packed;
    /// Must be named: whoever reads transforms fails where it is none of the enumerators, as it is by default. Sixteen
    /// floats that are read as twelve would be other transforms.
    TransformLayout layout = {};
    /// Optional, for worlds too large for floats: position i, less `origin`, is added to object i's translation. What
    /// comes out is then relative to `origin`, as is the view that it is culled in (ClipSpace::origin = eye - origin).
    DoubleRecords positions = {};
    double origin[3] = {};
};

}  // namespace lanecull
