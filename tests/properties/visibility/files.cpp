#include <roaring/roaring.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <span>
#include <stdexcept>
#include <vector>

#include <lanecull/visibility.h>

#include "properties/visibility/world.hpp"
#include "support/damaged_file.hpp"
#include "visibility/file.hpp"

/// Compressed sets and files of them: kept whole, or refused.
namespace properties {
namespace {

using lanecull::CompressedSet;
using lanecull::ConvexCell;
using lanecull::Visibility;
using lanecull::VisibilityHeader;
using lanecull::VisibilityWriter;
using Bytes = std::vector<std::byte>;

/// Single numbers, runs, all, none, or half of all, and each in parts.
WordSet random_set(Random& random, std::size_t words) {
    WordSet set(words);
    const int form = random.below(6);
    for (std::uint64_t& word : set) {
        const int here = form == 5 ? random.below(5) : form;
        if (here == 1) word = random.bits();
        if (here == 2) word = ~std::uint64_t{0};
        if (here == 3) word = std::uint64_t{1} << random.below(64);
        if (here == 4) word = (~std::uint64_t{0} << random.below(64)) & (~std::uint64_t{0} >> random.below(64));
    }
    return set;
}

std::vector<std::uint32_t> numbers_of(const WordSet& words) {
    std::vector<std::uint32_t> numbers;
    for (std::uint32_t i = 0; i < 64 * words.size(); ++i) {
        if ((words[i / 64] >> i % 64 & 1) != 0) numbers.push_back(i);
    }
    return numbers;
}

/// What CRoaring reads. It believes its input, so only for sets that expand_set() takes.
std::vector<std::uint32_t> read_by_croaring(std::span<const std::byte> set) {
    roaring_bitmap_t* const bitmap =
        roaring_bitmap_portable_deserialize_safe(reinterpret_cast<const char*>(set.data()), set.size());
    if (bitmap == nullptr) return {};
    std::vector<std::uint32_t> numbers(roaring_bitmap_get_cardinality(bitmap));
    roaring_bitmap_to_uint32_array(bitmap, numbers.data());
    roaring_bitmap_free(bitmap);
    return numbers;
}

/// Exactly as much memory as the bytes need, at a multiple of 16, for the sanitizers.
class ExactMemory {
public:
    explicit ExactMemory(const Bytes& bytes) : memory_(new std::byte[bytes.size()]), size_(bytes.size()) {
        std::copy(bytes.begin(), bytes.end(), memory_.get());
    }
    [[nodiscard]] std::span<const std::byte> bytes() const { return {memory_.get(), size_}; }

private:
    std::unique_ptr<std::byte[]> memory_;
    std::size_t size_;
};

Bytes any_bytes(Random& random, int most) {
    Bytes bytes(static_cast<std::size_t>(random.below(most)));
    for (std::byte& byte : bytes) byte = static_cast<std::byte>(random.below(256));
    return bytes;
}

void refute(Trial& trial, Tally::Count count, const char* what) {
    trial.fail(count, what, [] { return ""; });
}

CompressedSet compressed(const WordSet& words) {
    CompressedSet set;
    if (!set.compress(words)) throw std::runtime_error("no compressed set");
    return set;
}

/// Changes some bytes of which one is at(), wholly or by a bit.
template <class At>
void change(Random& random, int changes, const At& at) {
    for (; changes > 0; --changes) {
        std::byte& byte = at();
        byte = random.chance(0.5) ? static_cast<std::byte>(random.below(256))
                                  : byte ^ static_cast<std::byte>(1 << random.below(8));
    }
}

/// A file as it was written, and what is in it.
struct Written {
    std::vector<ConvexCell> cells;
    std::vector<WordSet> sets;
    VisibilityHeader header;
    Bytes file;

    explicit Written(Random& random) {
        constexpr std::uint64_t special[] = {0, 1, 64, 65'536, 131'072};
        header.objects = random.chance(0.3) ? special[random.below(std::size(special))]
                                            : random.bits() % (random.chance(0.8) ? 1000 : 140'000);
        header.fingerprint = random.bits();
        header.options.near_reach = random.chance(0.5) ? 0.25 : 0;
        header.options.distance = random.chance(0.5) ? std::numeric_limits<double>::infinity() : 500;
        header.options.raster = {1e-3, 2e-7, random.chance(0.5) ? 3e-7 : 0};
        const auto x = static_cast<std::uint32_t>(1 + random.below(4)),
                   y = static_cast<std::uint32_t>(1 + random.below(2));
        if (random.chance(0.5)) {
            cells.resize(std::size_t{x} * y);
        } else {
            header.grid = {{0, -8, 1}, {8, 8, 2}, {x, y, 1}};
        }
        for (ConvexCell& cell : cells) {
            cell.corners = static_cast<std::uint32_t>(1 + random.below(8));
            for (auto& corner : cell.corner) {
                for (double& number : corner) number = random.range(-100, 100);
            }
        }
        for (std::uint32_t i = 0; i < x * y; ++i) {
            sets.push_back(random_set(random, (header.objects + 63) / 64));
            if (header.objects % 64 != 0) sets.back().back() &= (std::uint64_t{1} << header.objects % 64) - 1;
        }
        header.cells = cells;
        file = visibility_file(header, sets);
    }
    Written(const Written&) = delete;
    Written& operator=(const Written&) = delete;

    [[nodiscard]] bool has_header(const VisibilityHeader& read) const {
        const auto same_bytes = [](const auto& a, const auto& b) { return std::memcmp(&a, &b, sizeof a) == 0; };
        return read.objects == header.objects && read.fingerprint == header.fingerprint &&
               read.options.near_reach == header.options.near_reach &&
               read.options.distance == header.options.distance &&
               same_bytes(read.options.raster, header.options.raster) && same_bytes(read.grid, header.grid) &&
               std::ranges::equal(read.cells, cells, [&](const ConvexCell& a, const ConvexCell& b) {
                   return a.corners == b.corners && same_bytes(a.corner, b.corner);
               });
    }
};

/// All ways to read a cell say the same. False: its set is damaged, and nothing was written.
bool check_cell(Trial& trial, const Visibility& visibility, std::uint64_t cell, WordSet& words) {
    const WordSet before(words.size(), 0x5555);
    words = before;
    if (!visibility.read(cell, words)) {
        if (words != before) refute(trial, Tally::untold, "a set that is refused is written");
        return false;
    }
    const std::vector<std::uint32_t> expected = numbers_of(words);
    std::vector<std::uint32_t> numbers(expected.size() + 1, 7), half(expected.size() / 2);
    std::uint64_t count = 0, count_of_half = 0;
    WordSet added = before, both = before, expanded(words.size());
    for (std::size_t w = 0; w < words.size(); ++w) both[w] |= words[w];
    const bool same = visibility.visible_count(cell) == expected.size() && visibility.add_to(cell, added).ok() &&
                      added == both && visibility.read_indices(cell, numbers, count).ok() && count == expected.size() &&
                      numbers.back() == 7 && std::equal(expected.begin(), expected.end(), numbers.begin()) &&
                      visibility.read_indices(cell, half, count_of_half).ok() && count_of_half == count &&
                      std::equal(half.begin(), half.end(), expected.begin()) &&
                      lanecull::expand_set(visibility.compressed(cell), expanded).ok() && expanded == words;
    if (!same) refute(trial, Tally::untold, "a cell's words, numbers and counts differ");
    return true;
}

void check_kept(Trial& trial, const Written& written, const Visibility& visibility) {
    if (!written.has_header(visibility.header()) || visibility.cell_count() != written.sets.size()) {
        return refute(trial, Tally::untold, "another header than was written");
    }
    WordSet words(visibility.visibility_words());
    for (std::uint64_t cell = 0; cell < visibility.cell_count(); ++cell) {
        if (!check_cell(trial, visibility, cell, words) || words != written.sets[cell]) {
            refute(trial, Tally::untold, "another set than was written");
        }
    }
    if (!visibility.verify()) refute(trial, Tally::untold, "a whole file is called damaged");
}

/// The same by compressed sets, as other processes send them; and mapped.
void check_copied(Trial& trial, const Written& written, const Visibility& visibility) {
    const TemporaryPath path;
    VisibilityWriter writer;
    bool copied = writer.open(path.get(), written.header).ok();
    for (std::uint64_t cell = 0; cell < visibility.cell_count(); ++cell) {
        copied = copied && writer.add(visibility.compressed(cell)).ok();
    }
    copied = copied && writer.added() == visibility.cell_count() && writer.commit().ok();
    Visibility mapped;
    if (!copied || path.bytes() != written.file || !Visibility::open(path.get(), mapped)) {
        return refute(trial, Tally::untold, "copied by compressed sets it is another file");
    }
    check_kept(trial, written, mapped);
}

/// What is refused says why; what is not can be read without contradiction. Whether all of it can be read.
bool check_file(Trial& trial, const Bytes& file) {
    const ExactMemory memory(file);
    Visibility visibility;
    const lanecull::Status status = Visibility::open(memory.bytes(), visibility);
    if (!status) {
        if (std::strlen(status.message()) < 6 || visibility.cell_count() != 0) {
            refute(trial, Tally::untold, "refused, yet open or without a word");
        }
        return false;
    }
    if (visibility.object_count() > 1'000'000) return false;  // whose words would take longer than they are worth
    const VisibilityHeader header = visibility.header();
    WordSet words(visibility.visibility_words());
    bool is_whole = true;
    for (std::uint64_t cell = 0; cell < visibility.cell_count(); ++cell) {
        if (header.cells.empty()) {
            ConvexCell corners;
            std::uint64_t found = 0;
            if (!lanecull::cell_of(header.grid, cell, corners) ||
                !lanecull::find_cell(header.grid, corners.corner[0], found)) {
                refute(trial, Tally::untold, "a cell of the grid has no corners, or these lie in none");
            }
        }
        is_whole = check_cell(trial, visibility, cell, words) && is_whole;
    }
    if (visibility.verify().ok() != is_whole) refute(trial, Tally::untold, "whole, but for a set, or the other way");
    return is_whole;
}

}  // namespace

void keep_set(Trial& trial) {
    Random& random = trial.random;
    const WordSet words = random_set(random, static_cast<std::size_t>(random.below(random.chance(0.05) ? 9000 : 100)));
    const CompressedSet set = compressed(words), again = compressed(words);
    WordSet back(words.size(), random.bits());
    if (!lanecull::expand_set(set.bytes(), back) || back != words ||
        read_by_croaring(set.bytes()) != numbers_of(words)) {
        refute(trial, Tally::untold, "another set than was compressed");
    }
    if (!std::ranges::equal(set.bytes(), again.bytes())) refute(trial, Tally::untold, "compressed otherwise again");
}

/// Each change is refused, or makes another set that CRoaring reads alike.
void change_set(Trial& trial) {
    Random& random = trial.random;
    const auto size = static_cast<std::size_t>(1 + random.below(random.chance(0.02) ? 5000 : 40));
    const CompressedSet set = compressed(random_set(random, size));
    Bytes bytes(set.bytes().begin(), set.bytes().end());
    // In the head mostly: its counts, keys and places.
    const std::size_t within = random.chance(0.7) ? std::min<std::size_t>(bytes.size(), 40) : bytes.size();
    change(random, 1 + random.below(3), [&]() -> std::byte& { return bytes[random.bits() % within]; });
    if (random.chance(0.1)) bytes.resize(random.bits() % (bytes.size() + 8));
    if (random.chance(0.1)) bytes = any_bytes(random, 100);
    const ExactMemory memory(bytes);
    const WordSet before(size, 0x5555);
    WordSet words = before, back(size);
    ++trial.at(Tally::cases);
    if (!lanecull::expand_set(memory.bytes(), words)) {
        ++trial.at(Tally::reached);
        if (words != before) refute(trial, Tally::untold, "a set that is refused is written");
        return;
    }
    if (read_by_croaring(memory.bytes()) != numbers_of(words)) {
        refute(trial, Tally::untold, "CRoaring reads another set");
    }
    if (!lanecull::expand_set(compressed(words).bytes(), back) || back != words) {
        refute(trial, Tally::untold, "another set than was compressed");
    }
}

void keep_file(Trial& trial) {
    trial.at(Tally::trials) = 1;
    const Written written(trial.random);
    Visibility visibility;
    if (!Visibility::open(written.file, visibility)) return refute(trial, Tally::untold, "refused as it was written");
    check_kept(trial, written, visibility);
    check_copied(trial, written, visibility);
}

void change_file(Trial& trial) {
    trial.at(Tally::trials) = 1;
    Random& random = trial.random;
    const Written written(random);
    for (std::size_t n = 0; n <= trial.plan.objects / 12 && !trial.stopped(); ++n) {
        Bytes file = random.chance(0.1) ? any_bytes(random, 300) : written.file;
        if (random.chance(0.5)) damage(random, file);
        const std::size_t tail = std::min<std::size_t>(file.size(), 800);  // with the index
        change(random, tail > 0 ? random.below(4) : 0,
               [&]() -> std::byte& { return file[file.size() - 1 - random.bits() % tail]; });
        const bool is_forged = random.chance(0.5);
        if (is_forged) forge_visibility(file);
        const bool is_whole = check_file(trial, file);
        if (file == written.file) continue;
        if (is_whole && !is_forged) refute(trial, Tally::untold, "damage was not noticed");
        trial.at(Tally::cases) += std::uint64_t{is_forged};
        trial.at(Tally::reached) += std::uint64_t{is_forged && is_whole};
    }
}

}  // namespace properties
