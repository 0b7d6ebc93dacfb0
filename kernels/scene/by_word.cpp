#include "scene/by_word.hpp"

#include <algorithm>

#include "base/failure.hpp"

namespace lanecull {
namespace {

/// A part has so many handles at least, and there are so many parts at most: each has a count for every word.
constexpr std::uint32_t least_handles = 4096, most_parts = 64;
/// How many handles ahead a place is fetched: places lie by handle, and callers name handles in any order.
constexpr std::uint32_t ahead = 16;
constexpr std::uint32_t word_slots = 64 * block_slots;
constexpr std::uint32_t no_place = ~std::uint32_t{0};

/// Whether the handle names an object of that layout.
bool names(const lanecull_scene& contents, Handle handle, Layout layout) {
    return contents.names_object(handle) && contents.store(contents.places[handle].store).key.layout == layout;
}

Status refuse(const lanecull_scene& contents, std::span<const Handle> handles, std::uint32_t i) {
    const bool exists = contents.names_object(handles[i]);
    return failure("handles[%u]: %u names %s", i, handles[i],
                   lasting(exists ? "an object of another kind than the batch's" : "no object"));
}

}  // namespace

/// What the runner's tasks do.
struct ByWord::Passes {
    ByWord& to;
    const lanecull_scene& contents;
    std::span<const Handle> handles;
    Layout layout;

    [[nodiscard]] std::uint32_t begin(std::uint32_t part) const { return part * to.part_handles_; }
    [[nodiscard]] std::uint32_t end(std::uint32_t part) const {
        const auto count = static_cast<std::uint32_t>(handles.size());
        return part + 1 < to.part_count_ ? begin(part + 1) : count;
    }

    void look_up(std::uint32_t part) const {
        std::uint32_t* const counts = to.at_.data() + std::size_t{part} * to.word_count_;  // none in an empty scene
        for (std::uint32_t i = begin(part); i < end(part); ++i) {
            if (i + ahead < end(part) && handles[i + ahead] < contents.places.size()) {
                __builtin_prefetch(&contents.places[handles[i + ahead]]);
            }
            if (!names(contents, handles[i], layout)) {
                to.wrong_[part] = i;
                return;
            }
            to.places_[i] = contents.places[handles[i]];
            ++counts[to.word_of(to.places_[i])];
        }
    }

    void put(std::uint32_t part) const {
        std::uint32_t* const at = to.at_.data() + std::size_t{part} * to.word_count_;
        for (std::uint32_t i = begin(part); i < end(part); ++i) {
            const std::uint32_t place = at[to.word_of(to.places_[i])]++;
            to.chosen_[place] = i;
            to.slots_[place] = to.places_[i].slot;
        }
    }

    void look_for_twice(std::uint32_t word) const { to.wrong_[to.part_count_ + word] = to.find_twice(word); }

    template <void (Passes::*pass)(std::uint32_t) const>
    void run(const Runner& runner, std::uint32_t count, const char* name) {
        runner(count, {[](void* self, std::uint32_t i) { (static_cast<const Passes*>(self)->*pass)(i); }, this, name});
    }
};

Status ByWord::sort(const lanecull_scene& contents, std::span<const Handle> handles, Layout layout,
                    const Runner& runner) noexcept {
    if (!resize(contents, static_cast<std::uint32_t>(handles.size()))) return no_memory();
    Passes passes{*this, contents, handles, layout};
    passes.run<&Passes::look_up>(runner, part_count_, "look up objects");
    const std::uint32_t wrong = *std::min_element(wrong_.begin(), wrong_.begin() + part_count_);
    if (wrong != no_place) return refuse(contents, handles, wrong);
    find_firsts();
    passes.run<&Passes::put>(runner, part_count_, "sort objects");
    passes.run<&Passes::look_for_twice>(runner, word_count_, "compare objects");
    const std::uint32_t twice = *std::min_element(wrong_.begin() + part_count_, wrong_.end());
    if (twice != no_place) return failure("handles[%u]: %u is there twice", twice, handles[twice]);
    return {};
}

bool ByWord::resize(const lanecull_scene& contents, std::uint32_t count) noexcept {
    if (!word_of_store_.resize(contents.stores.size())) return false;
    word_count_ = 0;
    for (std::uint32_t s = 0; s < contents.stores.size(); ++s) {
        word_of_store_[s] = word_count_;
        word_count_ += contents.store(s).levels[0].words();
    }
    part_handles_ = std::max(least_handles, (count - 1) / most_parts + 1);
    part_count_ = (count - 1) / part_handles_ + 1;
    if (!at_.resize(std::size_t{part_count_} * word_count_) || !first_.resize_unset(word_count_ + std::size_t{1}) ||
        !places_.resize_unset(count) || !chosen_.resize_unset(count) || !slots_.resize_unset(count) ||
        !wrong_.resize_unset(part_count_ + std::size_t{word_count_})) {
        return false;
    }
    std::fill(wrong_.begin(), wrong_.end(), no_place);
    return true;
}

std::uint32_t ByWord::word_of(const Place& place) const {
    return word_of_store_[place.store] + place.slot / word_slots;
}

/// From how many each part has in each word to where it puts them.
void ByWord::find_firsts() {
    std::uint32_t before = 0;
    for (std::uint32_t word = 0; word < word_count_; ++word) {
        first_[word] = before;
        for (std::uint32_t part = 0; part < part_count_; ++part) {
            std::uint32_t& at = at_[std::size_t{part} * word_count_ + word];
            const std::uint32_t count = at;
            at = before;
            before += count;
        }
    }
    first_[word_count_] = before;
}

/// The first handle whose object another one before it names; `no_place` if there is none.
std::uint32_t ByWord::find_twice(std::uint32_t word) const {
    std::uint64_t seen[word_slots / 64] = {};
    const std::span<const std::uint32_t> chosen = of(word);
    for (std::size_t k = 0; k < chosen.size(); ++k) {
        const std::uint32_t slot = slots_of(word)[k] % word_slots;
        const std::uint64_t bit = std::uint64_t{1} << slot % 64;
        if ((seen[slot / 64] & bit) != 0) return chosen[k];
        seen[slot / 64] |= bit;
    }
    return no_place;
}

}  // namespace lanecull
