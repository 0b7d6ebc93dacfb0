#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <vector>

#include <lanecull/visibility.h>

#include "base/checksum.hpp"
#include "support/files.hpp"
#include "visibility/file_format.hpp"

/// Visibility files for tests, and some as no writer writes them.

using WordSet = std::vector<std::uint64_t>;

/// The bytes of a file with these sets.
inline std::vector<std::byte> visibility_file(const lanecull::VisibilityHeader& header,
                                              const std::vector<WordSet>& sets) {
    const TemporaryPath path;
    lanecull::VisibilityWriter writer;
    const auto check = [](const lanecull::Status& status) {
        if (!status) throw std::runtime_error(status.message());
    };
    check(writer.open(path.get(), header));
    for (const WordSet& set : sets) check(writer.add(std::span<const std::uint64_t>(set)));
    check(writer.commit());
    return path.bytes();
}

/// Gives a damaged file the right checksums and lengths, so that what lies behind them is tried.
inline void forge_visibility(std::vector<std::byte>& file) {
    using namespace lanecull::visibility_file;
    Tail tail;
    if (file.size() < sizeof(Head) + sizeof tail) return;
    const std::size_t end = file.size() - sizeof tail;
    std::memcpy(&tail, file.data() + end, sizeof tail);
    tail.file_bytes = file.size();
    const bool is_list = tail.grid_count[0] == 0 || tail.grid_count[1] == 0 || tail.grid_count[2] == 0;
    const std::uint64_t sets = sizeof(Head) + (is_list ? tail.cells * sizeof(lanecull::ConvexCell) : 0);
    if (tail.index_offset <= end && tail.cells <= (end - tail.index_offset) / sizeof(Entry)) {
        for (std::uint64_t cell = 0; cell < tail.cells; ++cell) {
            Entry entry;
            std::byte* const at = file.data() + tail.index_offset + cell * sizeof entry;
            std::memcpy(&entry, at, sizeof entry);
            if (entry.offset > end || entry.bytes > end - entry.offset) continue;
            entry.checksum = lanecull::checksum_of(file.data() + entry.offset, entry.bytes);
            std::memcpy(at, &entry, sizeof entry);
        }
        tail.index_checksum = lanecull::checksum_of(file.data() + tail.index_offset, tail.cells * sizeof(Entry));
    }
    if (sets <= end) tail.head_checksum = lanecull::checksum_of(file.data(), static_cast<std::size_t>(sets));
    tail.tail_checksum = lanecull::checksum_of(&tail, offsetof(Tail, tail_checksum));
    std::memcpy(file.data() + end, &tail, sizeof tail);
}
