#include "api/modes_calls.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <lanecull/bounds.h>
#include <lanecull/cull.h>
#include <lanecull/flat.h>
#include <lanecull/pairs.h>
#include <lanecull/shadow.h>

#include "api/modes_objects.hpp"
#include "bounds/world_cases.hpp"
#include "flat/figures.hpp"
#include "properties/pairs/setting.hpp"
#include "support/culling.hpp"

/// The functions that read objects: culls, pairs, bounds and packing.
namespace modes {
namespace {

using lanecull::Batch;

template <class Fields>
void make_odd(Random& random, std::size_t i, Fields& fields, std::size_t used) {
    const auto any = [&](std::size_t n) { return static_cast<std::size_t>(random.below(static_cast<int>(n))); };
    if (i % 4 == 0) fields[any(used)] = odd_floats()[any(odd_floats().size())];
    if (i % 4 == 1) {
        const int exponent = -random.below(150);
        for (float& field : fields) field = std::ldexp(field, exponent);
    }
}

// Solids.

struct SolidInputs {
    OddScene objects;
    std::vector<lanecull::View> views;

    SolidInputs() {
        Random random(12);
        for (const Projection projection : {Projection::infinite, Projection::orthographic, Projection::oblique}) {
            views.push_back(random_prepared_camera(random, projection).view);
        }
        const Camera& camera = objects.camera.camera;
        const lanecull::DirectionalLight directional_light{{0.25, 1, 0.5}};
        const lanecull::PointLight point_light{{camera.eye[0], camera.eye[1], camera.eye[2]}, camera.depth[1]};
        lanecull::View view;
        for (const lanecull::ViewOptions& options : {lanecull::ViewOptions{}, lanecull::ViewOptions{.margin = 0.01},
                                                     lanecull::ViewOptions{.directional_light = &directional_light},
                                                     lanecull::ViewOptions{.point_light = &point_light}}) {
            if (camera.prepare(view, options)) views.push_back(view);
        }
    }
};

const SolidInputs& solids() {
    static const SolidInputs all;
    return all;
}

/// Calls cull() with every output.
template <class Batch, class View, class Cull>
void cull_all(Answer& answer, std::span<const Batch> batches, std::span<const View> views, std::size_t words,
              std::size_t scratch_bytes, lanecull::Method method, const Cull& cull) {
    struct Lists {
        std::vector<std::uint64_t> visible, inside;
        std::vector<std::uint32_t> indices;
        std::vector<lanecull::VisibleRun> runs;
        std::vector<lanecull::Certificate> certificates;
    };
    std::size_t objects = 0;
    for (const Batch& batch : batches) objects += batch.count();
    std::vector<Lists> lists(views.size());
    std::vector<lanecull::Output> outputs(views.size());
    std::vector<lanecull::Explanation> whys(views.size());
    for (std::size_t v = 0; v < views.size(); ++v) {
        Lists& to = lists[v];
        to.visible.resize(words), to.inside.resize(words);
        to.indices.resize(objects), to.runs.resize(objects), to.certificates.resize(objects);
        outputs[v].visible = to.visible, outputs[v].inside = to.inside;
        outputs[v].indices = to.indices, outputs[v].runs = to.runs;
        outputs[v].explanation = &whys[v];
        // Certificates are made by other code; every other view is without.
        if (v % 2 == 0) whys[v].certificates = to.certificates;
    }
    std::vector<std::uint64_t> masks(objects);
    std::vector<std::byte> scratch(scratch_bytes);
    lanecull::CullOptions options;
    options.method = method;
    options.runner = foreign_runner();
    options.view_masks = masks;
    answer.add(cull(batches, views, outputs, scratch, options));
    for (std::size_t v = 0; v < views.size(); ++v) {
        answer.add(lists[v].visible), answer.add(lists[v].inside);
        answer.add(lists[v].indices), answer.add(lists[v].runs), answer.add(lists[v].certificates);
        answer.add(whys[v].counts), answer.add(outputs[v].visible_count);
    }
    answer.add(masks);
}

void cull_solids(Answer& answer) {
    const SolidInputs& in = solids();
    const std::size_t bytes = lanecull::scratch_bytes(in.objects.batches, in.views.size());
    for (const lanecull::Method method : all_methods) {
        cull_all(answer, std::span(in.objects.batches), std::span(in.views),
                 lanecull::visibility_words(in.objects.batches), bytes, method,
                 [](auto batches, auto views, std::span<lanecull::Output> outputs, std::span<std::byte> scratch,
                    const lanecull::CullOptions& options) {
                     return lanecull::cull(batches, views, outputs, scratch, options);
                 });
    }
}

void count_solids(Answer& answer) { answer.add(lanecull::visibility_words(solids().objects.batches)); }
void size_scratch(Answer& answer) { answer.add(lanecull::scratch_bytes(solids().objects.batches, 3)); }

void visible_bounds(Answer& answer) {
    for (const Batch& batch : solids().objects.batches) {
        const std::size_t words = lanecull::visibility_words({&batch, 1});
        std::vector<std::uint64_t> visible(words);
        for (std::uint32_t i = 0; i < batch.count(); ++i) {
            if (i > 0) visible[(i - 1) / 64] = 0;
            visible[i / 64] = std::uint64_t{1} << i % 64;
            lanecull::WorldBox box;
            answer.add(lanecull::visible_bounds({&batch, 1}, visible, box));
            answer.add(box);
        }
    }
}

void slice_bounds(Answer& answer) {
    const std::array<double, 16> camera = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 0, -1, 0};
    const double depths[] = {-1e30, -20, -1.25, 0.1, 3.7, 21, 1e30};
    for (const Batch& batch : solids().objects.batches) {
        const std::size_t words = lanecull::visibility_words({&batch, 1});
        std::vector<std::uint64_t> visible(words, ~std::uint64_t{0});
        for (std::size_t w = 0; w < words; ++w) {
            if (w > 0) visible[w - 1] = 0;
            lanecull::WorldBox boxes[6];
            answer.add(lanecull::slice_bounds({&batch, 1}, visible, camera, {}, depths, boxes));
            for (const lanecull::WorldBox& box : boxes) answer.add(box);
        }
    }
}

template <class Shapes>
const Shapes& shapes_of(Kind kind) {
    return *solids().objects.batches[static_cast<std::size_t>(kind)].get_if<Shapes>();
}

void bounding_radii(Answer& answer) {
    for (const Kind kind : {Kind::oriented_box, Kind::quaternion_box}) {
        const auto& boxes = shapes_of<lanecull::OrientedBoxes>(kind);
        std::vector<float> radius(boxes.count);
        answer.add(lanecull::bounding_radii(boxes, radius.data()));
        answer.add(radius);
    }
}

template <class Shapes>
void add_spheres(Answer& answer, const Shapes& instances) {
    std::vector<float> numbers(4 * std::size_t{instances.count});
    float* const to = numbers.data();
    const std::size_t n = instances.count;
    answer.add(lanecull::bounding_spheres(instances, to, to + n, to + 2 * n, to + 3 * n));
    answer.add(numbers);
}
void spheres_of_hulls(Answer& answer) { add_spheres(answer, shapes_of<lanecull::HullInstances>(Kind::hull)); }
void spheres_of_boxes(Answer& answer) { add_spheres(answer, shapes_of<lanecull::BoxInstances>(Kind::box_instance)); }

// Vertices.

/// Vertex sets x y z, one after the other, of any size.
struct VertexInputs {
    std::vector<std::vector<float>> sets;

    VertexInputs() {
        Random random(3);
        for (const int exponent : {-149, -140, -126, -70, -10, 0, 60, 120}) {
            std::vector<float>& set = sets.emplace_back(3 * 60);
            for (float& number : set) number = static_cast<float>(std::ldexp(random.range(-2, 3), exponent));
        }
    }
};

/// Calls with each set as it is, and of one with odd numbers.
template <class Call>
void with_vertices(const Call& call) {
    static const VertexInputs inputs;
    for (std::vector<float> set : inputs.sets) {
        const auto n = static_cast<std::uint32_t>(set.size() / 3);
        const lanecull::Vertices vertices{set.data(), set.data() + n, set.data() + 2 * n, n};
        with_odd(std::span(set).subspan(n - 2, 4), odd_floats(), [&] { call(vertices); });
    }
}

template <class Bounds, class Function>
void bound(Answer& answer, const Function& function) {
    with_vertices([&](const lanecull::Vertices& vertices) {
        Bounds bounds;
        answer.add(function(vertices, bounds, lanecull::Isa::automatic));
        answer.add(bounds);
    });
}

void bounding_box(Answer& answer) { bound<lanecull::BoxBounds>(answer, lanecull::bounding_box); }
void bounding_sphere(Answer& answer) { bound<lanecull::SphereBounds>(answer, lanecull::bounding_sphere); }
void bounding_oriented_box(Answer& answer) {
    bound<lanecull::OrientedBoxBounds>(answer, lanecull::bounding_oriented_box);
}

void prepare_hull(Answer& answer) {
    with_vertices([&](const lanecull::Vertices& v) {
        lanecull::Hull hull;
        answer.add(lanecull::prepare_hull(v.x, v.y, v.z, v.count, hull));
        answer.add(std::span(hull.lower)), answer.add(std::span(hull.upper)), answer.add(std::span(hull.mean));
        answer.add(hull.outer), answer.add(hull.inner);
    });
}

void unpack_floats(Answer& answer) {
    with_vertices([&](const lanecull::Vertices& v) {
        std::vector<float> streams(3 * std::size_t{v.count});
        float* const to[] = {streams.data(), streams.data() + v.count, streams.data() + 2 * v.count};
        answer.add(lanecull::unpack_floats({v.x}, v.count, to));
        answer.add(streams);
    });
}

void relative_spheres(Answer& answer) {
    constexpr std::uint32_t count = 4;
    struct Numbers {
        double positions[3 * count] = {1e6, 3.1, -7e-30, 2e5, -1e-39, 1e30, 5, 6, 7, 1e6, 1e6 + 1e-9, -1e6};
        double origin[3] = {1e6, 0.1, -0.7};
    } numbers;
    float radius[count] = {1e-40f, 3.3f, -1e-40f, 0.1f};
    with_odd_doubles(numbers, [&] {
        float to[4][count] = {};
        answer.add(
            lanecull::relative_spheres({numbers.positions}, radius, count, numbers.origin, to[0], to[1], to[2], to[3]));
        answer.add(std::span(to));
    });
    with_odd(std::span<float>(radius), odd_floats(), [&] {
        float to[4][count] = {};
        answer.add(
            lanecull::relative_spheres({numbers.positions}, radius, count, numbers.origin, to[0], to[1], to[2], to[3]));
        answer.add(std::span(to));
    });
}

// World bounds.

/// Worlds of every family, some numbers of which are odd.
const std::vector<world_tests::World>& worlds() {
    static const std::vector<world_tests::World> all = [] {
        Random random(21);
        std::vector<world_tests::World> made;
        for (int k = 0; k < static_cast<int>(world_tests::Family::families); ++k) {
            world_tests::World& world = made.emplace_back(random, static_cast<world_tests::Family>(k), 100);
            for (const float odd : odd_floats()) {
                const auto any = [&](std::size_t n) {
                    return static_cast<std::size_t>(random.below(static_cast<int>(n)));
                };
                world.matrices[any(world.matrices.size())] = odd;
                world.put(any(6), any(world.cases.size()), odd);
            }
        }
        return made;
    }();
    return all;
}

using SixStreams = std::array<std::vector<float>, 6>;

lanecull::BoxStreams box_streams(SixStreams& to, std::size_t count) {
    for (std::vector<float>& stream : to) stream.assign(count, 0);
    return {to[0].data(), to[1].data(), to[2].data(), to[3].data(), to[4].data(), to[5].data()};
}

void world_boxes(Answer& answer) {
    for (const world_tests::World& world : worlds()) {
        SixStreams to;
        answer.add(lanecull::world_boxes(world.local(), world.transforms(), world.count(),
                                         box_streams(to, world.count()), {.runner = foreign_runner()}));
        for (const std::vector<float>& stream : to) answer.add(stream);
    }
}

void world_spheres(Answer& answer) {
    for (const world_tests::World& world : worlds()) {
        SixStreams to;
        const lanecull::BoxStreams s = box_streams(to, world.count());
        answer.add(lanecull::world_spheres(world.local(), world.transforms(), world.count(),
                                           {s.min_x, s.min_y, s.min_z, s.max_x}, {.runner = foreign_runner()}));
        for (const std::vector<float>& stream : to) answer.add(stream);
    }
}

void world_oriented_boxes(Answer& answer) {
    for (const world_tests::World& world : worlds()) {
        for (const bool by_axes : {false, true}) {
            SixStreams to;
            const lanecull::BoxStreams s = box_streams(to, world.count());
            std::vector<float> turned(9 * world.cases.size()), half(3 * world.cases.size());
            lanecull::OrientedBoxStreams out{
                .x = s.min_x, .y = s.min_y, .z = s.min_z, .half_extents = {half.data()}, .bounding_radius = s.max_x};
            (by_axes ? out.axes : out.quaternions) = {turned.data()};
            answer.add(lanecull::world_oriented_boxes(world.local(), world.transforms(), world.count(), out,
                                                      {.runner = foreign_runner()}));
            for (const std::vector<float>& stream : to) answer.add(stream);
            answer.add(turned);
            answer.add(half);
        }
    }
}

void join_boxes(Answer& answer) {
    const std::uint32_t first[] = {0, 1, 20, 20, 90};
    for (const world_tests::World& world : worlds()) {
        SixStreams to;
        answer.add(lanecull::join_boxes(world.local().boxes, first, 4, box_streams(to, 4)));
        for (const std::vector<float>& stream : to) answer.add(stream);
    }
}

// Pairs.

struct PairInputs {
    std::vector<std::unique_ptr<properties::PairBatches>> batches;

    PairInputs() {
        Random random(5);
        for (const Kind a : all_kinds) {
            for (const Kind b : all_kinds) {
                properties::PairSetting made = properties::ordinary_pairs(random, a, b, 24);
                for (std::size_t i = 0; i < made.pairs.size(); ++i) {
                    make_odd(random, i, made.pairs[i].a.fields, field_count(a));
                    if (i % 4 == 1) make_odd(random, 1, made.pairs[i].b.fields, field_count(b));
                    if (i % 4 == 2) make_odd(random, i / 4, made.pairs[i].motion, 3);
                }
                batches.push_back(std::make_unique<properties::PairBatches>(made));
            }
        }
    }
};

/// Calls `call` with the shapes, indices and motions of each two kinds.
template <class Call>
void with_pairs(const Call& call) {
    static const PairInputs in;
    for (const auto& made : in.batches) call(made->a, made->b, made->pairs(), made->motions());
}

void separate_pairs(Answer& answer) {
    with_pairs([&](const Batch& a, const Batch& b, const lanecull::PairIndices& pairs, const lanecull::PairMotions&) {
        std::vector<std::uint64_t> words((pairs.count + 63) / 64);
        answer.add(lanecull::separate_pairs(a, b, pairs, words, {}, foreign_runner()));
        answer.add(words);
    });
}

/// Pairs of unit balls, for options with odd numbers.
struct FewBalls {
    float x[3] = {0, 3, 5.5f}, zero[3] = {}, one[3] = {1, 1, 1};
    std::uint32_t first[3] = {0, 1, 0}, second[3] = {1, 2, 2};

    [[nodiscard]] Batch shapes() const { return lanecull::Spheres{x, zero, zero, one, 3}; }
    [[nodiscard]] lanecull::PairIndices pairs() const { return {first, second, 3}; }
    [[nodiscard]] lanecull::PairMotions motions() const { return {x, zero, one}; }
};

void add_distances(Answer& answer, const Batch& a, const Batch& b, const lanecull::PairIndices& pairs,
                   const lanecull::PairDistanceOptions& options) {
    std::vector<float> numbers(8 * pairs.count);
    const auto stream = [&](std::size_t k) { return numbers.data() + k * pairs.count; };
    const lanecull::PairDistances to{stream(0), stream(1), stream(2), stream(3),
                                     stream(4), stream(5), stream(6), stream(7)};
    answer.add(lanecull::pair_distances(a, b, pairs, to, options, foreign_runner()));
    answer.add(numbers);
}

void pair_distances(Answer& answer) {
    with_pairs([&](const Batch& a, const Batch& b, const lanecull::PairIndices& pairs, const lanecull::PairMotions&) {
        add_distances(answer, a, b, pairs, {});
    });
    const FewBalls balls;
    float numbers[] = {1.7f, 1e-3f};
    with_odd(std::span<float>(numbers), odd_floats(), [&] {
        lanecull::PairDistanceOptions options;
        options.limit = numbers[0], options.relative = numbers[1];
        add_distances(answer, balls.shapes(), balls.shapes(), balls.pairs(), options);
    });
}

void add_casts(Answer& answer, const Batch& a, const Batch& b, const lanecull::PairIndices& pairs,
               const lanecull::PairMotions& motions, const lanecull::PairCastOptions& options) {
    std::vector<float> earliest(pairs.count), latest(pairs.count);
    answer.add(lanecull::cast_pairs(a, b, pairs, motions, {earliest.data(), latest.data()}, options, foreign_runner()));
    answer.add(earliest), answer.add(latest);
}

void cast_pairs(Answer& answer) {
    with_pairs([&](const Batch& a, const Batch& b, const lanecull::PairIndices& pairs,
                   const lanecull::PairMotions& motions) { add_casts(answer, a, b, pairs, motions, {}); });
    const FewBalls balls;
    lanecull::PairCastOptions options;
    with_odd(std::span(&options.width, 1), odd_floats(),
             [&] { add_casts(answer, balls.shapes(), balls.shapes(), balls.pairs(), balls.motions(), options); });
}

// The plane.

struct FlatInputs {
    HeapMemory memory;
    lanecull::flat::Polygon polygon;
    std::vector<lanecull::flat::View> views;
    std::vector<lanecull::flat::Batch> batches;

    FlatInputs() {
        Random random(6);
        polygon = flat_tests::random_polygon(random);
        const flat_tests::TestView first = flat_tests::random_view(random, flat_tests::ViewKind::rectangle, 1, 2, 3, 4);
        views.push_back(first.view);
        for (const flat_tests::ViewKind kind : flat_tests::all_views) {
            views.push_back(flat_tests::random_view(random, kind, 1, 2, 2, 5).view);
        }
        for (const flat_tests::Kind kind : flat_tests::all_kinds) {
            auto objects = flat_tests::random_objects(random, kind, first, polygon, 200);
            for (std::size_t i = 0; i < objects.size(); ++i) {
                make_odd(random, i, objects[i].fields, flat_tests::field_count(kind));
            }
            batches.push_back(flat_tests::make_batch(kind, objects, polygon, memory));
        }
    }
};

const FlatInputs& figures() {
    static const FlatInputs all;
    return all;
}

void cull_figures(Answer& answer) {
    const FlatInputs& in = figures();
    for (const lanecull::Method method : {lanecull::Method::automatic, lanecull::Method::planes}) {
        cull_all(answer, std::span(in.batches), std::span(in.views), lanecull::flat::visibility_words(in.batches),
                 lanecull::flat::scratch_bytes(in.batches, in.views.size()), method,
                 [](auto batches, auto views, std::span<lanecull::Output> outputs, std::span<std::byte> scratch,
                    const lanecull::CullOptions& options) {
                     return lanecull::flat::cull(batches, views, outputs, scratch, options);
                 });
    }
}

void count_figures(Answer& answer) { answer.add(lanecull::flat::visibility_words(figures().batches)); }
void size_flat_scratch(Answer& answer) { answer.add(lanecull::flat::scratch_bytes(figures().batches, 3)); }

}  // namespace

OddScene::OddScene() {
    Random random(11);
    camera = random_prepared_camera(random, Projection::perspective);
    hulls = random_hulls(random, 3);
    for (const bool attributes : {false, true}) {
        for (const Kind kind : all_kinds) {
            auto objects = random_objects(random, kind, camera.camera, 150, hulls);
            for (std::size_t i = 0; i < objects.size(); ++i) {
                make_odd(random, i, objects[i].fields, field_count(kind));
                grow(random, kind, hulls, Streams::all(), objects[i]);
                objects[i].max_distance = static_cast<float>(random.log_range(0.01, 1e6));
                objects[i].min_projected_size = static_cast<float>(random.log_range(1e-5, 0.1));
                objects[i].min_distance = static_cast<float>(random.log_range(0.01, 1e6));
                if (i % 3 == 0) make_odd(random, i / 3, objects[i].sweep, 3);
                float* const numbers[] = {&objects[i].margin, &objects[i].max_distance, &objects[i].min_projected_size,
                                          &objects[i].min_distance};
                if (i % 7 == 0) *numbers[i / 7 % 4] = odd_floats()[i / 28 % odd_floats().size()];
            }
            const Format format{.streams = attributes ? Streams::all() : Streams{}};
            batches.push_back(make_batch(kind, objects, hulls, memory, format));
        }
    }
}

std::span<const PublicCall> object_calls() {
    static constexpr bool by_sets = true;
    static constexpr PublicCall calls[] = {{"lanecull_cull", cull_solids, by_sets},
                                           {"lanecull_visibility_words", count_solids},
                                           {"lanecull_scratch_bytes", size_scratch},
                                           {"lanecull_visible_bounds", visible_bounds},
                                           {"lanecull_slice_bounds", slice_bounds},
                                           {"lanecull_bounding_box", bounding_box, by_sets},
                                           {"lanecull_bounding_sphere", bounding_sphere, by_sets},
                                           {"lanecull_bounding_oriented_box", bounding_oriented_box, by_sets},
                                           {"lanecull_bounding_radii", bounding_radii},
                                           {"lanecull_hull_bounding_spheres", spheres_of_hulls},
                                           {"lanecull_box_bounding_spheres", spheres_of_boxes},
                                           {"lanecull_prepare_hull", prepare_hull},
                                           {"lanecull_unpack_floats", unpack_floats, by_sets},
                                           {"lanecull_relative_spheres", relative_spheres},
                                           {"lanecull_world_boxes", world_boxes, by_sets},
                                           {"lanecull_world_spheres", world_spheres, by_sets},
                                           {"lanecull_world_oriented_boxes", world_oriented_boxes, by_sets},
                                           {"lanecull_join_boxes", join_boxes},
                                           {"lanecull_separate_pairs", separate_pairs, by_sets},
                                           {"lanecull_measure_pairs", pair_distances, by_sets},
                                           {"lanecull_cast_pairs", cast_pairs, by_sets},
                                           {"lanecull_flat_cull", cull_figures, by_sets},
                                           {"lanecull_flat_visibility_words", count_figures},
                                           {"lanecull_flat_scratch_bytes", size_flat_scratch}};
    return calls;
}

}  // namespace modes
