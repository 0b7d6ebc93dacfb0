#pragma once

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

/// The largest number anywhere in a query's shapes. Tests measure errors relative to it.
inline double size_of(const nlohmann::json& value) {
    if (value.is_number()) return std::fabs(value.get<double>());
    double size = 0;
    if (value.is_structured()) {
        for (const nlohmann::json& item : value) size = std::max(size, size_of(item));
    }
    return size;
}
