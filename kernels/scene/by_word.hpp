#pragma once

#include <lanecull/scene.h>
#include <lanecull/types.h>

#include <cstdint>
#include <span>

#include "base/memory.hpp"
#include "scene/contents.hpp"

namespace lanecull {

/// Objects of a scene, named by handles, by the word of 64 blocks that they are in, words of all stores one after the
/// other. Within a word they are in the handles' order.
///
/// They are sorted by counting, in passes of the runner: parts of the handles look up and count, then put into their
/// places; words look for handles that are there twice. The result does not depend on the runner.
class ByWord {
public:
    /// Checks the handles: each names an object of that layout, and none is there twice.
    [[nodiscard]] Status sort(const lanecull_scene& contents, std::span<const Handle> handles, Layout layout,
                              const Runner& runner) noexcept;

    [[nodiscard]] std::uint32_t words() const { return word_count_; }
    /// Places in the list of handles.
    [[nodiscard]] std::span<const std::uint32_t> of(std::uint32_t word) const {
        return {chosen_.data() + first_[word], first_[word + 1] - first_[word]};
    }
    /// The slots of the same objects, in the same order.
    [[nodiscard]] const std::uint32_t* slots_of(std::uint32_t word) const { return slots_.data() + first_[word]; }
    [[nodiscard]] const Place& place(std::uint32_t i) const { return places_[i]; }

private:
    struct Passes;

    [[nodiscard]] bool resize(const lanecull_scene& contents, std::uint32_t count) noexcept;
    [[nodiscard]] std::uint32_t word_of(const Place& place) const;
    void find_firsts();
    [[nodiscard]] std::uint32_t find_twice(std::uint32_t word) const;

    std::uint32_t word_count_ = 0, part_count_ = 0;
    std::uint32_t part_handles_ = 0;      // in each part, fewer in the last
    Array<std::uint32_t> word_of_store_;  // where a store's words begin
    Array<std::uint32_t> at_;             // part by part, of each word: how many, then where the part's next one goes
    Array<std::uint32_t> first_;          // of each word: where its objects begin; one more, where the last ones end
    Array<std::uint32_t> chosen_;         // the objects, word by word
    Array<std::uint32_t> slots_;          // theirs
    Array<Place> places_;                 // of each object
    Array<std::uint32_t> wrong_;          // of each part, then of each word: the first handle that is refused
};

}  // namespace lanecull
