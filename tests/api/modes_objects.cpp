#include <array>
#include <cmath>
#include <memory>

#include <lanecull/bounds.h>
#include <lanecull/cull.h>
#include <lanecull/flat.h>
#include <lanecull/pairs.h>
#include <lanecull/shadow.h>

#include "api/modes.hpp"
#include "flat/figures.hpp"
#include "properties/pairs/setting.hpp"
#include "support/culling.hpp"

/// The functions that read objects: culls, pairs, bounds and packing.
namespace modes {
namespace {

using lanecull::Batch;

// Culls.

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

const SolidInputs& solids() { return only<SolidInputs>(); }

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

const FlatInputs& figures() { return only<FlatInputs>(); }

/// Calls cull(outputs, options) with every output.
template <class Cull>
void cull_all(Answer& answer, std::size_t views, std::size_t words, std::size_t objects, lanecull::Method method,
              const Cull& cull) {
    std::vector<Lists> lists(views, Lists(words, objects));
    std::vector<lanecull::Output> outputs;
    for (std::size_t v = 0; v < views; ++v) {
        // Certificates are made by other code; every other view is without.
        if (v % 2 == 0) lists[v].why.certificates = lists[v].certificates;
        outputs.push_back(lists[v].output());
    }
    std::vector<std::uint64_t> masks(objects);
    answer.add(cull(std::span(outputs),
                    lanecull::CullOptions{.method = method, .runner = foreign_runner(), .view_masks = masks}));
    for (std::size_t v = 0; v < views; ++v) {
        lists[v].add_to(answer);
        answer.add(outputs[v].visible_count);
    }
    answer.add(masks);
}

const Registered cull_solids("lanecull_cull", by_sets, [](Answer& answer) {
    const auto& [objects, views] = solids();
    std::vector<std::byte> scratch(lanecull::scratch_bytes(objects.batches, views.size()));
    for (const lanecull::Method method : all_methods) {
        cull_all(answer, views.size(), lanecull::visibility_words(objects.batches), objects.count, method,
                 [&, &objects = objects, &views = views](auto outputs, const auto& options) {
                     return lanecull::cull(objects.batches, views, outputs, scratch, options);
                 });
    }
});

const Registered cull_figures("lanecull_flat_cull", by_sets, [](Answer& answer) {
    const FlatInputs& in = figures();
    std::vector<std::byte> scratch(lanecull::flat::scratch_bytes(in.batches, in.views.size()));
    for (const lanecull::Method method : {lanecull::Method::automatic, lanecull::Method::planes}) {
        cull_all(answer, in.views.size(), lanecull::flat::visibility_words(in.batches), 200 * in.batches.size(), method,
                 [&](auto outputs, const auto& options) {
                     return lanecull::flat::cull(in.batches, in.views, outputs, scratch, options);
                 });
    }
});

const Registered sizes[] = {
    {"lanecull_visibility_words", [](Answer& a) { a.add(lanecull::visibility_words(solids().objects.batches)); }},
    {"lanecull_scratch_bytes", [](Answer& a) { a.add(lanecull::scratch_bytes(solids().objects.batches, 3)); }},
    {"lanecull_order_bytes", [](Answer& a) { a.add(lanecull::order_bytes(solids().objects.batches, 3)); }},
    {"lanecull_flat_visibility_words", [](Answer& a) { a.add(lanecull::flat::visibility_words(figures().batches)); }},
    {"lanecull_flat_scratch_bytes", [](Answer& a) { a.add(lanecull::flat::scratch_bytes(figures().batches, 3)); }}};

const Registered visible_bounds("lanecull_visible_bounds", [](Answer& answer) {
    for (const Batch& batch : solids().objects.batches) {
        std::vector<std::uint64_t> visible(lanecull::visibility_words({&batch, 1}));
        for (std::uint32_t i = 0; i < batch.count(); ++i) {
            if (i > 0) visible[(i - 1) / 64] = 0;
            visible[i / 64] = std::uint64_t{1} << i % 64;
            lanecull::WorldBox box;
            answer.add(lanecull::visible_bounds({&batch, 1}, visible, box), box);
        }
    }
});

const Registered slice_bounds("lanecull_slice_bounds", [](Answer& answer) {
    const std::array<double, 16> camera = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 0, -1, 0};
    const double depths[] = {-1e30, -20, -1.25, 0.1, 3.7, 21, 1e30};
    for (const Batch& batch : solids().objects.batches) {
        std::vector<std::uint64_t> visible(lanecull::visibility_words({&batch, 1}), ~std::uint64_t{0});
        for (std::size_t w = 0; w < visible.size(); ++w) {
            if (w > 0) visible[w - 1] = 0;
            lanecull::WorldBox boxes[6];
            answer.add(lanecull::slice_bounds({&batch, 1}, visible, camera, {}, depths, boxes), boxes);
        }
    }
});

// Bounds of objects.

template <class Shapes>
const Shapes& shapes_of(Kind kind) {
    return *solids().objects.batches[static_cast<std::size_t>(kind)].get_if<Shapes>();
}

const Registered bounding_radii("lanecull_bounding_radii", [](Answer& answer) {
    for (const Kind kind : {Kind::oriented_box, Kind::quaternion_box}) {
        const auto& boxes = shapes_of<lanecull::OrientedBoxes>(kind);
        std::vector<float> radius(boxes.count);
        answer.add(lanecull::bounding_radii(boxes, radius.data()), radius);
    }
});

/// Streams of floats, one after the other.
struct FloatStreams {
    std::size_t count;
    std::vector<float> numbers;

    FloatStreams(std::size_t streams, std::size_t count_of_each) : count(count_of_each), numbers(streams * count) {}
    float* operator[](std::size_t k) { return numbers.data() + k * count; }
};

template <class Shapes>
void add_spheres(Answer& answer, const Shapes& instances) {
    FloatStreams to(4, instances.count);
    answer.add(lanecull::bounding_spheres(instances, to[0], to[1], to[2], to[3]), to.numbers);
}
const Registered spheres_of_hulls("lanecull_hull_bounding_spheres", [](Answer& answer) {
    add_spheres(answer, shapes_of<lanecull::HullInstances>(Kind::hull));
});
const Registered spheres_of_boxes("lanecull_box_bounding_spheres", [](Answer& answer) {
    add_spheres(answer, shapes_of<lanecull::BoxInstances>(Kind::box_instance));
});

/// Calls `call` with boxes under transforms, some numbers of which are odd, and with positions that are odd as well.
template <class Call>
void with_worlds(Answer& answer, std::size_t streams, const Call& call) {
    lanecull::BoxInstances world = shapes_of<lanecull::BoxInstances>(Kind::box_instance);
    const auto add = [&] {
        FloatStreams to(streams, world.count);
        answer.add(call(world, to), to.numbers);
    };
    add();
    std::array<double, 15> positions = {1e6, 3.1, -7e-30, 2e5, -1e-39, 1e30, 5, 6, 7, 1e6, 1e6 + 1e-9, -1e6, 1, 2, 3};
    world.transforms.positions.first = positions.data();
    world.count = positions.size() / 3;
    with_odd(positions, add);
    with_odd(world.transforms.origin, add);
}

const Registered world_boxes("lanecull_world_boxes", by_sets, [](Answer& answer) {
    with_worlds(answer, 6, [](const lanecull::BoxInstances& world, FloatStreams& to) {
        return lanecull::world_boxes(world.local, world.transforms, world.count,
                                     {to[0], to[1], to[2], to[3], to[4], to[5]}, {.runner = foreign_runner()});
    });
});

const Registered world_spheres("lanecull_world_spheres", by_sets, [](Answer& answer) {
    with_worlds(answer, 4, [](const lanecull::BoxInstances& world, FloatStreams& to) {
        return lanecull::world_spheres(world.local, world.transforms, world.count, {to[0], to[1], to[2], to[3]},
                                       {.runner = foreign_runner()});
    });
});

const Registered world_oriented_boxes("lanecull_world_oriented_boxes", by_sets, [](Answer& answer) {
    for (const bool by_axes : {false, true}) {
        with_worlds(answer, 16, [&](const lanecull::BoxInstances& world, FloatStreams& to) {
            lanecull::OrientedBoxStreams out{
                .x = to[0], .y = to[1], .z = to[2], .half_extents = {to[3]}, .bounding_radius = to[6]};
            (by_axes ? out.axes : out.quaternions) = {to[7]};
            return lanecull::world_oriented_boxes(world.local, world.transforms, world.count, out,
                                                  {.runner = foreign_runner()});
        });
    }
});

const Registered join_boxes("lanecull_join_boxes", [](Answer& answer) {
    const std::uint32_t first[] = {0, 1, 20, 20, 90};
    FloatStreams to(6, 4);
    answer.add(lanecull::join_boxes(shapes_of<lanecull::Boxes>(Kind::box), first, 4,
                                    {to[0], to[1], to[2], to[3], to[4], to[5]}),
               to.numbers);
});

// Vertices.

/// Sets x y z, one after the other, of any size.
std::vector<std::vector<float>> make_vertices() {
    Random random(3);
    std::vector<std::vector<float>> sets;
    for (const int exponent : {-149, -140, -126, -70, -10, 0, 60, 120}) {
        std::vector<float>& set = sets.emplace_back(180);
        for (float& number : set) number = static_cast<float>(std::ldexp(random.range(-2, 3), exponent));
    }
    return sets;
}

/// Calls with each set as it is, and with odd numbers.
template <class Call>
void with_vertices(const Call& call) {
    static const std::vector<std::vector<float>> sets = make_vertices();
    for (std::vector<float> set : sets) {
        const lanecull::Vertices vertices{set.data(), set.data() + 60, set.data() + 120, 60};
        with_odd(std::span(set).subspan(58, 4), [&] { call(vertices); });
    }
}

template <class Bounds, class Function>
void bound(Answer& answer, const Function& function) {
    with_vertices([&](const lanecull::Vertices& vertices) {
        Bounds bounds;
        answer.add(function(vertices, bounds, lanecull::Isa::automatic), bounds);
    });
}
const Registered bounding_box("lanecull_bounding_box", by_sets,
                              [](Answer& answer) { bound<lanecull::BoxBounds>(answer, lanecull::bounding_box); });
const Registered bounding_sphere("lanecull_bounding_sphere", by_sets, [](Answer& answer) {
    bound<lanecull::SphereBounds>(answer, lanecull::bounding_sphere);
});
const Registered bounding_oriented_box("lanecull_bounding_oriented_box", by_sets, [](Answer& answer) {
    bound<lanecull::OrientedBoxBounds>(answer, lanecull::bounding_oriented_box);
});

const Registered prepare_hull("lanecull_prepare_hull", [](Answer& answer) {
    with_vertices([&](const lanecull::Vertices& v) {
        lanecull::Hull hull;
        answer.add(lanecull::prepare_hull(v.x, v.y, v.z, v.count, hull));
        answer.add(hull.lower, hull.upper, hull.mean, hull.outer, hull.inner);
    });
});

const Registered unpack_floats("lanecull_unpack_floats", by_sets, [](Answer& answer) {
    with_vertices([&](const lanecull::Vertices& v) {
        FloatStreams to(3, v.count);
        float* const streams[] = {to[0], to[1], to[2]};
        answer.add(lanecull::unpack_floats({v.x}, v.count, streams), to.numbers);
    });
});

const Registered relative_spheres("lanecull_relative_spheres", [](Answer& answer) {
    std::array<double, 15> numbers = {1e6, 3.1, -7e-30,     2e5,  -1e-39, 1e30, 5,   6,
                                      7,   1e6, 1e6 + 1e-9, -1e6, 1e6,    0.1,  -0.7};
    std::array<float, 4> radius = {1e-40f, 3.3f, -1e-40f, 0.1f};
    const auto add = [&] {
        FloatStreams to(4, 4);
        answer.add(lanecull::relative_spheres({numbers.data()}, radius.data(), 4, std::span(numbers).last<3>(), to[0],
                                              to[1], to[2], to[3]),
                   to.numbers);
    };
    with_odd(numbers, add);
    with_odd(radius, add);
});

// Pairs.

std::vector<std::unique_ptr<properties::PairBatches>> make_pairs() {
    Random random(5);
    std::vector<std::unique_ptr<properties::PairBatches>> all;
    for (const Kind a : all_kinds) {
        for (const Kind b : all_kinds) {
            properties::PairSetting made = properties::ordinary_pairs(random, a, b, 24);
            for (std::size_t i = 0; i < made.pairs.size(); ++i) {
                make_odd(random, i, made.pairs[i].a.fields, field_count(a));
                if (i % 4 == 1) make_odd(random, 1, made.pairs[i].b.fields, field_count(b));
                if (i % 4 == 2) make_odd(random, i / 4, made.pairs[i].motion, 3);
            }
            all.push_back(std::make_unique<properties::PairBatches>(made));
        }
    }
    return all;
}

/// Calls `call` with the shapes, indices and motions of each two kinds.
template <class Call>
void with_pairs(const Call& call) {
    static const auto all = make_pairs();
    for (const auto& made : all) call(made->a, made->b, made->pairs(), made->motions());
}

/// Pairs of unit balls, for options with odd numbers.
struct FewBalls {
    float x[3] = {0, 3, 5.5f}, zero[3] = {}, one[3] = {1, 1, 1};
    std::uint32_t first[3] = {0, 1, 0}, second[3] = {1, 2, 2};

    template <class Call>
    void with(const Call& call) const {
        const Batch balls = lanecull::Spheres{x, zero, zero, one, 3};
        call(balls, balls, lanecull::PairIndices{first, second, 3}, lanecull::PairMotions{x, zero, one});
    }
};

const Registered separate_pairs("lanecull_separate_pairs", by_sets, [](Answer& answer) {
    with_pairs([&](const Batch& a, const Batch& b, const auto& pairs, const auto& /*motions*/) {
        std::vector<std::uint64_t> words((pairs.count + 63) / 64);
        answer.add(lanecull::separate_pairs(a, b, pairs, words, {}, foreign_runner()), words);
    });
});

const Registered pair_distances("lanecull_measure_pairs", by_sets, [](Answer& answer) {
    std::array<float, 2> numbers = {};
    const auto add = [&](const Batch& a, const Batch& b, const auto& pairs, const auto& /*motions*/) {
        FloatStreams to(8, pairs.count);
        lanecull::PairDistanceOptions options;
        options.limit = numbers[0], options.relative = numbers[1];
        answer.add(lanecull::pair_distances(a, b, pairs, {to[0], to[1], to[2], to[3], to[4], to[5], to[6], to[7]},
                                            options, foreign_runner()),
                   to.numbers);
    };
    with_pairs(add);
    numbers = {1.7f, 1e-3f};
    with_odd(numbers, [&] { FewBalls().with(add); });
});

const Registered signed_pair_distances("lanecull_measure_signed_pairs", by_sets, [](Answer& answer) {
    std::array<float, 2> numbers = {};
    const auto add = [&](const Batch& a, const Batch& b, const auto& pairs, const auto& /*motions*/) {
        FloatStreams to(11, pairs.count);
        lanecull::PairDistanceOptions options;
        options.limit = numbers[0], options.relative = numbers[1];
        answer.add(lanecull::signed_pair_distances(
                       a, b, pairs, {to[0], to[1], to[2], to[3], to[4], to[5], to[6], to[7], to[8], to[9], to[10]},
                       options, foreign_runner()),
                   to.numbers);
    };
    with_pairs(add);
    numbers = {1.7f, 1e-3f};
    with_odd(numbers, [&] { FewBalls().with(add); });
});

const Registered pair_contacts("lanecull_find_pair_contacts", by_sets, [](Answer& answer) {
    lanecull::PairContactOptions options;
    const auto add = [&](const Batch& a, const Batch& b, const auto& pairs, const auto& /*motions*/) {
        FloatStreams to(5, pairs.count), contacts(4, 4 * pairs.count);
        std::vector<std::uint32_t> counts(pairs.count);
        const lanecull::Status status = lanecull::pair_contacts(
            a, b, pairs,
            {counts.data(), to[0], to[1], to[2], to[3], to[4], contacts[0], contacts[1], contacts[2], contacts[3]},
            options, foreign_runner());
        answer.add(status, to.numbers, contacts.numbers, counts);
    };
    with_pairs(add);
    with_odd(std::span(&options.tolerance, 1), [&] { FewBalls().with(add); });
});

const Registered cast_pairs("lanecull_cast_pairs", by_sets, [](Answer& answer) {
    lanecull::PairCastOptions options;
    const auto add = [&](const Batch& a, const Batch& b, const auto& pairs, const auto& motions) {
        FloatStreams to(2, pairs.count);
        answer.add(lanecull::cast_pairs(a, b, pairs, motions, {to[0], to[1]}, options, foreign_runner()), to.numbers);
        const auto& [x, y, z] = std::tie(motions.x, motions.y, motions.z);
        const lanecull::PairMotions turning{x, y, z, y, z, x, z, x, y};
        answer.add(lanecull::cast_pairs(a, b, pairs, turning, {to[0], to[1]}, options, foreign_runner()), to.numbers);
    };
    with_pairs(add);
    with_odd(std::span(&options.width, 1), [&] { FewBalls().with(add); });
});

}  // namespace
}  // namespace modes
