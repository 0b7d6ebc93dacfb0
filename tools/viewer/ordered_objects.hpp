#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <lanecull/lanecull.hpp>
#include <lanecull/scene.hpp>
#include <span>
#include <vector>

/// Batches culled by way of an ordered scene, for a frame of so many objects that even a flat cull is felt.
namespace lanecull::render {

class OrderedObjects {
public:
    /// Copies the batches' objects, which must not move from then on; what Batch::draws points to is read by each cull.
    /// Fails as Scene::add() does.
    Status build(std::span<const Batch> batches, const Runner& runner) {
        std::size_t objects = 0;
        for (const Batch& batch : batches) objects += batch.count();
        std::vector<Handle> handles(objects);
        scene_ = {};
        if (Status s = scene_.add(batches, handles, {}, runner); !s) return s;
        batches_ = batches;
        bit_of_slot_.assign(scene_.slot_count(), 0);
        std::size_t object = 0;
        std::uint32_t word = 0;
        for (const Batch& batch : batches) {
            for (std::uint32_t i = 0; i < batch.count(); ++i) {
                std::uint32_t slot = 0;
                if (Status s = scene_.slot_of(handles[object++], slot); !s) return s;
                bit_of_slot_[slot] = 64 * word + i;
            }
            word += (batch.count() + 63) / 64;
        }
        objects_.resize(word);
        return {};
    }

    /// What lanecull::cull() of the batches gives: bits where asked for, draws without gaps between them, and the
    /// counts of both. In the same order, so whoever draws them sees no difference.
    Status cull(std::span<const View> views, std::span<ViewOutput> outputs, const Options& options,
                const Runner& runner) {
        const std::size_t words = scene_.visibility_words();
        slots_.resize(views.size() * words);
        scratch_.resize(scene_.scratch_bytes(views.size()));
        found_.assign(views.size(), {});
        for (std::size_t v = 0; v < views.size(); ++v) found_[v].visible = std::span(slots_).subspan(v * words, words);
        if (Status s = scene_.cull(views, found_, scratch_, options, runner); !s) return s;
        for (std::size_t v = 0; v < views.size(); ++v) {
            ViewOutput& output = outputs[v];
            output.visible_count = found_[v].visible_count;
            const std::span<std::uint64_t> visible = output.visible.empty() ? std::span(objects_) : output.visible;
            put_in_order(found_[v].visible, visible);
            if (!output.draws.memory.empty()) write_draws(visible, output);
        }
        return {};
    }

private:
    template <class Visit>
    static void for_each_bit(std::span<const std::uint64_t> words, const Visit& visit) {
        for (std::size_t w = 0; w < words.size(); ++w) {
            for (std::uint64_t rest = words[w]; rest != 0; rest &= rest - 1) {
                visit(static_cast<std::uint32_t>(64 * w) + static_cast<std::uint32_t>(std::countr_zero(rest)));
            }
        }
    }

    /// Bits by slot to bits by object.
    void put_in_order(std::span<const std::uint64_t> slots, std::span<std::uint64_t> objects) const {
        std::fill(objects.begin(), objects.end(), 0);
        for_each_bit(slots, [&](std::uint32_t slot) {
            const std::uint32_t bit = bit_of_slot_[slot];
            objects[bit / 64] |= std::uint64_t{1} << bit % 64;
        });
    }

    /// The command of object i of a batch, as DrawTemplates says.
    static DrawCommand command_of(const DrawTemplates& draws, std::uint32_t i) {
        DrawCommand command;
        const bool one = draws.per == DrawTemplates::Per::batch;
        const auto* from = reinterpret_cast<const std::byte*>(draws.first);
        std::memcpy(&command, one ? from : from + i * draws.stride_bytes, sizeof command);
        if (one) command.first_instance += i;
        return command;
    }

    void write_draws(std::span<const std::uint64_t> objects, ViewOutput& output) const {
        const std::size_t capacity = output.draws.memory.size() / sizeof(DrawCommand);
        std::size_t count = 0, word = 0;
        for (const Batch& batch : batches_) {
            const std::size_t words = (batch.count() + 63) / 64;
            for_each_bit(objects.subspan(word, words), [&](std::uint32_t i) {
                if (count == capacity) return;
                const DrawCommand command = command_of(batch.draws, i);
                std::memcpy(&output.draws.memory[count++ * sizeof command], &command, sizeof command);
            });
            word += words;
        }
        output.draw_count = count;
        if (output.draws.count != nullptr) *output.draws.count = static_cast<std::uint32_t>(count);
    }

    Scene scene_;
    std::span<const Batch> batches_;
    std::vector<std::uint32_t> bit_of_slot_;  // of ViewOutput::visible
    std::vector<std::uint64_t> slots_, objects_;
    std::vector<std::byte> scratch_;
    std::vector<SceneOutput> found_;
};

}  // namespace lanecull::render
