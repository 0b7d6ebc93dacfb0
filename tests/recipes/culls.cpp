/// Culls boxes with round edges by the set `plain`, and compares with plain arithmetic: alone, in a scene, with levels
/// of detail, and as pairs.

#include <lanecull/lanecull.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <vector>

namespace {

using namespace lanecull;

constexpr std::uint32_t count = 2000, valid = count - 2;
constexpr float reach = 5;         // the view is the cube of |coordinate| <= reach
constexpr double touching = 1e-4;  // no verdict is compared that is nearer to touching

void require(bool holds, const char* what) {
    if (holds) return;
    std::printf("%s\n", what);
    std::exit(1);
}
void require(const Status& status) { require(status.ok(), status.message()); }

struct Object {
    float low[3], high[3], radius;
};

/// A quarter of the objects are boxes alone, and a quarter balls. The last two are no shapes.
std::vector<Object> objects() {
    std::uint32_t state = 1;
    const auto number = [&](float least, float most) {
        state = state * 1664525 + 1013904223;
        return least + (most - least) * static_cast<float>(state >> 8) * 0x1p-24f;
    };
    std::vector<Object> made(count);
    for (std::uint32_t i = 0; i < count; ++i) {
        Object& o = made[i];
        for (int j = 0; j < 3; ++j) {
            o.low[j] = number(-9, 9);
            o.high[j] = o.low[j] + (i % 4 == 1 ? 0 : number(0, 3));
        }
        o.radius = i % 4 == 0 ? 0 : number(0, 3);
    }
    made[count - 2].high[1] = made[count - 2].low[1] - 1;
    made[count - 1].radius = -1;
    return made;
}

/// How far two objects are apart; below zero, if at all, by no more than their radii.
double distance(const Object& a, const Object& b) {
    double square = 0;
    for (int j = 0; j < 3; ++j) {
        const double gap = std::max({double{a.low[j]} - double{b.high[j]}, double{b.low[j]} - double{a.high[j]}, 0.0});
        square += gap * gap;
    }
    return std::sqrt(square) - double{a.radius} - double{b.radius};
}

/// The objects as a batch.
struct Streams {
    std::array<std::vector<float>, 7> numbers;

    explicit Streams(const std::vector<Object>& from) {
        for (const Object& o : from) {
            for (std::size_t j = 0; j < 3; ++j) {
                numbers[j].push_back(o.low[j]);
                numbers[3 + j].push_back(o.high[j]);
            }
            numbers[6].push_back(o.radius);
        }
    }
    [[nodiscard]] RoundedBoxes batch() const {
        const auto& n = numbers;
        return {n[0].data(), n[1].data(), n[2].data(), n[3].data(),
                n[4].data(), n[5].data(), n[6].data(), static_cast<std::uint32_t>(n[0].size())};
    }
};

bool bit(const std::vector<std::uint64_t>& words, std::uint32_t i) { return (words[i / 64] >> i % 64 & 1) != 0; }

constexpr Object volume{{-reach, -reach, -reach}, {reach, reach, reach}, 0};

View cube() {
    double corners[24];
    for (std::size_t i = 0; i < 24; ++i) corners[i] = (i / 3 >> i % 3 & 1) != 0 ? double{reach} : -double{reach};
    View view;
    require(prepare_view_from_corners(corners, view));
    return view;
}

/// Culls batches or a scene. The bits.
template <class Objects>
std::vector<std::uint64_t> visible_in(const Objects& objects, const View& view, Output& output) {
    std::vector<std::uint64_t> visible(visibility_words(objects));
    std::vector<std::byte> scratch(scratch_bytes(objects, 1));
    output.visible = visible;
    require(cull(objects, {&view, 1}, {&output, 1}, scratch, {.isa = Isa::plain}));
    return visible;
}

/// visible(i): what a cull says.
template <class Visible>
void check_verdicts(const std::vector<Object>& all, const char* what, const Visible& visible) {
    std::uint32_t shown = 0;
    for (std::uint32_t i = 0; i < valid; ++i) {
        const double apart = distance(all[i], volume);
        if (std::fabs(apart) > touching) require(visible(i) == (apart < 0), what);
        shown += visible(i) ? 1 : 0;
    }
    for (std::uint32_t i = valid; i < count; ++i) require(visible(i), "an invalid object is culled");
    require(shown > valid / 8 && shown < 7 * valid / 8, "the objects lie all alike");
}

void check_cull(const std::vector<Object>& all, const Streams& streams, const View& view) {
    const Batch batches[] = {streams.batch()};
    Explanation why;
    Output output{.explanation = &why};
    const std::vector<std::uint64_t> visible = visible_in(batches, view, output);
    check_verdicts(all, "cull()", [&](std::uint32_t i) { return bit(visible, i); });
    require(why.counts[Reason::visible_invalid] == 2, "invalid objects are not counted");
}

/// And from an eye far away each object is visible, and its distance is no more than what arithmetic says.
void check_scene(const std::vector<Object>& all, const Streams& streams, const View& view) {
    const Batch batches[] = {streams.batch()};
    Scene scene;
    std::vector<Handle> names(count), handles(count);
    require(scene.add(batches, names));
    scene.refit();
    Output output;
    const std::vector<std::uint64_t> visible = visible_in(scene, view, output);
    check_verdicts(all, "cull() of a scene", [&](std::uint32_t i) {
        std::uint32_t slot = 0;
        require(scene.slot_of(names[i], slot));
        return bit(visible, slot);
    });

    const float eye[3] = {0, 0, 100};
    const std::array<double, 16> matrix{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1, 99, 0, 0, -1, 100};
    View afar;
    require(prepare_view(matrix, {.layout = MatrixLayout::row_major}, afar));
    std::vector<float> distances(count);
    SceneOutput own{.handles = handles};
    own.lod.distances = distances;
    output.scene = &own;
    static_cast<void>(visible_in(scene, afar, output));
    require(output.visible_count == count, "the view from afar does not see everything");
    for (std::uint32_t k = 0; k < count; ++k) {
        const auto i = static_cast<std::uint32_t>(std::find(names.begin(), names.end(), handles[k]) - names.begin());
        if (i >= valid) continue;
        const double known = distance(all[i], {{eye[0], eye[1], eye[2]}, {eye[0], eye[1], eye[2]}, 0});
        require(double{distances[k]} <= known && double{distances[k]} > known - touching, "LodOutput::distances");
    }
}

/// Each object and the next but one.
void check_pairs(const std::vector<Object>& all, const Streams& streams) {
    std::vector<std::uint32_t> first(count - 2), second(count - 2);
    for (std::uint32_t i = 0; i < count - 2; ++i) first[i] = i, second[i] = i + 2;
    const PairIndices pairs{first.data(), second.data(), first.size()};
    std::vector<std::uint64_t> apart((first.size() + 63) / 64);
    std::vector<float> lower(first.size()), upper(first.size());
    require(separate_pairs(streams.batch(), streams.batch(), pairs, apart, {.isa = Isa::plain}));
    require(pair_distances(streams.batch(), streams.batch(), pairs, {lower.data(), upper.data()}));
    for (std::uint32_t i = 0; i < first.size(); ++i) {
        if (second[i] >= valid) {
            require(!bit(apart, i) && lower[i] == 0 && std::isinf(upper[i]), "a pair of no shapes");
            continue;
        }
        const double known = std::max(distance(all[first[i]], all[second[i]]), 0.0);
        if (known > touching) require(bit(apart, i), "separate_pairs()");
        require(double{lower[i]} <= known + touching && double{upper[i]} >= known - touching, "pair_distances()");
        require(double{upper[i]} - double{lower[i]} < touching || known == 0, "pair_distances(): far apart");
    }
}

}  // namespace

int main() {
    const std::vector<Object> all = objects();
    const Streams streams(all);
    const View view = cube();
    require(isa_lanes(Isa::plain) == 1 && isa_runnable(Isa::plain), "the set does not run");
    check_cull(all, streams, view);
    check_scene(all, streams, view);
    check_pairs(all, streams);
    std::printf("%u boxes with round edges\n", count);
}
