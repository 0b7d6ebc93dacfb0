/// Choosing occluders among solids of any numbers, from any sight. What is chosen is allowed, there once, and what
/// prepare_occluder() makes of it; the same call chooses the same; and what is refused writes nothing.

#include <lanecull/occluder.h>
#include <lanecull/solids.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "fuzz/check.hpp"
#include "fuzz/input.hpp"
#include "view/prepared_occluder.hpp"

namespace {

using namespace lanecull;

SolidBox read_box(Input& input) {
    SolidBox box;
    for (std::size_t k = 0; k < 3; ++k) {
        box.min[k] = input.single();
        box.max[k] = box.min[k] + input.size();
    }
    return box;
}

SolidOrientedBox read_turned(Input& input) {
    SolidOrientedBox box;
    for (std::size_t k = 0; k < 3; ++k) {
        box.center[k] = input.single();
        box.half_extents[k] = input.size();
        if (input.flag()) continue;
        for (float& a : box.axes[k]) a = input.single();
    }
    return box;
}

/// Mostly wedges that are placed anywhere; some have a corner or a triangle of any numbers, or no hull at all.
SolidHullInstance read_hull(Input& input, SolidHull& hull) {
    const float at[3][6] = {{0, 1, 0, 1, 0, 1}, {0, 0, 1, 1, 0, 0}, {0, 0, 0, 0, 1, 1}};
    check(inscribe_hull({at[0], at[1], at[2], 6}, hull).ok(), "a wedge is a polytope");
    if (input.up_to(7) == 0) hull.corner[input.up_to(5)][input.up_to(2)] = input.single();
    if (input.up_to(7) == 0) hull.triangle[input.up_to(7)][input.up_to(2)] = static_cast<std::uint8_t>(input.bits());
    if (input.up_to(15) == 0) hull.triangle_count = input.bits();
    if (input.up_to(7) == 0) hull.drawn.upper[input.up_to(2)] = input.single();
    SolidHullInstance placed{input.up_to(15) == 0 ? nullptr : &hull};
    for (std::size_t k = 0; k < 3; ++k) {
        placed.transform[4 * k + 3] = input.single();
        placed.transform[5 * k] = input.size();
        if (input.up_to(3) == 0) placed.transform[4 * k + input.up_to(2)] = input.single();
    }
    return placed;
}

/// Perspective along +x, from any eye.
bool read_view(Input& input, View& view, Viewpoint& viewpoint) {
    constexpr double near = 0.1, far = 500, f = far / (far - near);
    const std::array<double, 16> clip = {0, -1, 0, 0, 0, 0, 1.5, 0, f, 0, 0, -near * f, 1, 0, 0, 0};
    ClipSpace space;
    space.layout = MatrixLayout::row_major;
    for (double& at : space.origin) at = input.real();
    if (!prepare_view(clip, space, view)) return false;
    const std::uint32_t sight = input.up_to(3);
    if (sight == 0) {
        const double way[3] = {input.real(), input.real(), input.real()};
        return prepare_viewpoint_along(way, space.origin, viewpoint).ok();
    }
    if (sight == 1) {
        std::vector<double> eyes(3 * (1 + input.up_to(7)));
        for (double& eye : eyes) eye = input.real();
        return prepare_viewpoint_from_eyes(eyes, 0.1, viewpoint).ok();
    }
    return prepare_viewpoint(clip, space, viewpoint).ok();
}

struct Choice {
    std::vector<Occluder> occluders;
    std::vector<std::uint32_t> indices;
    std::uint32_t count = 12345;
    Status status;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Input input(data, size);
    View view;
    Viewpoint viewpoint;
    if (!read_view(input, view, viewpoint)) return 0;
    std::vector<SolidBox> boxes(input.up_to(90)), drawn;
    std::vector<SolidOrientedBox> turned(input.up_to(20));
    std::vector<SolidHull> hulls(input.up_to(5));
    std::vector<SolidHullInstance> placed;
    for (SolidHull& hull : hulls) placed.push_back(read_hull(input, hull));
    const SolidSet all{.boxes = boxes, .oriented_boxes = turned, .hulls = placed};
    const std::size_t count = all.count(), most = input.up_to(65);
    std::vector<std::uint64_t> candidates(input.flag() ? 0 : input.up_to(2));
    std::vector<std::uint32_t> last(input.up_to(65));
    std::vector<std::uint32_t> hidden(input.flag() ? last.size() : input.up_to(3));
    ChooseOptions options{.candidates = candidates, .last_chosen = last, .last_hidden = hidden};
    if (input.flag()) options.raster = {input.real(), input.real(), input.real()};
    if (input.up_to(7) == 0) drawn.resize(input.flag() ? count : input.up_to(3));
    for (std::uint64_t& word : candidates) word = std::uint64_t{input.bits()} << 32 | input.bits();
    for (SolidBox& box : boxes) box = read_box(input);
    for (SolidOrientedBox& box : turned) box = read_turned(input);
    for (SolidBox& box : drawn) box = read_box(input);
    for (std::uint32_t& index : last) index = input.up_to(static_cast<std::uint32_t>(count) + 1);
    for (std::uint32_t& number : hidden) number = input.bits();

    const auto choose = [&] {
        Choice choice{std::vector<Occluder>(most), std::vector<std::uint32_t>(most, 12345), 12345, {}};
        std::vector<std::byte> scratch(choose_scratch_bytes(count));
        SolidSet solids = all;
        solids.drawn = drawn;
        choice.status =
            choose_occluders(solids, view, viewpoint, choice.occluders, choice.indices, scratch, choice.count, options);
        return choice;
    };
    Choice choice = choose();
    if (!choice.status) {
        check(choice.count == 12345 && std::ranges::none_of(choice.occluders, &Occluder::prepared),
              "nothing is written");
        return 0;
    }
    check(choice.count <= std::min(most, count), "no more than there are", {});
    for (std::uint32_t k = 0; k < choice.count; ++k) {
        const std::uint32_t i = choice.indices[k];
        check(i < count, "a solid's number");
        check(candidates.empty() || (candidates[i / 64] >> i % 64 & 1) != 0, "a candidate");
        const OccluderOptions of_one{drawn.empty() ? nullptr : &drawn[i], options.raster};
        Occluder expected;
        const std::size_t first_hull = boxes.size() + turned.size();
        const OccluderRefusal refusal = i < boxes.size() ? prepare_occluder(boxes[i], viewpoint, expected, of_one)
                                        : i < first_hull
                                            ? prepare_occluder(turned[i - boxes.size()], viewpoint, expected, of_one)
                                            : prepare_occluder(placed[i - first_hull], viewpoint, expected, of_one);
        check(refusal == OccluderRefusal::none, "it hides");
        check(std::memcmp(&contents_of(expected), &contents_of(choice.occluders[k]), sizeof(PreparedOccluder)) == 0,
              "it is what prepare_occluder() makes");
    }
    check(choose().indices == choice.indices, "the same again");
    choice.indices.resize(choice.count);
    std::ranges::sort(choice.indices);
    check(std::ranges::adjacent_find(choice.indices) == choice.indices.end(), "each once");
    return 0;
}
