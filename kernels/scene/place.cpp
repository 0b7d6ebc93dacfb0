/// Scene::place(): objects that move everywhere, sorted by block, then written by many threads.

#include <lanecull/scene.hpp>

#include <bit>
#include <cstdint>

#include "base/float_modes.hpp"
#include "calls/check.hpp"
#include "scene/contents.hpp"
#include "scene/source.hpp"

namespace lanecull {
namespace {

/// How many handles ahead a place is fetched: places lie by handle, and callers name handles in any order.
constexpr std::size_t ahead = 16;
/// A block's box is made anew where at least one in so many of its objects has been placed. With 16 in place of
/// 4, 100,000 of 10^6 boxes by chance took 13.1 instead of 8.2 ms (bench/ANALYSIS.md, "A frame").
constexpr std::uint32_t few = 4;

/// The objects by the word of 64 blocks that they are in, words of all stores one after the other. Within a word they
/// are in no order that counts: each writes its own slot.
class ByWord {
public:
    /// Checks the handles: each names an object of that layout, and none is there twice.
    [[nodiscard]] Status sort(const Scene::Contents& contents, std::span<const Handle> handles,
                              Layout layout) noexcept {
        if (!resize(contents, handles.size())) return no_memory();
        for (std::size_t i = 0; i < handles.size(); ++i) {
            if (i + ahead < handles.size() && handles[i + ahead] < contents.places.size()) {
                __builtin_prefetch(&contents.places[handles[i + ahead]]);
            }
            if (Status status = look_up(contents, handles, i, layout); !status) return status;
        }
        std::uint32_t before = 0;
        for (std::uint32_t& word : first_) {
            const std::uint32_t count = word;
            word = before;
            before += count;
        }
        // Each word's entry moves on to the word's end, which is where the next one begins.
        for (std::uint32_t i = 0; i < handles.size(); ++i) {
            const std::uint32_t at = first_[word_of(places_[i])]++;
            chosen_[at] = i;
            slots_[at] = places_[i].slot;
        }
        return {};
    }

    [[nodiscard]] std::uint32_t words() const { return static_cast<std::uint32_t>(first_.size()); }
    [[nodiscard]] std::span<const std::uint32_t> of(std::uint32_t word) const {
        const std::uint32_t begin = word == 0 ? 0 : first_[word - 1];
        return {chosen_.data() + begin, first_[word] - begin};
    }
    /// The slots of the same objects, in the same order.
    [[nodiscard]] const std::uint32_t* slots_of(std::uint32_t word) const {
        return slots_.data() + (word == 0 ? 0 : first_[word - 1]);
    }
    [[nodiscard]] const Place& place(std::uint32_t i) const { return places_[i]; }

private:
    [[nodiscard]] bool resize(const Scene::Contents& contents, std::size_t count) noexcept {
        std::uint32_t words = 0;
        if (!word_of_store_.resize(contents.stores.size())) return false;
        for (std::uint32_t s = 0; s < contents.stores.size(); ++s) {
            word_of_store_[s] = words;
            words += contents.store(s).levels[0].words();
        }
        return first_.resize(words) && seen_.resize((contents.places.size() + 63) / 64) &&
               places_.resize_unset(count) && chosen_.resize_unset(count) && slots_.resize_unset(count);
    }

    [[nodiscard]] Status look_up(const Scene::Contents& contents, std::span<const Handle> handles, std::size_t i,
                                 Layout layout) noexcept {
        const Handle h = handles[i];
        if (!contents.names_object(h)) return Status::failure("handles[%zu]: %u names no object", i, h);
        const std::uint64_t bit = std::uint64_t{1} << h % 64;
        if ((seen_[h / 64] & bit) != 0) return Status::failure("handles[%zu]: %u is there twice", i, h);
        seen_[h / 64] |= bit;
        const Place place = contents.places[h];
        if (contents.store(place.store).key.layout != layout) {
            return Status::failure("handles[%zu]: %u names an object of another kind than the batch's", i, h);
        }
        places_[i] = place;
        ++first_[word_of(place)];
        return {};
    }

    [[nodiscard]] std::uint32_t word_of(const Place& place) const {
        return word_of_store_[place.store] + place.slot / (64 * block_slots);
    }

    Array<std::uint32_t> word_of_store_;  // where a store's words begin
    Array<std::uint32_t> first_;          // of each word: where its objects begin, then where they end
    Array<std::uint32_t> chosen_;         // the objects, word by word
    Array<std::uint32_t> slots_;          // theirs
    Array<Place> places_;                 // of each object
    Array<std::uint64_t> seen_;           // a bit for each handle
};

/// Writes the objects, one word of blocks a task.
class Placing {
public:
    Placing(Scene::Contents& contents, const ByWord& objects, const Columns& from)
        : contents_(contents), objects_(objects), from_(from) {}

    void run(const Runner& runner) {
        runner.run(runner.self, objects_.words(),
                   {[](void* self, std::uint32_t word) { static_cast<Placing*>(self)->run_word(word); }, this,
                    "place objects"});
    }

private:
    void run_word(std::uint32_t word) {
        const std::span<const std::uint32_t> chosen = objects_.of(word);
        if (chosen.empty()) return;
        const FloatModes modes;
        Store& store = contents_.store(objects_.place(chosen[0]).store);
        const std::uint32_t first_block = objects_.place(chosen[0]).slot / (64 * block_slots) * 64;
        std::uint32_t placed[64] = {};  // objects, block by block
        const std::span<const std::uint32_t> slots(objects_.slots_of(word), chosen.size());
        store.write_shapes(chosen, slots.data(), from_);
        for (const std::uint32_t slot : slots) ++placed[slot / block_slots - first_block];
        const Columns written = store.view(contents_.hulls.data(), contents_.hulls.size());
        store.fit_where_many(first_block, placed, few, written);
        for (const std::uint32_t slot : slots) {
            const std::uint32_t block = slot / block_slots;
            if (few * placed[block - first_block] < store.count[block]) store.grow_box(slot, written);
        }
    }

    Scene::Contents& contents_;
    const ByWord& objects_;
    const Columns& from_;
};

}  // namespace

Status Scene::place(std::span<const Handle> handles, const Batch& objects, const Runner& runner) noexcept {
    const FloatModes modes;
    if (contents_ == nullptr) return no_memory();
    if (Status status = check_batches({&objects, 1}); !status) return status;
    if (Status status = check_storable({&objects, 1}); !status) return status;
    if (handles.size() != objects.count()) {
        return Status::failure("objects: there must be one for each of %zu handles, not %u", handles.size(),
                               objects.count());
    }
    if (runner.run == nullptr) return Status::failure("runner.run: must not be null");
    if (handles.empty()) return {};
    const float* const no_bounds[4] = {};
    ByWord by_word;
    if (Status status = by_word.sort(*contents_, handles, columns_of(objects, no_bounds).layout); !status) {
        return status;
    }
    Source source(objects, contents_->hulls);
    if (Status status = source.prepare(); !status) return status;
    Placing(*contents_, by_word, source.columns()).run(runner);
    for (Store* store : contents_->stores) store->see_whether_edited();
    return {};
}

}  // namespace lanecull
