/// Blocks of objects and the boxes over them.

#include "scene/store.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <utility>

#include "base/float_modes.hpp"

namespace lanecull {
namespace {

std::uint32_t nodes_above(std::uint32_t nodes) { return (nodes + fanout - 1) / fanout; }

void set_bit(Array<std::uint64_t>& words, std::uint32_t i, bool value) {
    const std::uint64_t bit = std::uint64_t{1} << i % 64;
    words[i / 64] = value ? words[i / 64] | bit : words[i / 64] & ~bit;
}
bool has_bit(const Array<std::uint64_t>& words, std::uint32_t i) { return (words[i / 64] >> i % 64 & 1) != 0; }

/// The smallest of `n` numbers, none of them NaN.
float least_of(const float* from, std::uint32_t n) {
    float least = float_infinity;
    for (std::uint32_t i = 0; i < n; ++i) least = from[i] < least ? from[i] : least;
    return least;
}
float most_of(const float* from, std::uint32_t n) {
    float most = -float_infinity;
    for (std::uint32_t i = 0; i < n; ++i) most = from[i] > most ? from[i] : most;
    return most;
}

/// Whether low <= high in all of them.
bool ordered(const float* low, const float* high, std::uint32_t n) {
    std::uint32_t count = 0;
    for (std::uint32_t i = 0; i < n; ++i) count += low[i] <= high[i] ? 1u : 0u;
    return count == n;
}

constexpr float far_away = 1e33f;  // box_of() treats objects beyond it by themselves

/// The kernels that find boxes. The boxes are the same with any instruction set.
const BoundsTable& kernels_here() {
    const BoundsTable* kernels = nullptr;
    if (!find_kernels(Isa::automatic, "", kernels)) kernels = &table_of<BoundsTable>(Isa::automatic);
    return *kernels;
}

/// How much a node's box must grow to contain another, summed over the three axes.
double growth(const Level& level, std::uint32_t node, const ObjectBox& box) {
    double more = 0;
    for (std::uint32_t j = 0; j < 3; ++j) {
        const float below = level.low[j][node] - box.low[j], above = box.high[j] - level.high[j][node];
        more += static_cast<double>((below > 0 ? below : 0) + (above > 0 ? above : 0));
    }
    return more;
}

}  // namespace

ObjectBox empty_box() noexcept {
    return {{float_infinity, float_infinity, float_infinity},
            {-float_infinity, -float_infinity, -float_infinity},
            false,
            false};
}

void include(ObjectBox& box, const ObjectBox& other) noexcept {
    for (std::uint32_t j = 0; j < 3; ++j) {
        box.low[j] = std::min(box.low[j], other.low[j]);
        box.high[j] = std::max(box.high[j], other.high[j]);
    }
    box.never_outside = box.never_outside || other.never_outside;
    box.never_inside = box.never_inside || other.never_inside;
}

double size_of(const ObjectBox& box) noexcept {
    if (!(box.low[0] <= box.high[0])) return 0;
    double size = 0;
    for (std::uint32_t j = 0; j < 3; ++j) size += static_cast<double>(box.high[j] - box.low[j]);
    return size;
}

bool Level::make_room(std::uint32_t nodes) noexcept {
    const std::uint64_t words = (std::uint64_t{nodes} + 63) / 64;
    for (std::uint32_t j = 0; j < 3; ++j) {
        if (!low[j].make_room(64 * words) || !high[j].make_room(64 * words)) return false;
    }
    return never_outside.make_room(words) && never_inside.make_room(words);
}

void Level::resize(std::uint32_t nodes) noexcept {
    const std::size_t padded = (static_cast<std::size_t>(nodes) + 63) / 64 * 64, before = low[0].size();
    const auto fill = [&](Array<float>& side, float value) {
        side.resize_reserved(padded);
        std::fill(side.data() + std::min(before, padded), side.end(), value);
    };
    for (Array<float>& side : low) fill(side, float_infinity);
    for (Array<float>& side : high) fill(side, -float_infinity);
    never_outside.resize_reserved(padded / 64);
    never_inside.resize_reserved(padded / 64);
    count = nodes;
}

void Level::set(std::uint32_t node, const ObjectBox& box) noexcept {
    for (std::uint32_t j = 0; j < 3; ++j) {
        low[j][node] = box.low[j];
        high[j][node] = box.high[j];
    }
    set_bit(never_outside, node, box.never_outside);
    set_bit(never_inside, node, box.never_inside);
}

ObjectBox Level::get(std::uint32_t node) const noexcept {
    return {{low[0][node], low[1][node], low[2][node]},
            {high[0][node], high[1][node], high[2][node]},
            has_bit(never_outside, node),
            has_bit(never_inside, node)};
}

Columns Store::view(const Hull* hulls, std::uint32_t hull_count) const noexcept {
    Columns result;
    result.layout = key.layout;
    for (std::uint32_t c = 0; c < most_columns; ++c) {
        if (columns[c].empty()) continue;
        result.first[c] = reinterpret_cast<const std::byte*>(columns[c].data());
        result.stride[c] = width_of(key.layout, c) * sizeof(float);
    }
    result.hulls = hulls;
    result.hull_count = hull_count;
    return result;
}

std::uint64_t Store::bytes() const noexcept {
    std::uint64_t sum = handles.capacity_bytes() + count.capacity_bytes() + grown.capacity_bytes() +
                        loose.capacity_bytes() + wandered.capacity_bytes();
    for (const auto& column : columns) sum += column.capacity_bytes();
    for (std::uint32_t l = 0; l < most_levels; ++l) {
        for (const Level* level : {&levels[l], &homes[l]}) {
            for (std::uint32_t j = 0; j < 3; ++j) {
                sum += level->low[j].capacity_bytes() + level->high[j].capacity_bytes();
            }
            sum += level->never_outside.capacity_bytes() + level->never_inside.capacity_bytes();
        }
    }
    return sum;
}

bool Store::make_room(std::uint64_t blocks, AttributeMask attributes) noexcept {
    if (blocks > most_slots / block_slots) return false;
    const std::uint64_t slots = block_slots * blocks;
    for (std::uint32_t c = 0; c < most_columns; ++c) {
        const bool is_wanted = c < most_shape_columns || !columns[c].empty() || (attributes >> c & 1) != 0;
        if (is_wanted && !columns[c].make_room(slots * width_of(key.layout, c))) return false;
    }
    for (Array<std::uint64_t>* bits : {&grown, &loose, &wandered}) {
        if (!bits->make_room((blocks + 63) / 64)) return false;
    }
    auto nodes = static_cast<std::uint32_t>(blocks);
    for (std::uint32_t l = 0; l < most_levels; ++l, nodes = nodes_above(nodes)) {
        if (!levels[l].make_room(nodes) || !homes[l].make_room(nodes)) return false;
        if (nodes <= fanout) break;
    }
    return handles.make_room(slots) && count.make_room(blocks);
}

void Store::resize_blocks(std::uint32_t blocks) noexcept {
    const std::uint64_t slots = std::uint64_t{block_slots} * blocks;
    for (std::uint32_t c = 0; c < most_columns; ++c) {
        if (c >= most_shape_columns && columns[c].empty()) continue;
        const std::size_t before = columns[c].size();
        columns[c].resize_reserved(slots * width_of(key.layout, c));
        if (c >= most_shape_columns && slots > before) {
            std::fill(columns[c].data() + before, columns[c].end(), absent_attribute(c - most_shape_columns));
        }
    }
    for (Array<std::uint64_t>* bits : {&grown, &loose, &wandered}) {
        bits->resize_reserved((blocks + std::size_t{63}) / 64);
    }
    handles.resize_reserved(slots);
    std::uint32_t nodes = blocks;
    const std::uint32_t levels_before = level_count;
    for (std::uint32_t l = 0; l < most_levels; ++l, nodes = nodes_above(nodes)) {
        levels[l].resize(nodes);
        homes[l].resize(nodes);
        level_count = l + 1;
        if (nodes <= fanout) break;
    }
    see_whether_plain();
    count.resize_reserved(blocks);
    if (level_count > levels_before) fill_new_level();
}

/// A new level is over all blocks, also over those that no edit has touched. refit() must read all of them: a node
/// that it leaves out stays empty, and the next level's box would not contain that node's objects.
void Store::fill_new_level() noexcept {
    std::fill(grown.begin(), grown.end(), ~std::uint64_t{0});
    any_grown = true;
    settle_upper_homes();
}

void Store::take_attributes(AttributeMask attributes) noexcept {
    for (std::uint32_t c = most_shape_columns; c < most_columns; ++c) {
        if ((attributes >> c & 1) == 0 || !columns[c].empty()) continue;
        columns[c].resize_reserved(slots() * width_of(key.layout, c));
        std::fill(columns[c].begin(), columns[c].end(), absent_attribute(c - most_shape_columns));
    }
    see_whether_plain();
}

void Store::write(std::uint32_t slot, const Columns& from, std::size_t i) noexcept {
    for (std::uint32_t c = 0; c < most_columns; ++c) {
        const std::size_t width = width_of(key.layout, c);
        if (!columns[c].empty()) from.read(c, i, columns[c].data() + slot * width);
    }
}

void Store::write_attributes(std::uint32_t slot, const Columns& from, std::size_t i) noexcept {
    for (std::uint32_t c = most_shape_columns; c < draw_column; ++c) {
        if (from.has(c)) from.read(c, i, columns[c].data() + slot);
    }
}

void Store::write_shapes(std::span<const std::uint32_t> chosen, const std::uint32_t* slots,
                         const Columns& from) noexcept {
    for (std::uint32_t c = 0; c < most_shape_columns; ++c) {
        const std::size_t width = width_of(key.layout, c);
        if (width == 0) continue;
        std::uint32_t* const to = columns[c].data();
        if (from.is_stream(c)) {
            const std::byte* const numbers = from.first[c];
            for (std::size_t k = 0; k < chosen.size(); ++k) {
                std::memcpy(to + slots[k], numbers + chosen[k] * sizeof(float), sizeof(float));
            }
        } else {
            for (std::size_t k = 0; k < chosen.size(); ++k) from.read(c, chosen[k], to + slots[k] * width);
        }
    }
}

void Store::fit_where_many(std::uint32_t first_block, const std::uint32_t (&placed)[64], std::uint32_t few,
                           const Columns& from) noexcept {
    const BoundsTable& kernels = kernels_here();
    for (std::uint32_t b = 0; b < 64; ++b) {
        const std::uint32_t block = first_block + b;
        if (placed[b] == 0) continue;
        const bool many = few * placed[b] >= count[block];
        if (many) levels[0].set(block, fit_block(from, kernels, block));
        set_bit(loose, block, !many);
        set_bit(grown, block, true);
        set_bit(wandered, block, true);
    }
}

void Store::grow_box(std::uint32_t slot, const Columns& from) noexcept {
    if (plain && grow_around_plain(slot)) return;
    const std::uint32_t block = slot / block_slots;
    ObjectBox whole = levels[0].get(block);
    include(whole, box_of(from, slot));
    levels[0].set(block, whole);
}

void Store::see_whether_edited() noexcept {
    const auto has_any = [](const Array<std::uint64_t>& marks) {
        return std::any_of(marks.begin(), marks.end(), [](std::uint64_t word) { return word != 0; });
    };
    any_grown = any_grown || has_any(grown);
    any_loose = any_loose || has_any(loose);
}

void Store::see_whether_plain() noexcept {
    const auto* const attributes = columns + most_shape_columns;
    plain = facts_of(key.layout).is_own_box && std::all_of(attributes, attributes + attribute_columns,
                                                           [](const auto& attribute) { return attribute.empty(); });
}

void Store::note_growth(std::uint32_t block) noexcept {
    const std::uint64_t bit = std::uint64_t{1} << block % 64;
    const std::uint32_t w = block / 64;
    if ((grown[w] & loose[w] & wandered[w] & bit) != 0) return;
    grown[w] |= bit;
    loose[w] |= bit;
    wandered[w] |= bit;
    any_grown = any_loose = true;
}

/// False: only box_of() can compute the object's box.
bool Store::grow_around_plain(std::uint32_t slot) noexcept {
    const std::uint32_t block = slot / block_slots;
    float low[3], high[3];
    bool known = true;
    for (std::uint32_t j = 0; j < 3; ++j) {
        low[j] = stream(j)[slot];
        high[j] = stream(3 + j)[slot];
        known = known && low[j] <= high[j] && low[j] > -far_away && high[j] < far_away;
    }
    if (!known) return false;
    Level& level = levels[0];
    for (std::uint32_t j = 0; j < 3; ++j) {
        if (low[j] < level.low[j][block]) level.low[j][block] = low[j];
        if (high[j] > level.high[j][block]) level.high[j][block] = high[j];
    }
    return true;
}

void Store::grow_around(std::uint32_t slot, const Hull* hulls, std::uint32_t hull_count) noexcept {
    grow_box(slot, view(hulls, hull_count));
    note_growth(slot / block_slots);
}

/// Branch and bound: a child's home lies in its parent's, so it must grow by no less.
void Store::search_nearest(std::uint32_t level, std::uint32_t first, const ObjectBox& box,
                           Nearest& nearest) const noexcept {
    const std::uint32_t n = std::min(homes[level].count - first, fanout);
    double more[fanout];
    for (std::uint32_t i = 0; i < n; ++i) {
        const bool full = level == 0 && count[first + i] == block_slots;
        more[i] = full ? static_cast<double>(float_infinity) : growth(homes[level], first + i, box);
    }
    for (;;) {
        const auto i = static_cast<std::uint32_t>(std::min_element(more, more + n) - more);
        if (!(more[i] < nearest.growth)) return;
        if (level == 0) {
            nearest = {first + i, more[i]};
            return;
        }
        search_nearest(level - 1, (first + i) * fanout, box, nearest);
        more[i] = static_cast<double>(float_infinity);
    }
}

std::uint32_t Store::nearest_block(const ObjectBox& box) const noexcept {
    Nearest nearest{no_node, static_cast<double>(float_infinity)};
    if (blocks() > 0) search_nearest(level_count - 1, 0, box, nearest);
    return nearest.block;
}

/// no_node: all blocks are full, and there is no memory for another.
std::uint32_t Store::choose_block(const ObjectBox& box, AttributeMask attributes) noexcept {
    const std::uint32_t nearest = nearest_block(box), last = blocks();
    // An object that is far from all homes begins a block of its own, as long as blocks are half full on average.
    const bool is_far = nearest == no_node || growth(homes[0], nearest, box) > static_cast<double>(spacing);
    if (!is_far || (nearest != no_node && objects < slots() / 2)) return nearest;
    if (nearest == no_node && last > 0 && count[last - 1] < block_slots) return last - 1;
    if (make_room(std::uint64_t{last} + 1, attributes)) {
        resize_blocks(last + 1);
        return last;
    }
    if (nearest != no_node) return nearest;
    const std::uint32_t* const vacant =
        std::find_if(count.begin(), count.end(), [](auto n) { return n < block_slots; });
    return vacant != count.end() ? static_cast<std::uint32_t>(vacant - count.begin()) : no_node;
}

std::uint32_t Store::free_slot(const ObjectBox& box, AttributeMask attributes) noexcept {
    const std::uint32_t block = choose_block(box, attributes);
    if (block == no_node) return no_node;
    take_attributes(attributes);
    if (count[block] == 0) {  // a block's first object becomes its home
        homes[0].set(block, box);
        for (std::uint32_t l = 1, node = block; l < level_count; ++l) fit_parent(homes, l, node /= fanout);
    }
    return block * block_slots + count[block];
}

std::uint32_t Store::take_out(std::uint32_t slot) noexcept {
    const std::uint32_t block = slot / block_slots, last = block * block_slots + --count[block];
    --objects;
    set_bit(loose, block, true);
    any_loose = true;
    if (last == slot) return slot;
    for (std::uint32_t c = 0; c < most_columns; ++c) {
        if (columns[c].empty()) continue;
        const std::size_t width = width_of(key.layout, c);
        std::memcpy(columns[c].data() + slot * width, columns[c].data() + last * width, width * sizeof(float));
    }
    handles[slot] = handles[last];
    return last;
}

ObjectBox Store::fit_block(const Columns& from, const BoundsTable& kernels, std::uint32_t block) const noexcept {
    const std::size_t first = std::size_t{block} * block_slots;
    const std::uint32_t n = count[block];
    ObjectBox box = empty_box();
    if (n > 0 && plain) {
        const float *low[3], *high[3];
        bool known = true;
        for (std::uint32_t j = 0; j < 3; ++j) {
            low[j] = stream(j) + first;
            high[j] = stream(3 + j) + first;
            known = known && ordered(low[j], high[j], n);
        }
        float unused[3];
        known = known && kernels.extent({low[0], low[1], low[2], n}, box.low, unused) &&
                kernels.extent({high[0], high[1], high[2], n}, unused, box.high);
        for (std::uint32_t j = 0; j < 3; ++j) known = known && box.low[j] > -far_away && box.high[j] < far_away;
        if (known) return box;
        box = empty_box();
    }
    for (std::uint32_t i = 0; i < n; ++i) include(box, box_of(from, first + i));
    return box;
}

void Store::tighten(std::uint32_t block, const Hull* hulls, std::uint32_t hull_count) noexcept {
    if (!has_bit(loose, block)) return;
    levels[0].set(block, fit_block(view(hulls, hull_count), kernels_here(), block));
    set_bit(loose, block, false);
    set_bit(grown, block, true);
    any_grown = true;
}

void Store::open_blocks(std::uint32_t first) noexcept {
    for (std::uint32_t block = first; block < blocks(); ++block) set_bit(loose, block, true);
    any_loose = true;
}

void Store::fit_parent(Level (&tree)[most_levels], std::uint32_t level, std::uint32_t node) noexcept {
    const Level& below = tree[level - 1];
    const std::uint32_t first = node * fanout, last = std::min(below.count, first + fanout);
    ObjectBox box = empty_box();
    for (std::uint32_t j = 0; j < 3; ++j) {
        box.low[j] = least_of(below.low[j].data() + first, last - first);
        box.high[j] = most_of(below.high[j].data() + first, last - first);
    }
    box.never_outside = below.never_outside[node] != 0;
    box.never_inside = below.never_inside[node] != 0;
    tree[level].set(node, box);
}

void Store::refit(bool tight, const Hull* hulls, std::uint32_t hull_count, const Runner& runner) noexcept {
    if (tight && any_loose) {
        struct Work {
            Store& store;
            const Columns from;
            const BoundsTable& kernels;
        } work{*this, view(hulls, hull_count), kernels_here()};
        // One word of blocks a task. The marks of a word's parents are bits of words that tasks would share, so parents
        // come afterwards. They are 1/64 of the work.
        const auto part = [](void* context, std::uint32_t w) {
            const FloatModes modes;
            const Work& self = *static_cast<Work*>(context);
            for (std::uint64_t left = self.store.loose[w]; left != 0; left &= left - 1) {
                const std::uint32_t block = 64 * w + static_cast<std::uint32_t>(std::countr_zero(left));
                self.store.levels[0].set(block, self.store.fit_block(self.from, self.kernels, block));
            }
            self.store.grown[w] |= std::exchange(self.store.loose[w], 0);
        };
        runner(levels[0].words(), {part, &work, "fit boxes"});
        any_loose = false;
        any_grown = true;
    }
    if (!any_grown) return;
    any_grown = false;
    for (std::uint32_t l = 1; l < level_count; ++l) {
        // grown[] now has a bit for each node of level l - 1; its word w is node w of level l.
        for (std::uint32_t w = 0; w < levels[l].count; ++w) {
            const bool below = grown[w] != 0;
            if (below) fit_parent(levels, l, w);
            grown[w] = 0;
            if (below) grown[w / 64] |= std::uint64_t{1} << w % 64;
        }
    }
    std::fill(grown.begin(), grown.end(), 0);
}

void Store::settle_homes(std::uint32_t first) noexcept {
    for (std::uint32_t block = first; block < blocks(); ++block) {
        homes[0].set(block, levels[0].get(block));
        set_bit(wandered, block, false);
    }
    settle_upper_homes();
}

void Store::settle_upper_homes() noexcept {
    for (std::uint32_t l = 1; l < level_count; ++l) {
        for (std::uint32_t node = 0; node < homes[l].count; ++node) fit_parent(homes, l, node);
    }
}

double Store::growth_of_home(std::uint32_t block, const ObjectBox& box) const noexcept {
    return growth(homes[0], block, box);
}

std::uint32_t Store::take_wandered() noexcept {
    const auto words = static_cast<std::uint32_t>(wandered.size());
    if (next_to_rebuild >= blocks()) next_to_rebuild = 0;
    const std::uint32_t first = next_to_rebuild / 64;
    const std::uint64_t later = ~std::uint64_t{0} << next_to_rebuild % 64;
    for (std::uint32_t i = 0; i <= words && words > 0; ++i) {
        const std::uint32_t w = (first + i) % words;
        const std::uint64_t left = i == 0 ? wandered[w] & later : i == words ? wandered[w] & ~later : wandered[w];
        if (left == 0) continue;
        const std::uint32_t block = 64 * w + static_cast<std::uint32_t>(std::countr_zero(left));
        wandered[w] &= ~(std::uint64_t{1} << block % 64);
        next_to_rebuild = block + 1;
        return block;
    }
    return no_node;
}

}  // namespace lanecull
