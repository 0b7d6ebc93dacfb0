#include "visibility/portable_set.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include <lanecull/visibility.h>

#include "base/given.hpp"

namespace lanecull {
namespace {

constexpr std::uint32_t cookie_without_runs = 12346, cookie_with_runs = 12347;

/// Sets with runs have offsets if they have so many containers; others always have them.
constexpr std::uint32_t containers_with_offsets = 4;

/// Sets bits first .. last of words.
void set_run(std::uint32_t first, std::uint32_t last, std::uint64_t* words) {
    const std::uint64_t from = ~std::uint64_t{0} << first % 64, to = ~std::uint64_t{0} >> (63 - last % 64);
    const std::uint32_t w = first / 64, end = last / 64;
    if (w == end) {
        words[w] |= from & to;
        return;
    }
    words[w] |= from;
    std::fill(words + w + 1, words + end, ~std::uint64_t{0});
    words[end] |= to;
}

}  // namespace

std::uint32_t PortableSet::number16(std::size_t at) const noexcept {
    return std::to_integer<std::uint32_t>(bytes_[at]) | std::to_integer<std::uint32_t>(bytes_[at + 1]) << 8;
}

std::uint32_t PortableSet::number32(std::size_t at) const noexcept { return number16(at) | number16(at + 2) << 16; }

std::uint64_t PortableSet::word(std::size_t at) const noexcept {
    return number32(at) | std::uint64_t{number32(at + 4)} << 32;
}

bool PortableSet::read_layout() noexcept {
    layout_ = {};
    if (!has(0, 4)) return false;
    const std::uint32_t cookie = number32(0);
    std::size_t at = 4;
    if (cookie == cookie_without_runs) {
        if (!has(at, 4)) return false;
        layout_.containers = number32(at);
        at += 4;
    } else if ((cookie & 0xffff) == cookie_with_runs) {
        layout_.containers = (cookie >> 16) + 1;
        layout_.flags = at;
        at += (layout_.containers + 7) / 8;
    } else {
        return false;
    }
    const std::size_t count = layout_.containers;
    if (count > 65536 || !has(at, 4 * count)) return false;
    layout_.keys = at;
    at += 4 * count;
    if (layout_.flags == 0 || count >= containers_with_offsets) {
        if (!has(at, 4 * count)) return false;
        layout_.offsets = at;
        at += 4 * count;
    }
    layout_.data = at;
    return true;
}

PortableSet::Container PortableSet::container(std::uint32_t i, std::size_t at) const noexcept {
    const std::size_t of = layout_.keys + std::size_t{4} * i;
    const bool is_runs =
        layout_.flags != 0 && (std::to_integer<std::uint32_t>(bytes_[layout_.flags + i / 8]) >> i % 8 & 1) != 0;
    return {number16(of), number16(of + 2) + 1, is_runs, at};
}

bool PortableSet::check_array(const Container& array, std::uint32_t& last) const noexcept {
    if (!has(array.at, std::size_t{2} * array.count)) return false;
    last = number16(array.at);
    for (std::uint32_t i = 1; i < array.count; ++i) {
        const std::uint32_t next = number16(array.at + std::size_t{2} * i);
        if (next <= last) return false;
        last = next;
    }
    return true;
}

bool PortableSet::check_bits(const Container& bits, std::uint32_t& last) const noexcept {
    if (!has(bits.at, std::size_t{8} * container_words)) return false;
    std::uint32_t count = 0;
    for (std::uint32_t w = 0; w < container_words; ++w) {
        const std::uint64_t some = word(bits.at + std::size_t{8} * w);
        count += static_cast<std::uint32_t>(std::popcount(some));
        if (some != 0) last = 64 * w + 63 - static_cast<std::uint32_t>(std::countl_zero(some));
    }
    return count == bits.count;
}

bool PortableSet::check_runs(const Container& runs, std::uint32_t& last) const noexcept {
    if (!has(runs.at, 2)) return false;
    const std::uint32_t n = number16(runs.at);
    if (n == 0 || !has(runs.at + 2, std::size_t{4} * n)) return false;
    std::uint32_t count = 0;
    for (std::uint32_t i = 0; i < n; ++i) {
        const std::size_t at = runs.at + 2 + std::size_t{4} * i;
        const std::uint32_t first = number16(at), more = number16(at + 2);
        if ((i > 0 && first <= last) || first + more > 0xffff) return false;
        last = first + more;
        count += more + 1;
    }
    return count == runs.count;
}

std::size_t PortableSet::bytes_of(const Container& c) const noexcept {
    if (c.is_runs) return 2 + std::size_t{4} * number16(c.at);
    return c.count > most_of_array ? std::size_t{8} * container_words : std::size_t{2} * c.count;
}

bool PortableSet::check(const Container& c, std::size_t& end, std::uint32_t& last) const noexcept {
    const bool right = c.is_runs                  ? check_runs(c, last)
                       : c.count <= most_of_array ? check_array(c, last)
                                                  : check_bits(c, last);
    if (right) end = c.at + bytes_of(c);
    return right;
}

bool PortableSet::read(std::span<const std::byte> bytes, std::uint64_t limit) noexcept {
    bytes_ = bytes;
    limit_ = limit;
    count_ = 0;
    if (!read_layout()) return false;
    std::size_t at = layout_.data;
    for (std::uint32_t i = 0; i < layout_.containers; ++i) {
        const Container c = container(i, at);
        if (layout_.offsets != 0 && number32(layout_.offsets + std::size_t{4} * i) != at) return false;
        if (i > 0 && c.key <= container(i - 1, 0).key) return false;
        std::uint32_t last = 0;
        if (!check(c, at, last)) return false;
        if ((std::uint64_t{c.key} << 16 | last) >= limit) return false;
        count_ += c.count;
    }
    return at == bytes.size();
}

void PortableSet::set_bits(const Container& c, std::uint64_t* words) const noexcept {
    if (c.is_runs) {
        for (std::uint32_t i = 0; i < number16(c.at); ++i) {
            const std::size_t at = c.at + 2 + std::size_t{4} * i;
            set_run(number16(at), number16(at) + number16(at + 2), words);
        }
    } else if (c.count > most_of_array) {
        const std::uint64_t left = (limit_ + 63) / 64 - std::uint64_t{container_words} * c.key;
        for (std::uint32_t w = 0; w < std::min<std::uint64_t>(left, container_words); ++w) {
            words[w] |= word(c.at + std::size_t{8} * w);
        }
    } else {
        for (std::uint32_t i = 0; i < c.count; ++i) {
            const std::uint32_t low = number16(c.at + std::size_t{2} * i);
            words[low / 64] |= std::uint64_t{1} << low % 64;
        }
    }
}

void PortableSet::set_bits(std::uint64_t* words) const noexcept {
    std::size_t at = layout_.data;
    for (std::uint32_t i = 0; i < layout_.containers; ++i) {
        const Container c = container(i, at);
        set_bits(c, words + std::size_t{container_words} * c.key);
        at += bytes_of(c);
    }
}

void PortableSet::write_numbers(std::span<std::uint32_t> to) const noexcept {
    std::size_t at = layout_.data, n = 0;
    for (std::uint32_t i = 0; i < layout_.containers && n < to.size(); ++i) {
        const Container c = container(i, at);
        std::uint64_t words[container_words] = {};
        // Of bits in the last container, those of words that no number is in are zeros.
        set_bits(Container{0, c.count, c.is_runs, c.at}, words);
        for (std::uint32_t w = 0; w < container_words; ++w) {
            for (std::uint64_t rest = words[w]; rest != 0 && n < to.size(); rest &= rest - 1) {
                to[n++] = c.key << 16 | (64 * w + static_cast<std::uint32_t>(std::countr_zero(rest)));
            }
        }
        at += bytes_of(c);
    }
}

}  // namespace lanecull

using namespace lanecull;

lanecull_status lanecull_expand_set(const void* set, size_t bytes, uint64_t* words, size_t word_count) noexcept {
    const std::span all(static_cast<const std::byte*>(set), bytes);
    Status status = check_span(Span(all.data(), bytes), "set");
    if (status) status = check_span(Span(words, word_count), "words");
    if (!status) return status;
    PortableSet portable;
    if (!portable.read(all, std::uint64_t{64} * word_count)) {
        return failure("set: is none in the portable format of Roaring bitmaps, or has more than %zu words",
                       word_count);
    }
    std::fill_n(words, word_count, 0);
    portable.set_bits(words);
    return {};
}
