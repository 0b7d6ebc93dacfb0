/// Baked visibility. Any bytes as a set or a file, and files that are changed after they were written: refused, or read
/// without contradiction. Worlds of any numbers: what a cell's set leaves out is a shape, farther away than the
/// distance or hidden from every corner of the cell by one solid.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <memory>
#include <vector>

#include <lanecull/visibility.h>

#include "fuzz/check.hpp"
#include "fuzz/input.hpp"
#include "fuzz/objects.hpp"
#include "support/culling.hpp"
#include "visibility/file.hpp"
#include "visibility/world.hpp"

namespace {

using lanecull::Visibility;

/// As much memory as the bytes are, at a multiple of 16.
std::unique_ptr<std::byte[]> copied(std::span<const std::byte> bytes) {
    std::unique_ptr<std::byte[]> memory(new std::byte[bytes.size()]);
    std::copy(bytes.begin(), bytes.end(), memory.get());
    return memory;
}

std::uint64_t count_of(std::span<const std::uint64_t> words) {
    std::uint64_t count = 0;
    for (const std::uint64_t word : words) count += static_cast<std::uint64_t>(std::popcount(word));
    return count;
}

/// A set that is read once more comes out the same after it was compressed again.
void read_set(std::span<const std::byte> bytes, std::size_t size) {
    const auto memory = copied(bytes);
    WordSet words(size, 0x5555);
    if (!lanecull::expand_set({memory.get(), bytes.size()}, words)) {
        check(words == WordSet(size, 0x5555), "what is refused writes nothing");
        return;
    }
    lanecull::CompressedSet set;
    check(set.compress(words).ok(), "a set is compressed");
    WordSet again(size);
    check(lanecull::expand_set(set.bytes(), again).ok() && again == words, "a set is what it was");
}

void read_file(std::span<const std::byte> bytes) {
    const auto memory = copied(bytes);
    Visibility visibility;
    const lanecull::Status status =
        Visibility::open(std::span<const std::byte>(memory.get(), bytes.size()), visibility);
    if (!status) {
        check(status.message()[0] != 0 && visibility.cell_count() == 0, "what is refused says why");
        return;
    }
    if (visibility.object_count() > 1'000'000) return;  // whose words would take longer than they are worth
    const lanecull::VisibilityHeader header = visibility.header();
    WordSet words(visibility.visibility_words());
    bool whole = true;
    for (std::uint64_t cell = 0; cell < visibility.cell_count(); ++cell) {
        lanecull::ConvexCell corners;
        if (header.cells.empty()) {
            std::uint64_t found = 0;
            check(lanecull::cell_of(header.grid, cell, corners).ok(), "each cell of a grid has corners");
            check(lanecull::find_cell(header.grid, corners.corner[0], found), "a corner is in some cell");
        }
        const bool read = visibility.read(cell, words).ok();
        whole = whole && read;
        if (!read) continue;
        check(count_of(words) == visibility.visible_count(cell), "a set has as many objects as the index says");
        std::uint32_t first = 0;
        std::uint64_t count = 0;
        check(visibility.read_indices(cell, {&first, 1}, count).ok() && count == count_of(words),
              "numbers and words agree");
        check(count == 0 || (words[first / 64] >> first % 64 & 1) != 0, "numbers and words agree");
    }
    check(visibility.verify().ok() == whole, "a file is whole if each set is");
}

std::vector<std::byte> written_file(Input& input) {
    const std::uint32_t objects = input.up_to(input.flag() ? 200 : 140'000);
    std::vector<lanecull::ConvexCell> cells(1 + input.up_to(3));
    for (lanecull::ConvexCell& cell : cells) {
        cell.corners = 1 + input.up_to(7);
        cell.corner[0][1] = input.up_to(1000);
    }
    lanecull::VisibilityHeader header;
    header.objects = objects;
    if (input.flag()) {
        header.cells = cells;
    } else {
        header.grid.count[0] = static_cast<std::uint32_t>(cells.size());
        header.grid.count[1] = header.grid.count[2] = 1;
        for (double& size : header.grid.size) size = 1;
    }
    std::vector<WordSet> sets;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        WordSet& set = sets.emplace_back((objects + 63) / 64);
        for (std::uint32_t n = input.up_to(20); n > 0 && objects > 0; --n) {
            const std::uint32_t at = input.up_to(objects - 1), end = std::min(objects, at + input.up_to(6000));
            for (std::uint32_t k = at; k < end; ++k) set[k / 64] |= std::uint64_t{1} << k % 64;
        }
    }
    return visibility_file(header, sets);
}

void change_file(Input& input) {
    std::vector<std::byte> file = written_file(input);
    for (std::uint32_t n = input.up_to(4); n > 0; --n) {
        const auto from_end =
            static_cast<std::uint32_t>(std::min<std::size_t>(file.size(), input.flag() ? 400 : file.size()));
        const std::size_t at = file.size() - 1 - input.up_to(from_end - 1);
        const std::uint32_t value = input.bits();
        std::memcpy(&file[at], &value, std::min<std::size_t>(1 + input.up_to(3), file.size() - at));
    }
    if (input.flag()) forge_visibility(file);
    read_file(file);
}

bool is_number(double a) { return moderate(a); }

/// A world of any numbers; false: rationals would take too long with them.
bool read_world(Input& input, BakeWorld& world, Streams& streams) {
    world.cell.corners = input.up_to(9);
    bool fast = true;
    for (auto& corner : world.cell.corner) {
        for (double& number : corner) number = input.real(), fast = fast && is_number(number);
    }
    world.options.near_reach = input.flag() ? 0 : std::fabs(input.real());
    if (input.flag()) world.options.distance = std::fabs(input.real());
    world.options.max_occluders = input.up_to(200);
    world.options.max_parts = input.up_to(8);
    fast = fast && is_number(world.options.near_reach) &&
           (std::isinf(world.options.distance) || is_number(world.options.distance));
    for (std::uint32_t n = input.up_to(6); n > 0; --n) {
        lanecull::SolidBox& box = world.boxes.emplace_back();
        for (std::size_t k = 0; k < 3; ++k) {
            box.min[k] = input.single(), box.max[k] = box.min[k] + input.size();
            fast = fast && is_number(double{box.min[k]}) && is_number(double{box.max[k]}) && box.min[k] < box.max[k];
        }
        world.drawn.push_back(box);
    }
    world.hulls = read_hulls(input, false);
    streams = {.margin = input.flag(), .sweep = input.flag()};
    return fast;
}

void bake_world(Input& input) {
    BakeWorld world;
    Streams streams;
    const bool fast = read_world(input, world, streams);
    for (std::uint32_t n = 1 + input.up_to(2); n > 0; --n) {
        const auto kind = all_kinds[input.up_to(std::size(all_kinds) - 1)];
        std::vector<Object> objects(1 + std::size_t{input.up_to(20)});
        for (Object& object : objects) {
            object = read_object(input, kind, world.hulls.size());
            read_attributes(input, streams, object);
        }
        world.add(kind, objects, streams);
    }
    world.scene.refit();
    lanecull::BakeScene prepared;
    check(prepared.prepare(world.scene, world.solids()).ok(), "any solids are taken");
    std::vector<std::byte> scratch(prepared.scratch_bytes());
    std::vector<WordSet> sets;
    std::vector<lanecull::BakedCell> bakes;
    for (const lanecull::Isa isa : runnable_isas()) {
        world.options.isa = isa;
        WordSet words(prepared.visibility_words());
        lanecull::BakedCell baked;
        if (!lanecull::bake_cell(prepared, world.cell, world.options, scratch, words, baked)) return;
        check(baked.visible == count_of(words), "the set has as many objects as are told");
        check(baked.visible + baked.hidden + baked.distant == world.members.size(), "counts add up");
        sets.push_back(std::move(words));
        bakes.push_back(baked);
    }
    if (!fast) return;
    world.finish();
    const std::vector<BakeWorld::Parts> parts = world.parts(bakes);
    for (const BakeWorld::Member& member : world.members) {
        const bool is_kept = std::all_of(sets.begin(), sets.end(), [&](const WordSet& set) {
            return (set[member.slot / 64] >> member.slot % 64 & 1) != 0;
        });
        if (is_kept) continue;
        const std::string about = describe(member.kind, member.object, world.hulls) + world.text;
        check(!is_invalid(member.kind, member.object), "what is left out is a shape", about);
        const exact::Solid object = world.exact_of(member);
        const bool is_proved = world.is_distant(object) || BakeWorld::is_hidden(object, world.corners()) ||
                               std::any_of(parts.begin(), parts.end(), [&](const BakeWorld::Parts& each) {
                                   return BakeWorld::is_hidden(object, each);
                               });
        check(is_proved, "what is left out is not seen", about);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const std::span<const std::byte> bytes(reinterpret_cast<const std::byte*>(data + 1), size - 1);
    Input input(data + 1, size - 1);
    switch (data[0] % 4) {
        case 0:
            read_set(bytes, data[0]);
            break;
        case 1:
            read_file(bytes);
            break;
        case 2:
            change_file(input);
            break;
        default:
            bake_world(input);
    }
    return 0;
}
