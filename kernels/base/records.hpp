#pragma once

#include <lanecull/batch.hpp>

namespace lanecull {

/// Record i of records of `floats` numbers each.
inline const float* record(const Records& records, std::size_t floats, std::size_t i) noexcept {
    return records.first +
           i * (records.stride_bytes != Records::packed ? records.stride_bytes / sizeof(float) : floats);
}

}  // namespace lanecull
