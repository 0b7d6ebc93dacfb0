#pragma once

#include <cstddef>
#include <utility>

#include "support/objects.hpp"

/// Fields of an object that may not be negative: from, to.
inline std::pair<std::size_t, std::size_t> size_fields(Kind kind) {
    switch (kind) {
        case Kind::sphere:
            return {3, 4};
        case Kind::centered_box:
            return {3, 6};
        case Kind::oriented_box:
            return {12, 15};
        case Kind::capsule:
            return {6, 7};
        case Kind::quaternion_box:
            return {7, 10};
        case Kind::box:
        case Kind::hull:
        case Kind::box_instance:
            break;
    }
    return {0, 0};
}
