#pragma once

#include <lanecull/library.h>

#include <cstdint>
#include <cstring>
#include <new>
#include <type_traits>

namespace lanecull {

/// What the library keeps in the bytes of a struct that its users copy and do not look into, such as a View: a
/// `Contents`. The struct's `state` says which contents these are; that of another version's, or of none, is not ready.
template <class Contents>
struct Opaque {
    static constexpr std::uint64_t state = std::uint64_t{LANECULL_FORM} << 32 | sizeof(Contents);

    template <class Struct>
    static bool is_ready(const Struct& given) noexcept {
        return given.state == state;
    }
    template <class Struct>
    static const Contents& of(const Struct& given) noexcept {
        static_assert(sizeof(Contents) <= sizeof given.contents && std::is_trivially_copyable_v<Contents>);
        static_assert(alignof(Contents) <= alignof(Struct));
        return *std::launder(reinterpret_cast<const Contents*>(given.contents));
    }
    template <class Struct>
    static void set(Struct& given, const Contents& contents) noexcept {
        ::new (static_cast<void*>(given.contents)) Contents(contents);
        // Equal structs are equal to the byte.
        constexpr std::size_t rest = sizeof given.contents - sizeof(Contents);
        if constexpr (rest > 0) std::memset(given.contents + sizeof(Contents), 0, rest);
        given.state = state;
    }
};

}  // namespace lanecull
