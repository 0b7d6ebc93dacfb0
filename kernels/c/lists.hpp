#pragma once

/// The opaque lists of the C interface.

#include <algorithm>
#include <new>
#include <span>

#include <lanecull/c/batch.h>
#include <lanecull/c/occluder.h>
#include <lanecull/c/view.h>
#include <lanecull/batch.hpp>
#include <lanecull/occluder.hpp>
#include <lanecull/view.hpp>

#include "base/memory.hpp"
#include "c/given.hpp"

namespace lanecull::c {

template <class T>
struct List : Allocated {
    Array<T> items;

    [[nodiscard]] std::span<T> all() noexcept { return {items.data(), items.size()}; }
    [[nodiscard]] std::span<const T> all() const noexcept { return {items.data(), items.size()}; }
};

/// Makes a list of `count` items like `first`.
template <class Made, class T>
Status create_list(std::uint32_t count, const T& first, const char* name, Made** to) noexcept {
    if (to == nullptr) return Status::failure("%s: must not be null", name);
    auto* const made = new (std::nothrow) Made;
    if (made == nullptr || !made->items.resize(count)) {
        delete made;
        return Status::failure(StatusCode::out_of_memory, "%s: there is not enough memory for %u", name, count);
    }
    std::fill(made->items.begin(), made->items.end(), first);
    *to = made;
    return {};
}

/// How many items the list has; 0 for null.
template <class T>
std::uint32_t length(const List<T>* list) noexcept {
    return list != nullptr ? static_cast<std::uint32_t>(list->items.size()) : 0;
}

/// Whether item `i` of the list may be written.
template <class T>
Status check_item(const List<T>* list, std::uint32_t i, const char* name) noexcept {
    if (list == nullptr) return Status::failure("%s: must not be null", name);
    if (i < list->items.size()) return {};
    return Status::failure("i: %u is not below %zu, the length of %s", i, list->items.size(), name);
}

/// `count` items from `first` on.
template <class T>
Status take_items(const List<T>* list, std::uint32_t first, std::uint32_t count, const char* name,
                  std::span<const T>& to) noexcept {
    if (list == nullptr) return Status::failure("%s: must not be null", name);
    if (first > list->items.size() || count > list->items.size() - first) {
        return Status::failure("%s: %u from %u on are more than its %zu", name, count, first, list->items.size());
    }
    to = list->all().subspan(first, count);
    return {};
}

}  // namespace lanecull::c

struct lanecull_batches : lanecull::c::List<lanecull::Batch> {};
struct lanecull_views : lanecull::c::List<lanecull::View> {};
struct lanecull_occluders : lanecull::c::List<lanecull::Occluder> {
    lanecull::Viewpoint viewpoint;
};
