#include <fmt/format.h>  // clang finds no vformat_to() of core.h in the library

#include <cmath>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>
#include <iterator>

#include "cull/reasons.hpp"
#include "explain/explanation.hpp"
#include "support/text.hpp"

namespace lanecull::program {
namespace {

std::string text_of(const glm::dvec3& vector) {
    const glm::dvec3 v = vector + 0.0;  // no -0
    return fmt::format("({:.6g}, {:.6g}, {:.6g})", v.x, v.y, v.z);
}

const char* verdict(const Certificate& certificate) { return is_culled(certificate.reason) ? "culled" : "visible"; }

const char* place(const Extent& distance) {
    return distance.high < 0 ? "all of it is behind" : distance.low < 0 ? "crosses it" : "all of it is inside";
}

class Text {
public:
    Text(const ExplanationInput& input, const ObjectExplanation& explanation)
        : in_(input), found_(explanation), camera_(input.path[input.frame]) {}

    std::string text() {
        object();
        frame();
        verdict_and_proof();
        distances();
        line("\nother method");
        row("planes", "{}: {}", verdict(found_.planes), words_of(found_.planes.reason).text);
        return std::move(text_);
    }

private:
    template <class... Arguments>
    void line(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
        fmt::format_to(std::back_inserter(text_), format, std::forward<Arguments>(arguments)...);
        text_ += '\n';
    }

    template <class... Arguments>
    void row(const char* label, fmt::format_string<Arguments...> format, Arguments&&... arguments) {
        line("  {:<16} {}", label, fmt::format(format, std::forward<Arguments>(arguments)...));
    }

    void object() {
        const Group& group = in_.scene.groups[found_.place.group];
        line("object {} of {}: {}, {}", in_.object, grouped(in_.scene.object_count()), in_.scene.name, group.name);
        row("batch", "{} ({}), object {} of {}", found_.place.group, kind_name(group.arrays), found_.place.index,
            grouped(object_count(group.arrays)));
        const std::string name = name_of(in_.scene, found_.place);
        if (!name.empty()) row("name", "{}", name);
        if (const auto* instances = std::get_if<HullInstanceArrays>(&group.arrays)) mesh(*instances);
        bounds("centre", "size", exact_bounds(group.arrays, found_.place.index));
    }

    void bounds(const char* first, const char* second, const Bounds& bounds) {
        const glm::dvec3 center = bounds.center(), size = bounds.size();
        const bool is_wall = *first == '\0';
        row(first, "{}{}, {:.6g} from the eye", is_wall ? "centre " : "", text_of(center),
            glm::distance(center, camera_.eye));
        row(second, "{}{:.6g} x {:.6g} x {:.6g} along x, y and z", is_wall ? "size " : "", size.x, size.y, size.z);
    }

    void mesh(const HullInstanceArrays& instances) {
        const std::uint32_t index = instances.hull_index[found_.place.index];
        const HullMesh& mesh = instances.meshes[index];
        row("hull", "{}{}{}, {} points", index, mesh.name.empty() ? "" : ", of mesh ", mesh.name,
            grouped(mesh.x.size()));
    }

    void frame() {
        line("frame {} of {}", in_.frame, grouped(in_.path.size()));
        row("eye", "{}, looking along {}", text_of(camera_.eye), text_of(-camera_.basis().backward));
        lens();
        row("method", "automatic, {} ({})", isa_name(in_.isa), counted(isa_lanes(in_.isa), "lane"));
        if (in_.occluders) row("occluders", "{}", counted(found_.occluders, "solid box", "solid boxes"));
    }

    void lens() {
        const std::string high = camera_.is_orthographic()
                                     ? fmt::format("orthographic, {:.6g} high", camera_.height)
                                     : fmt::format("{:.6g} degrees high", glm::degrees(camera_.vertical_fov));
        row("lens", "{}, aspect {:.6g}, depths {:.6g} to {}", high, camera_.aspect, camera_.near, depth(camera_.far));
        if (camera_.shift != glm::dvec2(0)) {
            row("",
                "its middle is {:.6g} of half its width to the right of straight ahead, {:.6g} of half its height "
                "above",
                camera_.shift.x, camera_.shift.y);
        }
        if (camera_.given) {
            row("", "as the path's clip_from_world has it");
        } else if (!camera_.is_orthographic()) {
            far_of_floats();
        }
    }

    /// What an engine draws that has made its projection of the same depths in floats.
    void far_of_floats() {
        const double far = far_in_floats(camera_.near, camera_.far);
        if (far == camera_.far || std::abs(far - camera_.far) < 1e-4 * camera_.far) return;
        row("in float32", "a projection with z from 0 to 1 made for these depths ends at {}", depth(far));
    }

    static std::string depth(double depth) { return std::isinf(depth) ? "infinity" : fmt::format("{:.6g}", depth); }

    void verdict_and_proof() {
        const Certificate& certificate = found_.exact;
        const ReasonWords& words = words_of(certificate.reason);
        line("\n{} ({}): {}", verdict(certificate), short_key(words), words.sentence);
        if (certificate.reason == Reason::culled_plane) worst_plane("");
        if (certificate.reason == Reason::culled_gjk) separation(certificate);
        if (found_.wall) {
            row("wall", "object {}, {}", found_.wall->object, in_.scene.groups[found_.wall->group].name);
            bounds("", "", found_.wall->bounds);
        }
        if (certificate.steps != 0) row("steps", "{}", certificate.steps);
    }

    /// Of the plane that it lies farthest behind.
    void worst_plane(const char* comment) {
        const auto worst = std::ranges::min_element(found_.distances, {}, &Extent::high);
        if (worst->high >= 0) return;
        row("plane", "{}, by {:.6g}{}", plane_names[static_cast<std::size_t>(worst - found_.distances.begin())],
            -worst->high, comment);
    }

    void separation(const Certificate& certificate) {
        const double* d = certificate.direction;
        row("direction", "{}, from the object to the volume", text_of(glm::normalize(glm::dvec3(d[0], d[1], d[2]))));
        row("gap", "at least {:.6g}", certificate.gap);
        if (static_cast<double>(certificate.far_depth) < camera_.far) {
            row("volume", "cut at depth {:.6g}, where the object ends", certificate.far_depth);
        } else {
            row("volume", "whole");
        }
        worst_plane(": all of it is behind that as well; the direction was found first");
    }

    void distances() {
        line("\n{:<18} {:>12} {:>12}  (of the object's outermost and innermost point; behind is negative)",
             "distance to plane", "from", "to");
        for (std::size_t k = 0; k < found_.distances.size(); ++k) {
            const Extent& distance = found_.distances[k];
            row(plane_names[k], "{:>12.6g} {:>12.6g}  {}", distance.low, distance.high, place(distance));
        }
    }

    const ExplanationInput& in_;
    const ObjectExplanation& found_;
    const Camera& camera_;
    std::string text_;
};

}  // namespace

std::string explanation_text(const ExplanationInput& input, const ObjectExplanation& explanation) {
    return Text(input, explanation).text();
}

}  // namespace lanecull::program
