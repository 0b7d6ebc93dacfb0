/// Ordered scenes beside flat batches and other libraries' trees, on the same boxes and views, one after the other in
/// one run:
///
///     lanecull_scene_bench [--peers] [--out FILE] still|hulls|path|moving|lod <objects>
///
/// Boxes like a city's: 4 units apart on a plane, up to 60 high, 0.2 to 1.2 long; the views see about 5 % of them. Or
/// instances of 1,024 hulls of 32 vertices in their place. One thread. Medians of CPU time. FILE gets every frame's
/// time as the JSON that Google Benchmark writes of repetitions, for tools/bench.

#include <lanecull/lanecull.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <iterator>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "peers/scene_peers.hpp"
#include "workloads/random.hpp"

namespace {

using bench::Boxes6;
using lanecull::Handle;

double now() {
    timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

template <class Work>
double seconds_of(Work work) {
    const double start = now();
    work();
    return now() - start;
}

struct Times {
    std::vector<double> seconds;
    void add(double s) { seconds.push_back(s); }
    [[nodiscard]] double at(double share) const {
        std::vector<double> sorted = seconds;
        std::sort(sorted.begin(), sorted.end());
        return sorted[static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1))];
    }
    [[nodiscard]] double median() const { return at(0.5); }
};

void row(const char* name, const Times& times, double relative_to) {
    std::printf("  %-34s %9.3f ms  (%.3f to %.3f)  %6.2f\n", name, 1e3 * times.median(), 1e3 * times.at(0.1),
                1e3 * times.at(0.9), relative_to / times.median());
}

/// The rows of --out, one a frame: names like Google Benchmark's, nanoseconds an object.
class Rows {
public:
    void add(const std::string& name, const Times& times, std::uint32_t objects, double kept) {
        for (const double seconds : times.seconds) {
            char text[256];
            std::snprintf(text, sizeof text,
                          R"({"run_name": "%s", "run_type": "iteration", "ns_per_object": %.9g, "objects": %u, )"
                          R"("kept": %.9g, "bytes_per_second": 0})",
                          (name + '/' + count_of(objects)).c_str(), 1e9 * seconds / objects, objects, kept);
            rows_.emplace_back(text);
        }
    }
    [[nodiscard]] bool write(const std::string& path) const {
        std::FILE* const file = std::fopen(path.c_str(), "w");
        if (file == nullptr) return false;
        std::fputs("{\"context\": {}, \"benchmarks\": [\n", file);
        for (std::size_t i = 0; i < rows_.size(); ++i) std::fprintf(file, "%s%s\n", i > 0 ? "," : "", rows_[i].c_str());
        std::fputs("]}\n", file);
        return std::fclose(file) == 0;
    }

private:
    static std::string count_of(std::uint32_t n) {
        if (n % 1'000'000 == 0) return std::to_string(n / 1'000'000) + 'M';
        return n % 1000 == 0 ? std::to_string(n / 1000) + 'k' : std::to_string(n);
    }

    std::vector<std::string> rows_;
};

void require(const lanecull::Status& status) {
    if (status.ok()) return;
    std::fprintf(stderr, "lanecull_scene_bench: %s\n", status.message().text);
    std::exit(1);
}

/// A frustum that sees 0.31 of the side far.
lanecull::View view_from(const double (&eye)[3], double yaw, double side, bench::PeerPlanes& planes) {
    const double cx = std::cos(yaw), sx = std::sin(yaw), f = 1 / std::tan(0.5);
    const double near = 0.1, far = 0.31 * side, a = far / (far - near);
    const double rows[3][3] = {{sx, -cx, 0}, {0, 0, 1}, {cx, sx, 0}};  // right, up, forward
    const double factor[4] = {f, f, a, 1};
    double m[16];
    for (int r = 0; r < 4; ++r) {
        const double(&axis)[3] = rows[r < 3 ? r : 2];
        m[4 * r + 3] = r == 2 ? -a * near : 0;
        for (int j = 0; j < 3; ++j) {
            m[4 * r + j] = factor[r] * axis[j];
            m[4 * r + 3] -= factor[r] * axis[j] * eye[j];
        }
    }
    lanecull::View view;
    require(lanecull::prepare_view(m, {lanecull::MatrixLayout::row_major}, view));
    // w + x, w - x, w + y, w - y, z, w - z >= 0, normals pointing inward.
    for (int j = 0; j < 4; ++j) {
        planes.plane[0][j] = static_cast<float>(m[12 + j] + m[j]);
        planes.plane[1][j] = static_cast<float>(m[12 + j] - m[j]);
        planes.plane[2][j] = static_cast<float>(m[12 + j] + m[4 + j]);
        planes.plane[3][j] = static_cast<float>(m[12 + j] - m[4 + j]);
        planes.plane[4][j] = static_cast<float>(m[8 + j]);
        planes.plane[5][j] = static_cast<float>(m[12 + j] - m[8 + j]);
    }
    return view;
}

/// From the middle, turned by a fixed angle from one to the next.
std::vector<lanecull::View> views_of(double side, bench::PeerPlanes (&planes)[8]) {
    std::vector<lanecull::View> views;
    for (int k = 0; k < 8; ++k) views.push_back(view_from({side / 2, side / 2, 20}, 0.7 + 0.9 * k, side, planes[k]));
    return views;
}

Boxes6 make_boxes(std::uint32_t n, double side) {
    Boxes6 boxes;
    bench::Random random(1);
    for (auto& stream : boxes.stream) stream.resize(n);
    for (std::uint32_t i = 0; i < n; ++i) {
        const double place[3] = {random.uniform(0, side), random.uniform(0, side),
                                 random.uniform(0, 60) * random.uniform(0, 1)};
        for (std::size_t j = 0; j < 3; ++j) {
            boxes.stream[j][i] = static_cast<float>(place[j]);
            boxes.stream[3 + j][i] = boxes.stream[j][i] + static_cast<float>(random.uniform(0.2, 1.2));
        }
    }
    return boxes;
}

lanecull::Batch batch_of(const Boxes6& b) {
    return lanecull::Boxes{b.stream[0].data(),
                           b.stream[1].data(),
                           b.stream[2].data(),
                           b.stream[3].data(),
                           b.stream[4].data(),
                           b.stream[5].data(),
                           static_cast<std::uint32_t>(b.stream[0].size())};
}

/// A scene's cull with bits as its only output.
struct SceneCull {
    lanecull::Scene scene;
    std::vector<std::uint64_t> words;
    std::vector<std::byte> scratch;
    lanecull::Output output;

    void operator()(const lanecull::View& view) {
        words.resize(lanecull::visibility_words(scene));
        scratch.resize(lanecull::scratch_bytes(scene, 1));
        output.visible = words;
        require(lanecull::cull(scene, {&view, 1}, {&output, 1}, scratch));
    }
};

/// Of more boxes than this only the first view's verdicts are compared, one by one.
constexpr std::uint32_t views_checked_up_to = 20'000'000;

/// How many objects' bits are not the same.
std::uint64_t count_differences(const SceneCull& ordered, std::span<const Handle> handles,
                                std::span<const std::uint64_t> flat) {
    std::uint64_t differences = 0;
    for (std::size_t i = 0; i < handles.size(); ++i) {
        std::uint32_t slot = 0;
        require(ordered.scene.slot_of(handles[i], slot));
        differences += (flat[i / 64] >> i % 64 & 1) != (ordered.words[slot / 64] >> slot % 64 & 1);
    }
    return differences;
}

/// Other libraries' trees over the same boxes.
struct Peers {
    std::vector<std::unique_ptr<bench::BoxTree>> trees;
    std::vector<Times> times;
    std::vector<std::uint64_t> visible;

    void build(const Boxes6& boxes) {
        trees = bench::all_trees();
        times.resize(trees.size());
        visible.resize(trees.size());
        for (auto& tree : trees) {
            std::printf("  %s built in %.2f s\n", tree->name(), seconds_of([&] { tree->build(boxes); }));
        }
    }
    void cull(const bench::PeerPlanes& planes, bool warm) {
        for (std::size_t t = 0; t < trees.size(); ++t) {
            std::uint64_t kept = 0;
            const double seconds = seconds_of([&] { kept = trees[t]->cull(planes); });
            if (!warm) continue;
            times[t].add(seconds);
            visible[t] += kept;
        }
    }
    void report(double relative_to, std::uint32_t n, Rows& rows) const {
        for (std::size_t t = 0; t < trees.size(); ++t) {
            const double kept = static_cast<double>(visible[t]) / (16.0 * n);
            row(trees[t]->name(), times[t], relative_to);
            std::printf("    keeps %.3f %%\n", 100 * kept);
            rows.add(std::string("still/box/") + trees[t]->key(), times[t], n, kept);
        }
    }
};

/// Culls the batch flat and as a scene, from each view in turn, and by the peers. `shape` is the name of its rows.
void compare_flat_with_ordered(const lanecull::Batch& batch, const char* what, const char* shape, double side,
                               Peers& peers, Rows& rows) {
    const std::uint32_t n = batch.count();
    bench::PeerPlanes planes[8];
    const std::vector<lanecull::View> views = views_of(side, planes);
    SceneCull ordered;
    std::vector<Handle> handles(n);
    const double build = seconds_of([&] { require(ordered.scene.add({&batch, 1}, handles)); });
    std::printf("%u %s, one thread, bits only\n", n, what);
    std::printf("  built in %.2f s, %.1f bytes an object\n", build,
                static_cast<double>(ordered.scene.bytes()) / static_cast<double>(n));
    std::vector<std::uint64_t> flat_words(lanecull::visibility_words({&batch, 1}));
    std::vector<std::byte> scratch(lanecull::scratch_bytes({&batch, 1}, 1));
    lanecull::Output flat{.visible = flat_words};
    lanecull::Explanation why;
    Times flat_times, ordered_times;
    std::uint64_t visible = 0, differences = 0, tested = 0;
    for (int round = 0; round < 24; ++round) {
        const lanecull::View& view = views[static_cast<std::size_t>(round % 8)];
        ordered.output.explanation = round < 8 ? &why : nullptr;
        const double a = seconds_of([&] { require(lanecull::cull({&batch, 1}, {&view, 1}, {&flat, 1}, scratch)); });
        const double b = seconds_of([&] { ordered(view); });
        peers.cull(planes[round % 8], round >= 8);  // the first round warms up
        if (round >= 8) {
            flat_times.add(a);
            ordered_times.add(b);
            continue;
        }
        visible += flat.visible_count;
        tested += why.counts.objects();
        if (round == 0 || n <= views_checked_up_to) differences += count_differences(ordered, handles, flat_words);
    }
    const double all = 8.0 * static_cast<double>(n);
    std::printf("  visible %.2f %%, tested one by one by the scene %.2f %%, verdicts that differ: %llu\n",
                100 * static_cast<double>(visible) / all, 100 * static_cast<double>(tested) / all,
                static_cast<unsigned long long>(differences));
    row("flat batch", flat_times, flat_times.median());
    row("ordered scene", ordered_times, flat_times.median());
    const double kept = static_cast<double>(visible) / all;
    rows.add(std::string("still/") + shape + "/flat", flat_times, n, kept);
    rows.add(std::string("still/") + shape + "/scene", ordered_times, n, kept);
    peers.report(flat_times.median(), n, rows);
}

double side_of(std::uint32_t n) { return 4 * std::sqrt(static_cast<double>(n)); }

void still(std::uint32_t n, bool with_peers, Rows& rows) {
    const Boxes6 boxes = make_boxes(n, side_of(n));
    Peers peers;
    if (with_peers) peers.build(boxes);
    compare_flat_with_ordered(batch_of(boxes), "boxes", "box", side_of(n), peers, rows);
}

/// Hull instances as large as boxes and where these are, with bounding spheres.
struct PlacedHulls {
    static constexpr std::uint32_t hull_count = 1'024, vertices = 32;

    std::vector<float> points, transforms, spheres[4];
    std::vector<lanecull::Hull> hulls;
    std::vector<std::uint32_t> index;
    lanecull::HullInstances batch;

    explicit PlacedHulls(const Boxes6& boxes)
        : points(std::size_t{3} * vertices * hull_count), hulls(hull_count), index(boxes.stream[0].size()) {
        bench::Random random(2);
        for (std::uint32_t h = 0; h < hull_count; ++h) make_hull(random, h);
        place(boxes, random);
        batch = {.transforms = {.first = transforms.data(), .layout = lanecull::TransformLayout::rows_3x4},
                 .hulls = hulls.data(),
                 .hull_count = hull_count,
                 .hull_index = index.data(),
                 .count = static_cast<std::uint32_t>(index.size())};
        for (auto& stream : spheres) stream.resize(index.size());
        require(lanecull::bounding_spheres(batch, spheres[0].data(), spheres[1].data(), spheres[2].data(),
                                           spheres[3].data()));
        batch.bounding_x = spheres[0].data(), batch.bounding_y = spheres[1].data();
        batch.bounding_z = spheres[2].data(), batch.bounding_radius = spheres[3].data();
    }

private:
    /// Points on the unit sphere.
    void make_hull(bench::Random& random, std::uint32_t h) {
        float* const x = points.data() + std::size_t{3} * vertices * h;
        for (std::uint32_t v = 0; v < vertices; ++v) {
            const double z = random.uniform(-1, 1), angle = random.uniform(0, 6.283185307), r = std::sqrt(1 - z * z);
            x[v] = static_cast<float>(r * std::cos(angle));
            x[vertices + v] = static_cast<float>(r * std::sin(angle));
            x[2 * vertices + v] = static_cast<float>(z);
        }
        require(lanecull::prepare_hull(x, x + vertices, x + 2 * vertices, vertices, hulls[h]));
    }
    /// Each of a hull chosen by chance, scaled to its box.
    void place(const Boxes6& boxes, bench::Random& random) {
        transforms.resize(12 * index.size());
        for (std::size_t i = 0; i < index.size(); ++i) {
            index[i] = random.below(hull_count);
            for (std::size_t j = 0; j < 3; ++j) {
                const float low = boxes.stream[j][i], high = boxes.stream[3 + j][i];
                transforms[12 * i + 4 * j + j] = (high - low) / 2;
                transforms[12 * i + 4 * j + 3] = (low + high) / 2;
            }
        }
    }
};

void hulls(std::uint32_t n, Rows& rows) {
    const PlacedHulls placed(make_boxes(n, side_of(n)));
    Peers none;
    compare_flat_with_ordered(placed.batch, "instances of hulls", "hull32", side_of(n), none, rows);
}

/// A view that goes on and turns a little each frame, with hints from the frame before and without, in turn.
void path(std::uint32_t n, Rows& rows) {
    const double side = side_of(n);
    const Boxes6 boxes = make_boxes(n, side);
    const lanecull::Batch batch = batch_of(boxes);
    SceneCull ordered;
    std::vector<Handle> handles(n);
    require(ordered.scene.add({&batch, 1}, handles));
    std::vector<std::uint8_t> hints(ordered.scene.hint_bytes());
    lanecull::SceneOutput of_scene;
    ordered.output.scene = &of_scene;
    Times times[2], ratio;
    std::uint64_t visible = 0;
    for (int frame = 0; frame < 500; ++frame) {
        bench::PeerPlanes unused;
        const lanecull::View view =
            view_from({side / 2 + 0.5 * frame, side / 2 + 0.3 * frame, 20}, 0.7 + 0.004 * frame, side, unused);
        double seconds[2];
        for (int turn = 0; turn < 2; ++turn) {
            const int hinted = (frame + turn) % 2;
            of_scene.hints = hinted != 0 ? std::span(hints) : std::span<std::uint8_t>();
            seconds[hinted] = seconds_of([&] { ordered(view); });
        }
        if (frame < 20) continue;
        visible += ordered.output.visible_count;
        for (int hinted = 0; hinted < 2; ++hinted) times[hinted].add(seconds[hinted]);
        ratio.add(seconds[1] / seconds[0]);
    }
    std::printf("%u boxes, one thread, bits only, along a path\n", n);
    row("without hints", times[0], times[0].median());
    row("with hints", times[1], times[0].median());
    std::printf("  with to without, frame by frame: %.3f (quartiles %.3f and %.3f)\n", ratio.median(), ratio.at(0.25),
                ratio.at(0.75));
    const double kept = static_cast<double>(visible) / (480.0 * n);
    rows.add("path/box/scene", times[0], n, kept);
    rows.add("path/box/hinted", times[1], n, kept);
}

lanecull::Boxes part_of(const Boxes6& boxes, std::uint32_t first, std::uint32_t count) {
    const auto at = [&](std::size_t j) { return boxes.stream[j].data() + first; };
    return {at(0), at(1), at(2), at(3), at(4), at(5), count};
}

/// What the frames since the last report took.
struct FrameTimes {
    Times write, improve, refit, cull, still_cull;

    void report(int frame, double cost) {
        std::printf(
            "  frame %4d: write %.3f, improve %.3f, refit %.3f, cull %.3f ms; unmoved cull %.3f; refit + cull "
            "%.2f of the unmoved cull; cost %.2f\n",
            frame, 1e3 * write.median(), 1e3 * improve.median(), 1e3 * refit.median(), 1e3 * cull.median(),
            1e3 * still_cull.median(), (refit.median() + cull.median()) / still_cull.median(), cost);
    }
    void add_to(Rows& rows, const std::string& name, std::uint32_t n, double kept) const {
        rows.add(name + "/write", write, n, kept);
        rows.add(name + "/improve", improve, n, kept);
        rows.add(name + "/refit", refit, n, kept);
        rows.add(name + "/cull", cull, n, kept);
        rows.add(name + "/unmoved", still_cull, n, kept);
    }
    void clear() {
        for (Times* times : {&write, &improve, &refit, &cull, &still_cull}) times->seconds.clear();
    }
};

/// The first `may_move` objects as those that move, the others as those that do not.
void fill(SceneCull& scene, const Boxes6& boxes, std::uint32_t may_move, std::span<Handle> handles) {
    const auto n = static_cast<std::uint32_t>(handles.size());
    const lanecull::Batch first = part_of(boxes, 0, may_move), rest = part_of(boxes, may_move, n - may_move);
    require(scene.scene.add({&first, 1}, handles.first(may_move), {.mobility = lanecull::Mobility::moving}));
    require(scene.scene.add({&rest, 1}, handles.subspan(may_move)));
    scene.scene.refit();
}

/// Culls `moved` and the same objects, at their present places, in a scene that is sorted anew: `fresh` becomes that.
void compare_with_fresh(SceneCull& moved, SceneCull& fresh, const std::vector<lanecull::View>& views) {
    fresh.scene = lanecull::Scene();
    const std::string path = (std::filesystem::temp_directory_path() / "lanecull_scene_bench.scene").string();
    require(moved.scene.save(path.c_str()));
    require(lanecull::Scene::load(path.c_str(), fresh.scene));
    std::remove(path.c_str());
    require(fresh.scene.rebuild());
    Times after, anew;
    for (int round = 0; round < 40; ++round) {
        const lanecull::View& view = views[static_cast<std::size_t>(round % 8)];
        after.add(seconds_of([&] { moved(view); }));
        anew.add(seconds_of([&] { fresh(view); }));
    }
    std::printf("  after 1000 frames: cull %.3f ms, of the same objects sorted anew %.3f ms: %.2f times\n",
                1e3 * after.median(), 1e3 * anew.median(), after.median() / anew.median());
}

/// A tenth of the objects moves each frame, by up to one object's size; the others stand still. `fixed`: the same
/// objects move in every frame, and are in blocks of their own. Otherwise chance chooses them from all objects.
void moving(std::uint32_t n, bool fixed, Rows& rows) {
    const double side = side_of(n);
    const Boxes6 boxes = make_boxes(n, side);
    bench::PeerPlanes planes[8];
    const std::vector<lanecull::View> views = views_of(side, planes);
    const std::uint32_t movers = n / 10;
    SceneCull moved, unmoved;
    std::vector<Handle> handles(n);
    for (SceneCull* each : {&moved, &unmoved}) fill(*each, boxes, fixed ? movers : n, handles);
    std::printf("%u boxes, a tenth moves each frame: %s\n", n,
                fixed ? "always the same ones" : "any of them, by chance");
    bench::Random random(2);
    std::vector<float> by[3];
    for (auto& axis : by) axis.resize(movers);
    std::vector<Handle> chosen(handles.begin(), handles.begin() + movers);
    FrameTimes times;
    std::uint64_t visible = 0;
    for (int frame = 1; frame <= 1000; ++frame) {
        for (std::uint32_t i = 0; i < movers; ++i) {
            if (!fixed) chosen[i] = handles[static_cast<std::uint32_t>(random.uniform(0, n - 0.5))];
            for (std::size_t j = 0; j < 3; ++j) by[j][i] = static_cast<float>(random.uniform(-0.7, 0.7));
        }
        const lanecull::View& view = views[static_cast<std::size_t>(frame % 8)];
        times.write.add(
            seconds_of([&] { require(moved.scene.move(chosen, by[0].data(), by[1].data(), by[2].data())); }));
        times.improve.add(seconds_of([&] { static_cast<void>(moved.scene.rebuild_within(1'000'000)); }));
        times.refit.add(seconds_of([&] { moved.scene.refit(lanecull::Refit::grown); }));
        // The scenes take turns to be first: the first finds the caches as the frame's writing has left them.
        if (frame % 2 == 0) times.still_cull.add(seconds_of([&] { unmoved(view); }));
        times.cull.add(seconds_of([&] { moved(view); }));
        if (frame % 2 == 1) times.still_cull.add(seconds_of([&] { unmoved(view); }));
        visible += moved.output.visible_count;
        if (frame == 50 || frame == 500 || frame == 1000) {
            times.report(frame, moved.scene.cost());
            if (frame < 1000) times.clear();
        }
    }
    times.add_to(rows, fixed ? "moving/fixed" : "moving/any", n, static_cast<double>(visible) / (1000.0 * n));
    compare_with_fresh(moved, unmoved, views);
}

/// What distances and levels cost: the list of handles alone, and with them.
void lod(std::uint32_t n, Rows& rows) {
    const double side = side_of(n);
    const Boxes6 boxes = make_boxes(n, side);
    const lanecull::Batch batch = batch_of(boxes);
    bench::PeerPlanes planes[8];
    const std::vector<lanecull::View> views = views_of(side, planes);
    SceneCull ordered;
    std::vector<Handle> handles(n), visible(n);
    require(ordered.scene.add({&batch, 1}, handles));
    std::vector<float> distances(n);
    std::vector<std::uint8_t> levels(n), latest(ordered.scene.handle_limit(), lanecull::no_lod);
    const float thresholds[] = {0.1f, 0.03f, 0.01f, 0.003f};
    const lanecull::LodOutput wanted[] = {{},
                                          {distances},
                                          {distances, levels, thresholds},
                                          {distances, levels, thresholds, 0.1f, 0, latest},
                                          {{}, {}, thresholds, 0.1f, 0, latest}};
    const char* const names[] = {"handles", "handles, distances", "handles, distances, levels",
                                 "the same, kept by hysteresis", "handles, latest levels alone"};
    Times times[std::size(wanted)];
    std::uint64_t seen = 0;
    lanecull::SceneOutput of_scene{.handles = visible};
    ordered.output.scene = &of_scene;
    for (int round = 0; round < 24; ++round) {
        for (std::size_t k = 0; k < std::size(wanted); ++k) {
            of_scene.lod = wanted[k];
            const double seconds = seconds_of([&] { ordered(views[static_cast<std::size_t>(round % 8)]); });
            if (round >= 8) times[k].add(seconds);
        }
        seen += ordered.output.visible_count;
    }
    const double kept = static_cast<double>(seen) / (24.0 * n);
    std::printf("%u boxes, one thread, %.2f %% visible\n", n, 100 * kept);
    const char* const keys[] = {"handles", "distances", "levels", "hysteresis", "latest"};
    for (std::size_t k = 0; k < std::size(wanted); ++k) {
        rows.add(std::string("lod/box/") + keys[k], times[k], n, kept);
        row(names[k], times[k], times[0].median());
        std::printf("    %.2f ns a visible object more\n",
                    1e9 * (times[k].median() - times[0].median()) / (static_cast<double>(seen) / 24));
    }
}

int usage() {
    std::fprintf(stderr, "usage: lanecull_scene_bench [--peers] [--out FILE] still|hulls|path|moving|lod <objects>\n");
    return 2;
}

/// False where there is no such measurement.
bool measure(const std::string& what, std::uint32_t n, bool with_peers, Rows& rows) {
    if (what == "still") {
        still(n, with_peers, rows);
    } else if (what == "hulls") {
        hulls(n, rows);
    } else if (what == "path") {
        path(n, rows);
    } else if (what == "moving") {
        moving(n, true, rows);
        moving(n, false, rows);
    } else if (what == "lod") {
        lod(n, rows);
    } else {
        return false;
    }
    return true;
}

}  // namespace

int main(int argc, char** argv) {
    std::vector<std::string> arguments(argv + 1, argv + argc);
    const bool peers = !arguments.empty() && arguments[0] == "--peers";
    if (peers) arguments.erase(arguments.begin());
    std::string out;
    if (arguments.size() > 2 && arguments[0] == "--out") {
        out = arguments[1];
        arguments.erase(arguments.begin(), arguments.begin() + 2);
    }
    if (arguments.size() != 2) return usage();
    const long n = std::atol(arguments[1].c_str());
    if (n < 1000 || n > 1'000'000'000) return usage();
    Rows rows;
    if (!measure(arguments[0], static_cast<std::uint32_t>(n), peers, rows)) return usage();
    if (!out.empty() && !rows.write(out)) {
        std::fprintf(stderr, "lanecull_scene_bench: %s: %s\n", out.c_str(), std::strerror(errno));
        return 1;
    }
    return 0;
}
