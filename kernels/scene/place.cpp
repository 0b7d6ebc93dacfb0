/// Scene::place(): objects that move everywhere, sorted by block and written, both by many threads.

#include <lanecull/scene.hpp>

#include <cstdint>

#include "base/float_modes.hpp"
#include "calls/check.hpp"
#include "scene/by_word.hpp"
#include "scene/contents.hpp"
#include "scene/reservation.hpp"
#include "scene/source.hpp"

namespace lanecull {
namespace {

/// A block's box is made anew where at least one in so many of its objects has been placed. With 16 in place of
/// 4, 100,000 of 10^6 boxes by chance took 13.1 instead of 8.2 ms (bench/ANALYSIS.md, "A frame").
constexpr std::uint32_t few = 4;

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
    if (!has_contents(contents_)) return no_memory();
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
    if (Status status = by_word.sort(*contents_, handles, columns_of(objects, no_bounds).layout, runner); !status) {
        return status;
    }
    Reservation room(*contents_);
    Source source(objects, contents_->hulls);
    if (Status status = source.prepare(); !status) return status;
    if (!room.make()) return no_memory();
    Placing(*contents_, by_word, source.columns()).run(runner);
    for (Store* store : contents_->stores) store->see_whether_edited();
    return {};
}

}  // namespace lanecull
