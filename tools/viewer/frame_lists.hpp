#pragma once

#include <lanecull/batch.h>
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "frame_plan.hpp"
#include "renderer.hpp"

namespace lanecull::program {

/// A frame's draw lists in memory of our own.
struct FrameLists {
    std::vector<DrawCommand> commands;
    std::array<std::uint32_t, view_count> counts{};
    std::size_t objects;
    std::vector<std::uint32_t> lights;  ///< FrameMaker::light_lists()

    explicit FrameLists(std::size_t n) : commands(n * view_count), objects(n) {}

    [[nodiscard]] std::array<DrawList, view_count> outputs() {
        std::array<DrawList, view_count> result;
        for (std::size_t v = 0; v < view_count; ++v) {
            result[v] = {std::as_writable_bytes(std::span(commands).subspan(v * objects, objects)), &counts[v]};
        }
        return result;
    }
    [[nodiscard]] std::span<const DrawCommand> of(std::size_t view) const {
        return std::span(commands).subspan(view * objects, counts[view]);
    }
    /// Shadow maps are to draw nothing.
    void keep_camera() { std::fill(counts.begin() + 1, counts.end(), 0U); }
    /// By the objects' numbers.
    void sort() {
        for (std::size_t v = 0; v < view_count; ++v) {
            std::ranges::sort(std::span(commands).subspan(v * objects, counts[v]), {}, &DrawCommand::first_instance);
        }
    }
    void drop(std::uint32_t object) {
        for (std::size_t v = 0; v < view_count; ++v) {
            const auto list = std::span(commands).subspan(v * objects, counts[v]);
            const auto end = std::remove_if(
                list.begin(), list.end(), [&](const DrawCommand& command) { return command.first_instance == object; });
            counts[v] = static_cast<std::uint32_t>(end - list.begin());
        }
    }
    void write_to(const Renderer::Slot& slot) const {
        for (std::size_t v = 0; v < view_count; ++v) {
            const auto bytes = std::as_bytes(of(v));
            std::copy(bytes.begin(), bytes.end(), slot.lists[v].commands.begin());
            *slot.lists[v].count = counts[v];
        }
    }
    [[nodiscard]] bool same_as(const FrameLists& other) const {
        if (counts != other.counts || lights != other.lights) return false;
        for (std::size_t v = 0; v < view_count; ++v) {
            const auto a = std::as_bytes(of(v)), b = std::as_bytes(other.of(v));
            if (!std::equal(a.begin(), a.end(), b.begin())) return false;
        }
        return true;
    }
};

}  // namespace lanecull::program
