#include "properties/pairs/setting.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <stdexcept>

#include "oracle/exact_objects.hpp"
#include "support/generate.hpp"
#include "support/random.hpp"

namespace properties {
namespace {

constexpr float unwritten = -77;  // no call writes it
constexpr std::uint32_t unwritten_word = 77;

void require(const lanecull::Status& status) {
    if (!status) throw std::runtime_error(status.message());
}

Double3 any_motion(Random& random, double size, const Double3& towards) {
    const double much = random.chance(0.1) ? random.log_range(1e-30, 1e5) : random.range(0.2, 3);
    return random.chance(0.05) ? Double3{} : much * (towards + size * random.range(0, 1) * random_direction(random));
}

std::string object_text(Kind kind, const Object& object, const HullSet& hulls) {
    if (kind != Kind::hull || object.hull < hulls.size()) return ::describe(kind, object, hulls);
    Object with_hull = object;
    with_hull.hull = 0;
    return "of hull " + std::to_string(object.hull) + ": " + ::describe(kind, with_hull, hulls);
}

}  // namespace

std::string PairSetting::describe(std::size_t i) const {
    const PairOfObjects& pair = pairs[i];
    return "a " + object_text(kind_a, pair.a, hulls) + "\n  b " + object_text(kind_b, pair.b, hulls) + "\n  motion" +
           written(pair.motion);
}

PairBatches::PairBatches(const PairSetting& setting) : a(lanecull::Spheres{}), b(lanecull::Spheres{}) {
    const std::size_t count = setting.pairs.size();
    std::vector<Object> of_a, of_b;
    for (const PairOfObjects& pair : setting.pairs) {
        const auto i = static_cast<std::uint32_t>(of_a.size());
        const auto none = static_cast<std::uint32_t>(i % 2 == 0 ? count : 0u - i);
        index.insert(index.end(), {pair.missing ? none : i, i});
        of_a.push_back(pair.a);
        of_b.push_back(pair.b);
        for (std::size_t k = 0; k < 3; ++k) motion[k].push_back(pair.motion[k]);
    }
    a = make_batch(setting.kind_a, of_a, setting.hulls, memory, {.bounds = false});
    b = make_batch(setting.kind_b, of_b, setting.hulls, memory, {.bounds = false, .stride_floats = 17});
}

PairAnswers::PairAnswers(std::size_t count, lanecull::Isa by) : isa(by), words((count + 63) / 64, unwritten_word) {
    for (std::vector<float>* stream : streams()) stream->assign(count, unwritten);
    for (std::vector<float>& stream : contacts) stream.assign(4 * count, unwritten);
    counts.assign(count, unwritten_word);
}

std::vector<std::vector<float>*> PairAnswers::streams() {
    std::vector<std::vector<float>*> all{&lower, &upper, &earliest, &latest};
    for (auto& stream : points) all.push_back(&stream);
    all.insert(all.end(), {&signed_lower, &signed_upper});
    for (auto& stream : direction) all.push_back(&stream);
    for (auto& stream : signed_points) all.push_back(&stream);
    all.insert(all.end(), {&contact_lower, &contact_upper});
    for (auto& stream : contact_direction) all.push_back(&stream);
    return all;
}
std::vector<const std::vector<float>*> PairAnswers::streams() const {
    const auto all = const_cast<PairAnswers*>(this)->streams();
    return {all.begin(), all.end()};
}

lanecull::PairDistances PairAnswers::distances() {
    auto& p = points;
    return {lower.data(), upper.data(), p[0].data(), p[1].data(), p[2].data(), p[3].data(), p[4].data(), p[5].data()};
}

lanecull::PairSignedDistances PairAnswers::signed_distances() {
    auto& p = signed_points;
    auto& d = direction;
    return {signed_lower.data(), signed_upper.data(), d[0].data(), d[1].data(), d[2].data(), p[0].data(),
            p[1].data(),         p[2].data(),         p[3].data(), p[4].data(), p[5].data()};
}

lanecull::PairContacts PairAnswers::pair_contacts() {
    auto& d = contact_direction;
    auto& c = contacts;
    return {counts.data(), contact_lower.data(), contact_upper.data(), d[0].data(), d[1].data(),
            d[2].data(),   c[0].data(),          c[1].data(),          c[2].data(), c[3].data()};
}

namespace {

bool same_bits(const float& p, const float& q) {
    return std::memcmp(&p, &q, sizeof(float)) == 0 || (std::isnan(p) && std::isnan(q));
}

}  // namespace

bool PairAnswers::same(std::size_t i, const PairAnswers& others, std::size_t j) const {
    const auto mine = streams(), theirs = others.streams();
    bool all = separated(i) == others.separated(j) && counts[i] == others.counts[j];
    for (std::size_t k = 0; k < mine.size(); ++k) all = all && same_bits((*mine[k])[i], (*theirs[k])[j]);
    for (std::size_t k = 0; k < 16; ++k) {
        all = all && same_bits(contacts[k / 4][4 * i + k % 4], others.contacts[k / 4][4 * j + k % 4]);
    }
    return all;
}

bool PairAnswers::untouched() const {
    auto all = streams();
    for (const auto& stream : contacts) all.push_back(&stream);
    const auto none = [](const std::vector<float>* stream) {
        return std::all_of(stream->begin(), stream->end(), [](float number) { return number == unwritten; });
    };
    return std::all_of(words.begin(), words.end(), [](std::uint64_t word) { return word == unwritten_word; }) &&
           std::all_of(counts.begin(), counts.end(), [](std::uint32_t count) { return count == unwritten_word; }) &&
           std::all_of(all.begin(), all.end(), none);
}

PairAnswers ask(const lanecull::Batch& a, const lanecull::Batch& b, const lanecull::PairIndices& pairs,
                const lanecull::PairMotions& motions, lanecull::Isa isa, const lanecull::Runner& runner,
                float tolerance) {
    PairAnswers answers(pairs.count, isa);
    lanecull::PairDistanceOptions measured;
    lanecull::PairCastOptions cast;
    lanecull::PairContactOptions touching;
    measured.isa = cast.isa = touching.isa = isa;
    touching.tolerance = tolerance;
    require(lanecull::separate_pairs(a, b, pairs, answers.words, {isa}, runner));
    require(lanecull::pair_distances(a, b, pairs, answers.distances(), measured, runner));
    require(lanecull::signed_pair_distances(a, b, pairs, answers.signed_distances(), measured, runner));
    require(lanecull::pair_contacts(a, b, pairs, answers.pair_contacts(), touching, runner));
    if (motions.x != nullptr) require(lanecull::cast_pairs(a, b, pairs, motions, answers.casts(), cast, runner));
    return answers;
}

PairAnswers ask(const PairSetting& setting, lanecull::Isa isa) {
    const PairBatches batches(setting);
    return ask(batches.a, batches.b, batches.pairs(), batches.motions(), isa, {}, setting.tolerance);
}

Placing any_placing(Random& random) {
    const double size = random.log_range(0.01, 10);
    switch (random.below(7)) {
        case 0:  // around the same point
            return {size, size * random.log_range(0.5, 2), 20, random.chance(0.3) ? 0 : random.range(0, 0.05)};
        case 1:
            return {size, size * random.log_range(1e-6, 1e6), 10, random.range(0.5, 1.1)};
        case 2:  // 1e6 sizes from the origin
            return {size, size, 1e6 * size, random.range(0, 2)};
        case 3:  // far from each other
            return {size, size * random.log_range(0.1, 10), 20, random.log_range(2, 1e7)};
        default:
            return {size, size * random.log_range(0.2, 5), 20, random.range(0, 1.5)};
    }
}

PairOfObjects place(Random& random, const PairSetting& setting, const Placing& placing) {
    const Double3 at = placing.place * random_direction(random);
    const double sizes = placing.size_a + placing.size_b;
    const Double3 between = placing.apart * sizes * random_direction(random);
    PairOfObjects pair;
    pair.a = object_at(random, setting.kind_a, at, placing.size_a, setting.hulls);
    pair.b = object_at(random, setting.kind_b, at + between, placing.size_b, setting.hulls);
    const Double3 motion = any_motion(random, sizes, between);
    for (std::size_t k = 0; k < 3; ++k) pair.motion[k] = static_cast<float>(motion[k]);
    return pair;
}

PairSetting ordinary_pairs(Random& random, Kind a, Kind b, std::size_t count) {
    PairSetting setting{a, b, random_hulls(random, 4), {}};
    while (setting.pairs.size() < count) {
        PairOfObjects pair = place(random, setting, any_placing(random));
        if (a == b && random.chance(0.03)) pair.b = pair.a;
        setting.pairs.push_back(pair);
    }
    return setting;
}

namespace {

using V = exact::Vec<double>;

/// A few roundings of long doubles for each number, and one of doubles.
constexpr double long_share = 64 * static_cast<double>(std::numeric_limits<oracle::Real>::epsilon());
constexpr double share = 0x1p-52;

double largest(const V& v) { return std::max({std::fabs(v.x), std::fabs(v.y), std::fabs(v.z)}); }
double one_norm(const V& v) { return std::fabs(v.x) + std::fabs(v.y) + std::fabs(v.z); }
double length(const V& v) { return std::sqrt(exact::dot(v, v)); }
V to_double(const oracle::Vec& v) {
    return {static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z)};
}

/// The largest coordinates along each axis of what is transformed.
std::array<float, 3> largest_of(const Vertices& vertices) {
    std::array<float, 3> most{};
    for (const auto& vertex : vertices) {
        for (std::size_t k = 0; k < 3; ++k) most[k] = std::max(most[k], std::fabs(vertex[k]));
    }
    return most;
}

V nearest_of(const exact::Nearest<double>& nearest, const Body& a, const Body& b) {
    V sum{};
    double factors = 0;
    for (std::size_t k = 0; k < nearest.corral().size(); ++k) {
        const double factor = std::fmax(0.0, nearest.factors()[k]);  // 0 for NaN
        const exact::Generator& of = nearest.corral()[k];
        sum = sum + factor * (a.points[of.solid] - b.points[of.volume]);
        factors += factor;
    }
    return factors > 0 ? (1 / factors) * sum : a.points[0] - b.points[0];
}

}  // namespace

Place place_of(Kind kind, const Object& object) {
    const auto& f = object.fields;
    const std::size_t first = place_field(kind, 0), stride = place_field(kind, 1) - first;
    return {static_cast<double>(f[first]), static_cast<double>(f[first + stride]),
            static_cast<double>(f[first + 2 * stride])};
}

/// In long doubles, and then relative to the origin in doubles.
Body body_of(Kind kind, const Object& object, const HullSet& hulls, const Place& origin) {
    const oracle::Solid solid(solids::shape_of<oracle::Terms>(kind, object, hulls));
    const oracle::Vec from{origin[0], origin[1], origin[2]};
    const auto [x, y, z] = place_of(kind, object);
    const oracle::Vec place{x, y, z};
    Body body;
    body.radius = static_cast<double>(solid.radius);
    V reach{};  // from the place, along each axis
    for (const oracle::Vec& p : solid.points) {
        body.points.push_back(to_double(p - from));
        body.size = std::max(body.size, largest(body.points.back()));
        const V way = to_double(p - place);
        reach = {std::max(reach.x, std::fabs(way.x)), std::max(reach.y, std::fabs(way.y)),
                 std::max(reach.z, std::fabs(way.z))};
    }
    for (const auto& [centre, axes, cosine, sine] : solid.ovals) {
        body.ovals.push_back({to_double(centre - from),
                              {to_double(axes[0]), to_double(axes[1]), to_double(axes[2])},
                              static_cast<double>(cosine),
                              static_cast<double>(sine)});
        const V way = to_double(centre - place);
        const double most = length(to_double(axes[0])) + length(to_double(axes[1])) + length(to_double(axes[2]));
        reach = {std::max(reach.x, std::fabs(way.x) + most), std::max(reach.y, std::fabs(way.y) + most),
                 std::max(reach.z, std::fabs(way.z) + most)};
        body.size = std::max(body.size, largest(body.ovals.back().centre) + most);
    }
    body.error = long_share * (static_cast<double>(solid.magnitude) + largest(to_double(from))) + share * body.size;
    const V middle = to_double(place - from);
    if (has_transform(kind)) {
        const std::array<float, 3> most = largest_of(local_points(kind, object, hulls));
        body.vertices = one_norm({most[0], most[1], most[2]});
        std::array<float, 12> matrix{};  // without signs and translation
        for (std::size_t k = 0; k < 12; ++k) matrix[k] = k % 4 == 3 ? 0 : std::fabs(object.fields[k]);
        reach = to_double(oracle::Solid(solids::hull<oracle::Terms>(matrix.data(), {&most, 1})).points[0]);
    }
    body.magnitude = body.radius + one_norm(middle) + one_norm(reach);
    if (has_two_places(kind) && body.ovals.empty()) {
        body.magnitude = body.radius + one_norm(body.points.front()) + one_norm(body.points.back());
    }
    return body;
}

Body times_power(Body body, int exponent) {
    const double factor = std::ldexp(1.0, exponent);
    for (V& p : body.points) p = factor * p;
    for (auto& oval : body.ovals) {
        oval.centre = factor * oval.centre;
        for (V& axis : oval.axes) axis = factor * axis;
    }
    for (double* number : {&body.radius, &body.size, &body.error, &body.magnitude}) *number *= factor;
    return body;
}

Body moved(const Body& body, const V& way, bool swept) {
    Body result = body;
    if (!swept) result.points.clear(), result.ovals.clear();
    for (const V& p : body.points) result.points.push_back(p + way);
    for (const auto& oval : body.ovals) {
        result.ovals.push_back(oval);
        result.ovals.back().centre = oval.centre + way;
    }
    result.size += largest(way);
    result.error += share * result.size;
    result.magnitude += one_norm(way);
    return result;
}

namespace {

/// Wolfe's method for the points; with ovals again with their points farthest along the way found, while that helps.
V search_nearest(Body& a, Body& b) {
    V x{};
    for (int round = 0; round < 40; ++round) {
        exact::Nearest<double> nearest({a.points, b.points, {}}, {});
        constexpr int most_steps = 100;
        for (int step = 0; step < most_steps; ++step) {
            const std::optional<exact::Generator> generator = nearest.better();
            if (!generator || !nearest.take(*generator)) break;
        }
        x = nearest_of(nearest, a, b);
        const double scale = largest(x);
        if ((a.ovals.empty() && b.ovals.empty()) || !(scale > 0)) break;
        const V w = (1 / scale) * x;
        const bool of_a = add_farthest(a.ovals, -1.0 * w, a.points), of_b = add_farthest(b.ovals, w, b.points);
        if (!of_a && !of_b) break;
    }
    return x;
}

/// The largest w . p of a body without its radius.
double highest(const Body& body, const V& w) {
    return solids::highest(solids::Solid<double>{body.points, 0, body.ovals}, w);
}

}  // namespace

double gap_along(const Body& a, const Body& b, const V& w) {
    return (-highest(a, w) - highest(b, -1.0 * w)) / length(w) - (a.radius + b.radius);
}

Proof measure(const Body& given_a, const Body& given_b) {
    Body a = given_a, b = given_b;
    const V x = search_nearest(a, b);
    // Sums of points, with factors, and their lengths pass some ten roundings: 2^-49. Components' errors make up
    // sqrt(3) of a length's.
    const double radius = a.radius + b.radius, size = a.size + b.size, error = a.error + b.error;
    Proof proof;
    proof.most = std::fmax(0.0, length(x) * (1 + 0x1p-48) + 2 * (error + 0x1p-48 * size) - radius * (1 - 0x1p-48));

    // Any direction will do, so no component is too small or too large.
    const double scale = largest(x);
    if (!(scale > 0)) return proof;
    const V w = (1 / scale) * x;
    const double lowest = -highest(a, -1.0 * w), top = highest(b, w);
    const double reach = radius * length(w);
    const double rounding = one_norm(w) * (error + 0x1p-48 * size) + 0x1p-48 * reach;
    const double gap = lowest - top - reach - rounding;
    proof.direction = (1 / length(w)) * w;
    proof.least = gap > 0 ? gap / length(w) * (1 - 0x1p-48) : 0;
    return proof;
}

namespace {

/// The half-axes of a box's core, or a segment's, as its corners have them.
template <class T>
void add_axes(const std::vector<exact::Vec<T>>& corners, std::vector<exact::Vec<T>>& axes) {
    const T half = T(1) / T(2);
    for (std::size_t i = 1; i < corners.size(); i *= 2) axes.push_back(half * (corners[i] - corners[0]));
}
template <class T>
exact::Vec<T> middle(const std::vector<exact::Vec<T>>& corners) {
    const T half = T(1) / T(2);
    return half * (corners.front() + corners.back());
}
template <class T>
T absolute(const T& x) {
    return x < 0 ? T(-x) : x;
}

/// Calls visit(n, height times |n|) for each two axes across which the difference of two cores may have a facet.
template <class T, class Visit>
void for_facets(const std::vector<exact::Vec<T>>& a, const std::vector<exact::Vec<T>>& b, const Visit& visit) {
    std::vector<exact::Vec<T>> axes;
    add_axes(a, axes);
    add_axes(b, axes);
    const exact::Vec<T> between = middle(a) - middle(b);
    for (std::size_t i = 0; i < axes.size(); ++i) {
        for (std::size_t j = i + 1; j < axes.size(); ++j) {
            const exact::Vec<T> n = cross(axes[i], axes[j]);
            T height = -absolute(T(dot(n, between)));
            for (const exact::Vec<T>& axis : axes) height = height + absolute(T(dot(n, axis)));
            visit(n, height, T(dot(axes[i], axes[i]) * dot(axes[j], axes[j])));
        }
    }
}

}  // namespace

std::optional<double> facet_depth(const Body& a, const Body& b) {
    double least = HUGE_VAL;
    for_facets(a.points, b.points, [&](const V& n, double height, double squares) {
        const double square = exact::dot(n, n);
        least = square > 1e-12 * squares ? std::fmin(least, height / std::sqrt(square)) : -HUGE_VAL;
    });
    return least > 0 && least < HUGE_VAL ? std::optional(least + a.radius + b.radius) : std::nullopt;
}

bool has_facets(Kind kind) { return kind != Kind::hull && !has_axis(kind) && kind != Kind::ellipsoid; }

namespace {

bool is_sliver(const Body& body) {
    double longest = 0, shortest = HUGE_VAL;
    const auto take = [&](double size) {
        if (size > 0) longest = std::max(longest, size), shortest = std::min(shortest, size);
    };
    const auto take_way = [&](const exact::Vec<double>& way) { take(std::sqrt(dot(way, way))); };
    for (const auto& oval : body.ovals) {
        for (const auto& axis : oval.axes) take_way(axis);
        take(oval.sine * std::sqrt(dot(oval.axes[1], oval.axes[1])));
        take_way(oval.centre - body.ovals[0].centre);
        for (const auto& point : body.points) take_way(point - oval.centre);
    }
    for (std::size_t k = 1; k < body.points.size(); ++k) {
        const exact::Vec<double> way = body.points[k] - body.points[0];
        take_way(way);
        if (body.ovals.empty() && dot(way, way) == 0) shortest = 0;  // a flat one
    }
    return longest > 1e4 * shortest;
}

}  // namespace

bool has_curved_sliver(const Body& a, const Body& b) {
    return !(a.ovals.empty() && b.ovals.empty()) && (is_sliver(a) || is_sliver(b));
}

ExactPair::ExactPair(Kind kind_a, const Object& a, Kind kind_b, const Object& b, const HullSet& hulls,
                     const std::array<float, 3>& motion)
    : a_(exact_solid_of(kind_a, a, hulls)),
      b_(exact_solid_of(kind_b, b, hulls)),
      motion_(exact::point(motion[0], motion[1], motion[2])) {
    has_facets_ = has_facets(kind_a) && has_facets(kind_b);
    const exact::Point back = exact::Rational(-1) * b_.points[0];
    a_ = translated(a_, back);
    b_ = translated(b_, back);
}

namespace {

/// Of b a polytope within it is decided, which gets vertices while its ovals reach nearer to a.
exact::Verdict decide_two(const exact::Solid& a, const exact::Solid& b, const exact::Rational& grow) {
    std::vector<exact::Point> points = b.points;
    for (;;) {
        const exact::Answer answer = exact::decide(a, exact::Volume::hull(points).widened(b.radius), grow);
        if (b.ovals.empty() || answer.verdict != exact::Verdict::apart) return answer.verdict;
        const exact::Rational gap = -highest(b, exact::Rational(-1) * answer.direction) - highest(a, answer.direction);
        const exact::Rational reach = a.radius + b.radius + grow;
        if (gap > 0 && gap * gap > reach * reach * dot(answer.direction, answer.direction)) return answer.verdict;
        if (!add_farthest(b.ovals, exact::Rational(-1) * answer.direction, points)) return exact::Verdict::unclear;
    }
}

}  // namespace

bool ExactPair::meet(const exact::Rational& grow) const {
    const exact::Verdict verdict = decide_two(a_, b_, grow);
    if (verdict == exact::Verdict::unclear) throw std::runtime_error("rationals leave a pair unclear");
    return verdict != exact::Verdict::apart;
}

/// Each two axes span facets of the difference, which are the cores' only ones.
std::optional<bool> ExactPair::deep(const exact::Rational& depth) const {
    const exact::Rational radii = a_.radius + b_.radius, of_cores = depth - radii;
    if (!has_facets_) return std::nullopt;
    if (of_cores <= 0) {
        exact::Solid a = a_, b = b_;
        a.radius = -of_cores, b.radius = 0;
        return decide_two(a, b, 0) != exact::Verdict::apart;
    }
    bool spans = false, all = true;
    for_facets(a_.points, b_.points, [&](const exact::Point& n, const exact::Rational& height, const auto&) {
        const exact::Rational square = dot(n, n);
        spans = spans || square != 0;
        all = all && height >= 0 && height * height >= of_cores * of_cores * square;
    });
    return spans && all;
}

bool ExactPair::meet_by(const exact::Rational& time) const {
    return decide_two(exact::swept(a_, time * motion_), b_, 0) != exact::Verdict::apart;
}

}  // namespace properties
