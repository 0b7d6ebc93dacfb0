#pragma once

/// What the C interface is given, checked before the C++ interface sees it.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>

#include <lanecull/c/status.h>
#include <lanecull/status.hpp>

namespace lanecull::c {

/// `message` may be null.
inline lanecull_status report(const Status& status, lanecull_message* message) noexcept {
    static_assert(sizeof(lanecull_message) == 224);
    if (message != nullptr) {
        if (status.ok()) {
            message->text[0] = '\0';
        } else {
            std::memcpy(message->text, status.message(), std::strlen(status.message()) + 1);
        }
    }
    return static_cast<lanecull_status>(status.code());
}

/// Refuses a null argument. A return of its own, where whoever reads the code must see that nothing null goes on.
inline lanecull_status refuse_null(const char* name, lanecull_message* message) noexcept {
    return report(Status::failure("%s: must not be null", name), message);
}

/// A struct begins with its size. A larger one than the library's is that of a newer header; then what the library does
/// not know must be zero.
Status check_size(const void* given, std::size_t size, std::size_t known, const char* name) noexcept;

template <class Struct>
Status check_struct(const Struct* given, const char* name) noexcept {
    if (given == nullptr) return Status::failure("%s: must not be null", name);
    return check_size(given, given->size, sizeof(Struct), name);
}

/// The same for one that may be null.
template <class Struct>
Status check_optional(const Struct* given, const char* name) noexcept {
    return given != nullptr ? check_size(given, given->size, sizeof(Struct), name) : Status();
}

/// Structs in a row, each as large as the first says.
template <class Struct>
class Row {
public:
    explicit Row(Struct* first) : first_(first) {}

    Struct& operator[](std::size_t i) const noexcept {
        using Byte = std::conditional_t<std::is_const_v<Struct>, const char, char>;
        return *reinterpret_cast<Struct*>(reinterpret_cast<Byte*>(first_) + i * first_->size);
    }
    /// Whether all of them may be looked at.
    [[nodiscard]] Status check(std::size_t count, const char* name) const noexcept {
        if (count == 0) return {};
        if (Status status = check_struct(first_, name); !status) return status;
        if (first_->size % alignof(Struct) != 0) {
            return Status::failure("%s[0].size: %zu is no size of structs in a row", name, first_->size);
        }
        for (std::size_t i = 1; i < count; ++i) {
            if ((*this)[i].size != first_->size)
                return Status::failure("%s[%zu].size: not that of %s[0]", name, i, name);
            if (first_->size == sizeof(Struct)) continue;
            if (Status status = check_struct(&(*this)[i], name); !status) return status;
        }
        return {};
    }

private:
    Struct* first_;
};

/// Sets `span`; fails where there is no memory for what it is said to have.
template <class T>
Status take(T* first, std::size_t count, const char* name, std::span<T>& span) noexcept {
    if (first == nullptr && count != 0)
        return Status::failure("%s: must not be null, with a length of %zu", name, count);
    span = {first, first != nullptr ? count : 0};
    return {};
}

/// The same for many fields of a struct, or of several, which fail together: a Status has 228 bytes to copy.
class Fields {
public:
    /// Sets `span`. One that is wrong is set as well, for whoever reads it has asked status() before.
    template <class T>
    void take(T* first, std::size_t count, const char* name, std::span<T>& span) noexcept {
        if (static_cast<unsigned>(first == nullptr) & static_cast<unsigned>(count != 0)) [[unlikely]]
            wrong_ = name;
        span = {first, count};
    }
    /// Whether a struct may be looked at, which may be null.
    template <class Struct>
    void check(const Struct* given, const char* name) noexcept {
        if (given != nullptr && given->size != sizeof(Struct)) join(check_struct(given, name));
    }
    /// What is found of another field. Of several failures the first counts.
    void join(const Status& found) noexcept {
        if (status_) status_ = found;
    }
    [[nodiscard]] bool ok() const noexcept { return wrong_ == nullptr && status_.ok(); }
    [[nodiscard]] Status status() const noexcept {
        if (wrong_ == nullptr) return status_;
        return Status::failure("%s: must not be null, with a length that is not 0", wrong_);
    }

private:
    const char* wrong_ = nullptr;
    Status status_;
};

/// An enumerator by its number, which a caller may have anything for.
template <class Enum>
Status take_enum(std::uint32_t number, Enum last, const char* name, Enum& to) noexcept {
    if (number > static_cast<std::uint32_t>(last)) return Status::failure("%s: there is no number %u", name, number);
    to = static_cast<Enum>(number);
    return {};
}

/// 0 stands for the default.
template <class Number>
constexpr Number or_default(Number given, Number usual) noexcept {
    return given == Number{0} ? usual : given;
}

}  // namespace lanecull::c
