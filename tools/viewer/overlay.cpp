#include "overlay.hpp"

#include <fmt/core.h>
#include <imgui/imgui.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "cull/reasons.hpp"
#include "verdicts.hpp"

namespace lanecull::program {
namespace {

constexpr ImGuiWindowFlags plain = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_AlwaysAutoResize |
                                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoFocusOnAppearing |
                                   ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoInputs;

void line(const std::string& text) { ImGui::TextUnformatted(text.c_str()); }

void graph(const char* name, const std::deque<float>& values) {
    if (values.empty()) return;
    const std::vector<float> copy(values.begin(), values.end());
    const float top = *std::ranges::max_element(copy);
    ImGui::PlotLines("", copy.data(), static_cast<int>(copy.size()), 0,
                     fmt::format("{} {:.2f} ms", name, copy.back()).c_str(), 0, 1.2F * top, ImVec2(260, 48));
}

void counts(const OverlayInput& in) {
    const auto objects = in.objects;
    line(fmt::format("culling {}, casters by {}{}", name_of(in.controls.culling), name_of(in.controls.casters),
                     in.controls.frozen ? ", camera frozen" : ""));
    line(fmt::format("{} of {} objects drawn", in.drawn.frame_draws(), objects));
    if (in.controls.culling == Culling::occluders) {
        line(fmt::format("{} behind {} solid boxes", in.drawn.hidden, in.drawn.occluders));
    }
    if (in.controls.culling == Culling::visibility) {
        line(in.drawn.in_set == 0 ? std::string("the eye is in no cell, or no set holds for the camera")
                                  : fmt::format("{} may be seen from the eye's cell", in.drawn.in_set));
    }
    if (in.controls.has_lights) {
        line(
            fmt::format("{} lights of cells, pixels lit by {}", in.drawn.light_entries, name_of(in.controls.lighting)));
    }
    line(fmt::format("{} of {} casters drawn", in.drawn.caster_draws(), objects * map_count));
    for (std::size_t v = 1; v <= cascade_count; ++v) {
        line(fmt::format("    {:<16} {:>8}", view_name(v), in.drawn.draws[v]));
    }
    std::uint64_t point_light = 0;
    for (std::size_t v = 1 + cascade_count; v < view_count; ++v) point_light += in.drawn.draws[v];
    line(fmt::format("    {:<16} {:>8}", "lamp", point_light));
}

void times(const OverlayInput& in) {
    line(fmt::format("    {:<16} {:>8.3f} ms", "cull", 1e3 * in.cull_seconds));
    for (const PassTime& pass : in.passes) {
        line(fmt::format("    {:<16} {:>8.3f} ms", pass.name, 1e3 * (pass.end - pass.begin)));
    }
    graph("frame", in.frame_times);
    graph("cull", in.cull_times);
}

void legend() {
    for (const Reason reason :
         {Reason::culled_plane, Reason::culled_gjk, Reason::culled_occluded, Reason::visible_inside,
          Reason::visible_vertex, Reason::visible_overlap, Reason::visible_touching}) {
        const ReasonWords& words = words_of(reason);
        ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(color_of(reason)), "%s: %s",
                           is_culled(reason) ? "culled" : "kept", words.text);
    }
}

}  // namespace

void draw_overlay(const OverlayInput& in) {
    if (in.controls.overlay) {
        ImGui::SetNextWindowPos(ImVec2(10, 10));
        ImGui::SetNextWindowBgAlpha(0.6F);
        ImGui::Begin("counts", nullptr, plain);
        line(in.device);
        counts(in);
        times(in);
        if (in.controls.verdicts) legend();
        line(in.notice.empty() ? "H: help" : in.notice);
        ImGui::End();
    }
    if (in.controls.help) {
        const ImVec2 size = ImGui::GetIO().DisplaySize;
        ImGui::SetNextWindowPos(ImVec2(size.x / 2, size.y / 2), ImGuiCond_Always, ImVec2(0.5F, 0.5F));
        ImGui::SetNextWindowBgAlpha(0.8F);
        ImGui::Begin("help", nullptr, plain);
        for (const KeyBinding& key : key_bindings()) line(fmt::format("{:<8} {}", key.name, key.text));
        line(fmt::format("{:<8} {}", "W A S D", "fly; Q down, E up; shift: fast"));
        line(fmt::format("{:<8} {}", "arrows", "look; so does dragging with the mouse"));
        ImGui::End();
    }
}

}  // namespace lanecull::program
