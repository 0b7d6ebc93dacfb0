#pragma once

#include <lanecull/language.hpp>

#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>

namespace lanecull {

/// Holds one of some structs, which are trivially copyable, and knows which. It is laid out alike by every standard
/// library, and is trivially copyable itself; std::variant is neither, and takes longer to compile.
template <class... Kinds>
class OneOf {
    static_assert((std::is_trivially_copyable_v<Kinds> && ...));

    /// The place of a kind among Kinds; `size` if it is none of them.
    template <class Kind>
    static constexpr std::size_t place_of() noexcept {
        std::size_t place = 0;
        static_cast<void>(((std::is_same_v<Kind, Kinds> || (++place, false)) || ...));
        return place;
    }

    template <std::size_t k, class First, class... Rest>
    struct Pick : Pick<k - 1, Rest...> {};
    template <class First, class... Rest>
    struct Pick<0, First, Rest...> {
        using Kind = First;
    };

    /// A union, not an array of bytes: g++ 12 loses what is written to bytes as a struct and copied with them
    /// (yardstick_test, at -O2 and -O3).
    template <class First, class... Rest>
    union Storage {
        Storage() noexcept {}

        First first;
        Storage<Rest...> rest;
    };
    template <class Last>
    union Storage<Last> {
        Storage() noexcept {}

        Last first;
    };
    template <std::size_t k, class AnyStorage>
    static auto& member(AnyStorage& storage) noexcept {
        if constexpr (k == 0) {
            return storage.first;
        } else {
            return member<k - 1>(storage.rest);
        }
    }

public:
    static constexpr std::size_t size = sizeof...(Kinds);
    template <std::size_t k>
    using At = typename Pick<k, Kinds...>::Kind;
    template <class Kind>
    static constexpr bool has = place_of<Kind>() < size;

    OneOf() noexcept : OneOf(At<0>()) {}
    template <class Kind>
    requires has<Kind> OneOf(const Kind& kind)
    noexcept : index_(static_cast<std::uint32_t>(place_of<Kind>())) {
        ::new (static_cast<void*>(&storage_)) Kind(kind);
    }

    /// The place among Kinds of what it holds.
    [[nodiscard]] std::size_t index() const noexcept { return index_; }

    /// Where what it holds is, of whatever kind.
    [[nodiscard]] const void* address() const noexcept { return &storage_; }

    /// Null if it holds another kind.
    template <class Kind>
    requires has<Kind>
    [[nodiscard]] const Kind* get_if() const noexcept {
        return index_ == place_of<Kind>() ? &member<place_of<Kind>()>(storage_) : nullptr;
    }
    template <class Kind>
    requires has<Kind>
    [[nodiscard]] Kind* get_if() noexcept {
        return index_ == place_of<Kind>() ? &member<place_of<Kind>()>(storage_) : nullptr;
    }

    /// visit(what it holds), whose result has one type for all kinds.
    template <class Visit>
    decltype(auto) visit(const Visit& visit) const {
        return visit_from<0>(*this, visit);
    }
    template <class Visit>
    decltype(auto) visit(const Visit& visit) {
        return visit_from<0>(*this, visit);
    }

private:
    template <std::size_t k, class Self, class Visit>
    static decltype(auto) visit_from(Self& self, const Visit& visit) {
        if constexpr (k + 1 < size) {
            if (self.index_ != k) return visit_from<k + 1>(self, visit);
        }
        return visit(member<k>(self.storage_));
    }

    Storage<Kinds...> storage_;
    std::uint32_t index_;
};

/// One of the structs that OneOf `Shapes` holds.
template <class Kind, class Shapes>
concept KindOfShapes = Shapes::template has<Kind>;

}  // namespace lanecull
