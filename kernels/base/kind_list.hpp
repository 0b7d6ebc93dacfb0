#pragma once

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>

namespace lanecull {

/// The kinds that a batch may have, in the order of its enumeration Kind, in which 0 is none of them.
template <class... OfKinds>
struct KindList {
    static constexpr std::size_t size = sizeof...(OfKinds);
    template <std::size_t k>
    using At = std::tuple_element_t<k, std::tuple<OfKinds...>>;

    /// Where the batch's kind is in the list; `size` or more if it is not in there.
    template <class Batch>
    static constexpr std::size_t place_of(const Batch& batch) noexcept {
        return static_cast<std::size_t>(static_cast<std::uint32_t>(batch.kind) - 1u);
    }

    /// visit(the batch's shapes), whose result has one type for all kinds. The batch's kind must be in the list.
    template <class Batch, class Visit>
    static decltype(auto) visit(Batch& batch, const Visit& visit) {
        return visit_from<0>(batch, visit);
    }

private:
    template <std::size_t k, class Batch, class Visit>
    static decltype(auto) visit_from(Batch& batch, const Visit& visit) {
        if constexpr (k + 1 < size) {
            if (place_of(batch) != k) return visit_from<k + 1>(batch, visit);
        }
        using OfKind = std::conditional_t<std::is_const_v<Batch>, const At<k>, At<k>>;
        return visit(*reinterpret_cast<OfKind*>(&batch.shapes));
    }
};

}  // namespace lanecull
