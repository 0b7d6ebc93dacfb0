#pragma once

/// What callers give: pointers that C may leave null, spans without memory, fields of newer headers.

#include <lanecull/types.h>

#include <cstddef>
#include <cstdint>

#include "base/failure.hpp"

namespace lanecull {

inline Status check_not_null(const void* given, const char* name) noexcept {
    return given != nullptr ? Status() : failure("%s: must not be null", lasting(name));
}

/// The same for what the library creates itself: null is what it gives where there is not enough memory.
inline Status check_made(const void* object, const char* name) noexcept {
    if (object != nullptr) return {};
    return failure(StatusCode::out_of_memory, "%s: is null; there was not enough memory to create it", lasting(name));
}

/// Callers may pass any number as an enumerator.
template <class Enum>
Status no_enumerator(Enum given, const char* name) noexcept {
    return failure("%s: %u is not a known value", lasting(name), static_cast<std::uint32_t>(given));
}
template <class Enum>
Status check_enum(Enum given, Enum last, const char* name) noexcept {
    return given <= last ? Status() : no_enumerator(given, name);
}

/// Whether there is memory for what the span is said to have.
template <class T>
bool is_backed(Span<T> given) noexcept {
    return given.items != nullptr || given.count == 0;
}
template <class T>
Status check_span(Span<T> given, const char* name) noexcept {
    if (is_backed(given)) return {};
    return failure("%s: must not be null, with a length of %zu", lasting(name), given.count);
}

/// Whether nothing of a struct is set that this library does not know, and the struct was cleared.
template <class Struct>
bool is_cleared(const Struct& given) noexcept {
    std::uint64_t any = 0;
    for (const std::uint64_t word : given.reserved) any |= word;
    if constexpr (requires { given.reserved_too; }) any |= given.reserved_too;
    return any == 0;
}
inline Status not_cleared(const char* name) noexcept {
    return failure(StatusCode::unsupported,
                   "%s: must be zero; the struct is that of a newer library, or was not cleared with {0}",
                   lasting(name));
}
/// The same as a check of an argument `name`.
template <class Struct>
Status check_cleared(const Struct& given, const char* name) noexcept {
    return is_cleared(given) ? Status() : within(not_cleared("reserved"), "%s.", lasting(name));
}

/// What an optional argument stands for.
template <class Options>
const Options& or_usual(const Options* given) noexcept {
    static const Options usual;
    return given != nullptr ? *given : usual;
}

}  // namespace lanecull
