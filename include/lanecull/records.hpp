#pragma once

#include <lanecull/language.hpp>

#include <cstddef>

namespace lanecull {

/// Records of floats read at a stride: record i starts at byte `i * stride_bytes` from `first`.
struct Records {
    const float* first = nullptr;
    /// Bytes from one record to the next: a multiple of 4, at least the record's own size and at most 65,536; or
    /// `packed`: one record right after the other.
    std::size_t stride_bytes = packed;

    static constexpr std::size_t packed = ~std::size_t{0};
};

/// Positions in double precision, 3 doubles a record, read at a stride.
struct DoubleRecords {
    const double* first = nullptr;
    /// Bytes from one record to the next: a multiple of 8 from 24 to 65,536; or Records::packed.
    std::size_t stride_bytes = Records::packed;
};

}  // namespace lanecull
