/// The culling pass of any frame, over a batch and over a scene of the same objects. A frame that breaks a rule changes
/// nothing. Else each view's bits are those of a single cull by it, for lamps among what they reach; a scene's boxes
/// around what is visible are the batch's, and what bits say is in them.

#include <lanecull/scene.h>
#include <lanecull/shadow.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "fuzz/check.hpp"
#include "fuzz/objects.hpp"
#include "fuzz/view_arguments.hpp"
#include "support/culling.hpp"
#include "support/written.hpp"

namespace {

using lanecull::Casters;
using lanecull::CullPass;
using lanecull::Handle;
using lanecull::PassCamera;
using lanecull::PassLamp;
using lanecull::Scene;
using lanecull::Status;
using lanecull::WorldBox;
using Words = std::vector<std::uint64_t>;

constexpr std::uint64_t unwritten = 0x5555555555555555u;

/// What a PassFrame points to.
struct Arguments {
    std::vector<PassCamera> cameras;
    std::vector<lanecull::PassSun> suns;
    std::vector<std::vector<lanecull::Plane>> planes;
    std::vector<PassLamp> lamps;
    std::vector<lanecull::PassSpot> spots;
    std::vector<std::vector<std::uint32_t>> seen_by;

    explicit Arguments(Input& input) {
        cameras.resize(1 + input.up_to(2));
        lamps.resize(input.up_to(3));
        suns.resize(cameras.size()), planes.resize(cameras.size());
        spots.resize(lamps.size()), seen_by.resize(lamps.size());
        for (std::size_t c = 0; c < cameras.size(); ++c) read_camera(input, c);
        for (std::size_t l = 0; l < lamps.size(); ++l) read_lamp(input, l);
    }
    Arguments(const Arguments&) = delete;
    Arguments& operator=(const Arguments&) = delete;

    [[nodiscard]] lanecull::PassFrame frame() const { return {cameras, lamps}; }
    [[nodiscard]] lanecull::PassLimits limits() const {
        lanecull::PassLimits limits{static_cast<std::uint32_t>(cameras.size()), 0,
                                    static_cast<std::uint32_t>(lamps.size())};
        for (const PassCamera& camera : cameras) {
            if (camera.sun != nullptr) limits.cascades += camera.sun->cascades == 0 ? 4 : camera.sun->cascades;
        }
        return limits;
    }

private:
    /// So that most frames keep most rules.
    static double mostly(Input& input, double usual, double any) { return input.up_to(31) == 0 ? any : usual; }

    void read_camera(Input& input, std::size_t c) {
        PassCamera& camera = cameras[c];
        std::ranges::copy(read_matrix(input), camera.clip_from_world);
        if (input.up_to(7) != 0) camera.clip_space.layout = lanecull::MatrixLayout::row_major;
        if (input.flag()) camera.clip_space.depth = lanecull::DepthRange::minus_one_to_one;
        if (input.up_to(3) == 0) planes[c] = read_planes(input, 3);
        camera.options.clip_planes = planes[c];
        if (input.up_to(3) == 0) camera.options.margin = input.size();
        if (input.flag()) return;
        lanecull::PassSun& sun = suns[c];
        camera.sun = &sun;
        for (double& component : sun.sun.toward) component = input.single();
        if (input.up_to(3) == 0) sun.sun.reach = input.size();
        sun.near_depth = mostly(input, 0.125 * (1 + input.up_to(31)), input.size());
        sun.far_depth = sun.near_depth + mostly(input, 1 + input.up_to(255), input.size());
        sun.cascades = input.up_to(31) == 0 ? input.up_to(9) : 1 + input.up_to(7);
        sun.logarithmic = mostly(input, 0.125 * input.up_to(8), input.size());
        for (std::size_t k = 0; k < 3; ++k) sun.map.up[k] = mostly(input, k == 1 ? 1 : 0.25, input.single());
        sun.map.is_tight = input.flag();
        sun.filter_texels = mostly(input, input.up_to(16), input.size());
    }
    void read_lamp(Input& input, std::size_t l) {
        PassLamp& lamp = lamps[l];
        for (double& coordinate : lamp.at) coordinate = input.real();
        lamp.range = mostly(input, 0.5 * (1 + input.up_to(127)), input.size());
        lamp.near_depth = lamp.range * mostly(input, 1.0 / (2 + input.up_to(254)), input.size());
        lamp.texels = input.up_to(15) == 0 ? input.up_to(70'000) : 16 + input.up_to(1024);
        lamp.filter_texels = mostly(input, input.up_to(16), input.size());
        if (input.flag()) {
            lamp.spot = &spots[l];
            for (double& component : spots[l].forward) component = input.single();
            for (std::size_t k = 0; k < 3; ++k) spots[l].up[k] = mostly(input, k == 1 ? 1 : 0.25, input.single());
            for (double* tan : {&spots[l].tan_x, &spots[l].tan_y})
                *tan = mostly(input, 0.125 * (1 + input.up_to(31)), input.size());
        }
        if (input.up_to(3) != 0) return;
        for (std::uint32_t n = input.up_to(2); n > 0; --n) {
            seen_by[l].push_back(input.up_to(static_cast<std::uint32_t>(cameras.size())));  // perhaps out of range
        }
        lamp.cameras = seen_by[l];
    }
};

/// A batch of any kind, and a scene that has it.
struct Objects {
    Kind kind;
    HullSet hulls;
    Format format;
    std::vector<Object> objects;
    HeapMemory memory;
    std::optional<lanecull::Batch> batch;
    Scene scene;
    std::vector<Handle> handles;

    explicit Objects(Input& input)
        : kind(all_kinds[input.up_to(std::size(all_kinds) - 1)]), hulls(read_hulls(input, true)) {
        const Streams streams = read_streams(input);
        objects.resize(1 + input.up_to(40));
        for (Object& object : objects) {
            object = read_object(input, kind, hulls.size());
            read_attributes(input, streams, object);
        }
        format = {.bounds = input.flag(), .streams = streams};
        batch.emplace(make_batch(kind, objects, hulls, memory, format));
        handles.resize(objects.size());
        const Status status = scene.add({&*batch, 1}, handles);
        check(status.ok(), "objects are added to a scene", status.message().text);
    }

    /// Whether numbers are beyond 2^60, where a scene may cull what a batch keeps: then its receivers may be others.
    [[nodiscard]] bool products_may_overflow() const {
        const auto beyond = [](float number) { return !(std::fabs(number) <= 0x1p60f); };
        return std::ranges::any_of(objects, [&](const Object& of) { return ::products_may_overflow(kind, of); }) ||
               std::ranges::any_of(hulls, [&](const auto& hull) {
                   return std::ranges::any_of(hull,
                                              [&](const auto& vertex) { return std::ranges::any_of(vertex, beyond); });
               });
    }

    [[nodiscard]] Words culled(const lanecull::View& view, const lanecull::CullOptions& options) const {
        Words words(lanecull::visibility_words({&*batch, 1}));
        std::vector<std::byte> scratch(lanecull::scratch_bytes({&*batch, 1}, 1));
        lanecull::Output output{.visible = words};
        const Status status = lanecull::cull({&*batch, 1}, {&view, 1}, {&output, 1}, scratch, options);
        check(status.ok(), "a view of a frame culls", status.message().text);
        return words;
    }
};

/// One call's outputs.
struct Bits {
    std::vector<Words> words;
    std::vector<lanecull::Output> outputs;

    Bits(std::size_t views, std::size_t count) : words(views, Words(count, unwritten)), outputs(views) {
        for (std::size_t v = 0; v < views; ++v) outputs[v].visible = words[v];
    }
    [[nodiscard]] bool untouched() const {
        return std::ranges::all_of(words, [](const Words& of) {
            return std::ranges::all_of(of, [](std::uint64_t word) { return word == unwritten; });
        });
    }
};

void check_pass(const Objects& of, const Arguments& arguments, Casters casters, const lanecull::CullOptions& options) {
    CullPass pass;
    Status status = pass.reserve(arguments.limits(), {&*of.batch, 1});
    if (status) status = pass.reserve(arguments.limits(), of.scene);
    check(status.ok() || status.message()[0] != 0, "a failure says what is wrong");
    if (!status) return;
    const std::size_t views = lanecull::view_count(arguments.frame());
    Bits flat(views, lanecull::visibility_words({&*of.batch, 1}));
    status = pass.run(arguments.frame(), {&*of.batch, 1}, flat.outputs, casters, options);
    if (!status) {
        check(status.message()[0] != 0, "a failure says what is wrong");
        check(flat.untouched(), "a failure writes nothing", status.message().text);
        return;
    }
    check(pass.view_count() == views, "a frame has the views that it is said to have");
    const std::size_t roots = lanecull::view_count({arguments.cameras});
    for (std::size_t v = 0; v < views; ++v) {
        const Words none(flat.words[v].size());
        const bool is_alone = v < roots || casters == Casters::frustum;
        const Words alone = pass.view(v).prepared() ? of.culled(pass.view(v), options) : none;
        for (std::size_t w = 0; w < none.size(); ++w) {
            check(is_alone ? flat.words[v][w] == alone[w] : (flat.words[v][w] & ~alone[w]) == 0,
                  "a view's bits are those of a single cull", "view " + std::to_string(v));
        }
    }
    Bits ordered(views, lanecull::visibility_words(of.scene));
    status = pass.run(arguments.frame(), of.scene, ordered.outputs, casters, options);
    check(status.ok() || of.products_may_overflow(), "a frame that is drawn of a batch is drawn of a scene",
          status.message().text);
}

bool same(const WorldBox& a, const WorldBox& b) {
    return std::ranges::equal(a.lower, b.lower) && std::ranges::equal(a.upper, b.upper);
}

/// Any bits, of the same objects on both sides.
void check_bounds(Input& input, const Objects& of, const PassCamera& camera) {
    Words flat(lanecull::visibility_words({&*of.batch, 1})), ordered(lanecull::visibility_words(of.scene));
    for (std::size_t i = 0; i < of.objects.size(); ++i) {
        if (!input.flag()) continue;
        std::uint32_t slot = 0;
        check(of.scene.slot_of(of.handles[i], slot).ok(), "an object has a slot");
        flat[i / 64] |= std::uint64_t{1} << i % 64;
        ordered[slot / 64] |= std::uint64_t{1} << slot % 64;
    }
    WorldBox box, by_scene;
    Status status = lanecull::visible_bounds({&*of.batch, 1}, flat, box);
    check(status.ok() && lanecull::visible_bounds(of.scene, ordered, by_scene).ok(), "visible objects have a box");
    check(same(box, by_scene), "a scene's box is the batch's");
    std::vector<double> depths(2 + input.up_to(8));
    for (double& depth : depths) depth = input.real();
    if (input.up_to(7) != 0) std::ranges::sort(depths);
    std::vector<WorldBox> boxes(depths.size() - 1), of_scene(boxes.size());
    const auto& matrix = camera.clip_from_world;
    status = lanecull::slice_bounds({&*of.batch, 1}, flat, matrix, camera.clip_space, depths, boxes);
    const Status again = lanecull::slice_bounds(of.scene, ordered, matrix, camera.clip_space, depths, of_scene);
    check(status.ok() == again.ok(), "a scene is sliced where its batch is", status.ok() ? again.message() : "");
    for (std::size_t k = 0; status && k < boxes.size(); ++k) {
        check(same(boxes[k], of_scene[k]), "a scene's slice is the batch's", std::to_string(k));
    }
}

/// A scene of so many copies of the objects that its blocks are asked first: no box is larger than the batch's.
void check_blocks(Input& input, const Objects& of, const PassCamera& camera) {
    if (input.up_to(63) != 63) return;
    std::vector<Object> objects;
    while (objects.size() < 17'000) objects.insert(objects.end(), of.objects.begin(), of.objects.end());
    HeapMemory memory;
    const lanecull::Batch batch = make_batch(of.kind, objects, of.hulls, memory, of.format);
    Scene scene;
    std::vector<Handle> handles(objects.size());
    check(scene.add({&batch, 1}, handles).ok(), "copies of objects are added to a scene");
    Words flat(lanecull::visibility_words({&batch, 1})), ordered(lanecull::visibility_words(scene));
    const std::uint32_t step = 1 + input.up_to(300);
    for (std::size_t i = 0; i < objects.size(); i += step) {
        std::uint32_t slot = 0;
        check(scene.slot_of(handles[i], slot).ok(), "an object has a slot");
        flat[i / 64] |= std::uint64_t{1} << i % 64;
        ordered[slot / 64] |= std::uint64_t{1} << slot % 64;
    }
    const double depths[] = {0.5, 4, 32};
    WorldBox boxes[2], of_scene[2];
    const auto& matrix = camera.clip_from_world;
    const Status status = lanecull::slice_bounds({&batch, 1}, flat, matrix, camera.clip_space, depths, boxes);
    const Status again = lanecull::slice_bounds(scene, ordered, matrix, camera.clip_space, depths, of_scene);
    check(status.ok() == again.ok(), "a scene is sliced where its batch is", status.ok() ? again.message() : "");
    for (std::size_t s = 0; status && s < 2; ++s) {
        for (std::size_t k = 0; k < 3; ++k) {
            check(!(of_scene[s].lower[k] < boxes[s].lower[k]) && !(of_scene[s].upper[k] > boxes[s].upper[k]),
                  "a scene's slice is no larger than the batch's", std::to_string(s));
        }
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Input input(data, size);
    const Arguments arguments(input);
    const Objects objects(input);
    const lanecull::CullOptions options{
        .isa = runnable_isas()[input.up_to(static_cast<std::uint32_t>(runnable_isas().size() - 1))]};
    check_pass(objects, arguments, input.flag() ? Casters::frustum : Casters::volume, options);
    check_bounds(input, objects, arguments.cameras[0]);
    check_blocks(input, objects, arguments.cameras[0]);
    return 0;
}
