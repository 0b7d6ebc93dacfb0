#include <fmt/format.h>  // clang finds no vformat_to() of core.h in the library

#include <lanecull/library.h>
#include <cstddef>
#include <iterator>
#include <string>
#include <utility>

#include "scene/mesh_solids.hpp"
#include "shadow/shadow_measure.hpp"
#include "support/grouped.hpp"
#include "support/json.hpp"

namespace lanecull::program {
namespace {

struct Sums {
    double in_frustum = 0, kept = 0, covered = 0, shaded = 0, frustum_ms = 0, casters_ms = 0, occluders_ms = 0;

    void add(const ShadowLight& light, double frames) {
        in_frustum += static_cast<double>(light.in_frustum) / frames;
        kept += static_cast<double>(light.kept) / frames;
        covered += static_cast<double>(light.covered) / frames;
        shaded += static_cast<double>(light.shaded) / frames;
        frustum_ms += 1e3 * light.frustum_seconds / frames;
        casters_ms += 1e3 * light.casters_seconds / frames;
        occluders_ms += 1e3 * light.occluders_seconds / frames;
    }
};

std::string saved(double left, double of) { return of > 0 ? fmt::format("{:.1f} %", 100 * (1 - left / of)) : "-"; }

std::string row(const std::string& name, const Sums& s, std::size_t frames, bool occluders) {
    std::string text = fmt::format("{:<18} {:>7} {:>12} {:>12} {:>9} {:>12} {:>9} {:>9.3f} {:>9.3f}", name,
                                   grouped(frames), grouped(s.in_frustum, 1), grouped(s.kept, 1),
                                   saved(s.kept, s.in_frustum), grouped(s.kept - s.covered, 1),
                                   saved(s.kept - s.covered, s.in_frustum), s.frustum_ms, s.casters_ms);
    if (occluders) {
        text += fmt::format(" {:>12} {:>9} {:>9.3f}", grouped(s.kept - s.shaded, 1),
                            saved(s.kept - s.shaded, s.in_frustum), s.occluders_ms);
    }
    return text + "\n";
}

}  // namespace

std::string shadow_table(const Scene& scene, const ShadowMeasurement& m) {
    std::string text;
    const auto out = std::back_inserter(text);
    const auto frames = static_cast<double>(m.frames);
    fmt::format_to(out, "{}: {} objects ({})\n{} frame{}, {} ({} lane{}), {} thread{}\n\n", scene.name,
                   grouped(scene.object_count()), scene.description, grouped(m.frames), m.frames == 1 ? "" : "s",
                   isa_name(m.isa), isa_lanes(m.isa), isa_lanes(m.isa) == 1 ? "" : "s", m.threads,
                   m.threads == 1 ? "" : "s");
    fmt::format_to(out, "{:<18} {:>7} {:>12} {:>12} {:>9} {:>12} {:>9} {:>9} {:>9}{}\n", "means of a frame", "frames",
                   "in light's", "whose shadow", "", "not covered", "", "ms,", "ms,",
                   m.occluders ? fmt::format(" {:>12} {:>9} {:>9}", "not shaded", "", "ms, with") : "");
    fmt::format_to(out, "{:<18} {:>7} {:>12} {:>12} {:>9} {:>12} {:>9} {:>9} {:>9}{}\n", "light", "lit", "frustum",
                   "is seen", "saved", "by finer", "saved", "frustum", "casters",
                   m.occluders ? fmt::format(" {:>12} {:>9} {:>9}", "by others", "saved", "occluders") : "");
    Sums sun, lamps;
    for (std::size_t k = 0; k < m.lights.size(); ++k) {
        Sums sums;
        sums.add(m.lights[k], frames);
        (k < m.cascades ? sun : lamps).add(m.lights[k], frames);
        text += row(m.lights[k].name, sums, m.lights[k].frames, m.occluders);
        if (k + 1 == m.cascades) text += row("all cascades", sun, m.frames, m.occluders);
    }
    if (m.lights.size() > m.cascades) text += row("all lamps", lamps, m.frames, m.occluders);
    fmt::format_to(out, "\nreceivers of the cascades: {:.3f} ms a frame\n", 1e3 * m.receivers_seconds / frames);
    if (const MeshSolids& found = scene.mesh_solids; found.meshes != 0) {
        fmt::format_to(out, "solid boxes{} within meshes: {} in {} closed of {}\n",
                       found.hulls.empty() ? "" : " and hulls", grouped(found.boxes.size() + found.hulls.size()),
                       grouped(found.closed_meshes), counted(found.meshes, "mesh", "meshes"));
    }
    if (m.kept_outside_frustum != 0) {
        fmt::format_to(out, "kept as casters though outside the light's frustum, by less than rounding: {}\n",
                       grouped(m.kept_outside_frustum));
    }
    return text;
}

std::string shadow_json(const Scene& scene, const ShadowMeasurement& m) {
    const auto frames = static_cast<double>(m.frames);
    Json lights = Json::array();
    for (std::size_t k = 0; k < m.lights.size(); ++k) {
        Sums sums;
        sums.add(m.lights[k], frames);
        Json light;
        light.set("name", m.lights[k].name).set("frames", m.lights[k].frames);
        light.set("in_frustum", sums.in_frustum).set("casters", sums.kept);
        light.set("frustum_ms", sums.frustum_ms).set("casters_ms", sums.casters_ms);
        if (k < m.cascades) light.set("covered", sums.covered);
        if (m.occluders) light.set("shaded", sums.shaded).set("occluders_ms", sums.occluders_ms);
        lights.add(std::move(light));
    }
    Json scene_named;
    scene_named.set("name", scene.name).set("objects", scene.object_count());
    Json document;
    document.set("program", "lanecull " LANECULL_VERSION).set("scene", std::move(scene_named));
    document.set("isa", isa_name(m.isa)).set("threads", m.threads).set("frames", m.frames);
    document.set("receivers_ms", 1e3 * m.receivers_seconds / frames)
        .set("kept_outside_frustum", m.kept_outside_frustum);
    if (scene.mesh_solids.meshes != 0) document.set("within_meshes", mesh_solids_json(scene.mesh_solids));
    document.set("lights", std::move(lights));
    return document.dump(2) + "\n";
}

}  // namespace lanecull::program
