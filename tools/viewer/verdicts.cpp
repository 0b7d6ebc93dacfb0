#include "verdicts.hpp"

#include <array>
#include <cstddef>
#include <glm/geometric.hpp>
#include <glm/vec3.hpp>

#include "support/error.hpp"

namespace lanecull::program {
namespace {

using glm::dvec3;

constexpr std::uint32_t opaque(std::uint32_t r, std::uint32_t g, std::uint32_t b) {
    return 0xFF000000U | b << 16 | g << 8 | r;
}

class Lines {
public:
    Lines(const dvec3& eye, std::vector<LineEnd>& lines) : eye_(eye), lines_(lines) {}

    void add(const dvec3& from, const dvec3& to, std::uint32_t color) {
        for (const dvec3& end : {from, to}) {
            const glm::vec3 p(end - eye_);
            lines_.push_back({p.x, p.y, p.z, color});
        }
    }

private:
    dvec3 eye_;
    std::vector<LineEnd>& lines_;
};

}  // namespace

std::uint32_t color_of(Reason reason) {
    switch (reason) {
        case Reason::culled_plane:
            return opaque(120, 120, 126);
        case Reason::culled_gjk:
            return opaque(240, 120, 30);
        case Reason::culled_occluded:
            return opaque(170, 90, 220);
        case Reason::culled_distance:
        case Reason::culled_near:
        case Reason::culled_size:
        case Reason::culled_disabled:
        case Reason::culled_layer:
        case Reason::culled_candidate:
            return opaque(150, 90, 90);
        case Reason::visible_inside:
            return opaque(50, 120, 230);
        case Reason::visible_vertex:
            return opaque(60, 190, 220);
        case Reason::visible_overlap:
            return opaque(70, 200, 110);
        default:
            return opaque(230, 220, 60);
    }
}

void color_verdicts(std::span<const Batch> batches, const View& view, const FrameMaker& frames,
                    const CullOptions& options, std::span<std::uint32_t> colors) {
    std::vector<Certificate> certificates(colors.size());
    std::vector<std::byte> scratch(scratch_bytes(batches, 1));
    Explanation why{.certificates = certificates};
    Output output{.candidates = frames.candidates(), .occluders = frames.occluders(), .explanation = &why};
    require(cull(batches, {&view, 1}, {&output, 1}, scratch, options));
    for (std::size_t i = 0; i < colors.size(); ++i) colors[i] = color_of(certificates[i].reason);
}

void add_volume(const Camera& camera, const dvec3& eye, std::vector<LineEnd>& ends) {
    Lines lines(eye, ends);
    const std::array corners = camera.corners();
    for (std::size_t i = 0; i < 4; ++i) {
        const std::size_t next = (i + 1) % 4;
        constexpr std::uint32_t ink = opaque(255, 255, 255);
        lines.add(corners[i], corners[next], ink);
        lines.add(corners[i + 4], corners[next + 4], ink);
        lines.add(corners[i], corners[i + 4], ink);
    }
}

void add_boxes(std::span<const BoxEdges> boxes, const dvec3& eye, std::vector<LineEnd>& ends) {
    Lines lines(eye, ends);
    for (const BoxEdges& box : boxes) {
        const auto corner = [&](unsigned i) {
            const auto side = [i](unsigned bit) { return (i >> bit & 1U) != 0 ? 1.0 : -1.0; };
            return box.center + box.half * dvec3(side(0), side(1), side(2));
        };
        for (unsigned i = 0; i < 8; ++i) {
            for (const unsigned bit : {1U, 2U, 4U}) {
                if ((i & bit) == 0) lines.add(corner(i), corner(i | bit), opaque(220, 150, 255));
            }
        }
    }
}

void add_caster_volumes(const FramePlan& plan, const dvec3& eye, std::vector<LineEnd>& ends) {
    Lines lines(eye, ends);
    const double* directional_light = plan.directional_light.directional_light.toward;
    const dvec3 toward(directional_light[0], directional_light[1], directional_light[2]);
    const double* at = plan.point_light.at;
    const dvec3 point_light(at[0], at[1], at[2]);
    constexpr std::uint32_t inks[] = {opaque(255, 240, 120), opaque(255, 210, 80), opaque(255, 170, 60),
                                      opaque(255, 130, 50)};
    for (std::size_t k = 0; k < cascade_count; ++k) {
        double numbers[24];
        require(slice_corners(plan.slice(k), numbers));
        std::array<dvec3, 8> corners;
        for (std::size_t i = 0; i < 8; ++i) corners[i] = {numbers[3 * i], numbers[3 * i + 1], numbers[3 * i + 2]};
        for (std::size_t i = 0; i < 8; ++i) {
            for (const std::size_t bit : {1U, 2U, 4U}) {
                if ((i & bit) == 0) lines.add(corners[i], corners[i | bit], inks[k]);
            }
            if (i >= 4) lines.add(corners[i], corners[i] + 0.5 * plan.directional_light.far_depth * toward, inks[k]);
        }
        if (k == 0) {
            for (const dvec3& corner : corners) lines.add(corner, point_light, opaque(255, 120, 200));
        }
    }
}

}  // namespace lanecull::program
