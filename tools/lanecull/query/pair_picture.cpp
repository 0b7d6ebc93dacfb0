#include "query/pair_picture.hpp"

#include <fmt/format.h>  // clang finds no vformat_to() of core.h in the library

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <numbers>
#include <type_traits>
#include <utility>
#include <vector>

#include "query/query_distance.hpp"

namespace lanecull::program {
namespace {

using Flat = gjk::Vec2<double>;

constexpr int outline_points = 360, front_points = 600;
constexpr int panel = 320, columns = 3, most_panels = 12;
constexpr int row_height = 22, legend_rows = 5;

/// The picture's plane, x right and y up. In space, seen from (1, 0.7, 0.6), nearly, but with the way between the two
/// shapes in the plane, so that its length is the distance.
class Plane {
public:
    explicit Plane(const gjk::Vec2<double>&) {}
    explicit Plane(const gjk::Vec3<double>& way) {
        const gjk::Vec3<double> w = gjk::unit(way);
        for (const gjk::Vec3<double>& eye : {gjk::Vec3<double>{1, 0.7, 0.6}, gjk::Vec3<double>{0.6, -1, 0.7}}) {
            out_ = eye - dot(eye, w) * w;
            if (gjk::length(out_) > 0.3) break;  // not nearly along the way
        }
        out_ = gjk::unit(out_);
        const gjk::Vec3<double> high =
            std::abs(out_.z) < 0.95 ? gjk::Vec3<double>{0, 0, 1} : gjk::Vec3<double>{0, 1, 0};
        right_ = gjk::unit(cross(high, out_));
        up_ = cross(out_, right_);
    }

    [[nodiscard]] Flat at(const Flat& p) const { return p; }
    [[nodiscard]] Flat at(const gjk::Vec3<double>& p) const { return {dot(p, right_), dot(p, up_)}; }
    /// The direction that lies in the plane as d does.
    template <class V>
    [[nodiscard]] V direction(const Flat& d, double out = 0) const {
        if constexpr (std::is_same_v<V, Flat>)
            return d;
        else
            return d.x * right_ + d.y * up_ + out * out_;
    }

private:
    gjk::Vec3<double> right_{}, up_{}, out_{};
};

/// A simplex before it is reduced, and its point nearest to the origin, in the shapes' coordinates.
template <class V>
struct Step {
    gjk::Simplex<V> simplex;
    V nearest;
};

/// Where the numbers go in a panel.
struct Frame {
    Flat low, high;

    [[nodiscard]] double scale() const { return 0.84 * panel / std::max({high.x - low.x, high.y - low.y, 1e-300}); }
    [[nodiscard]] Flat at(const Flat& p) const {
        const Flat middle = 0.5 * (low + high);
        return {0.5 * panel + scale() * (p.x - middle.x), 0.5 * panel - scale() * (p.y - middle.y)};
    }
};

class Svg {
public:
    Svg(int width, int height) {
        add("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" font-family=\"sans-serif\" "
            "font-size=\"13\">\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n",
            width, height);
    }

    void polygon(const std::vector<Flat>& points, const char* style) {
        text_ += "<polygon points=\"";
        for (const Flat& p : points) add("{:.2f},{:.2f} ", p.x, p.y);
        add("\" {}/>\n", style);
    }
    void line(const Flat& p, const Flat& q, const char* style) {
        add("<line x1=\"{:.2f}\" y1=\"{:.2f}\" x2=\"{:.2f}\" y2=\"{:.2f}\" {}/>\n", p.x, p.y, q.x, q.y, style);
    }
    void circle(const Flat& p, double radius, const char* style) {
        add("<circle cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"{:.2f}\" {}/>\n", p.x, p.y, radius, style);
    }
    void words(const Flat& p, const std::string& words) {
        add("<text x=\"{:.2f}\" y=\"{:.2f}\" fill=\"#333333\">{}</text>\n", p.x, p.y, words);
    }
    /// What is drawn in between appears where shared() says.
    void begin_shared() { text_ += "<defs><g id=\"shared\">\n"; }
    void end_shared() { text_ += "</g></defs>\n"; }
    void shared() { text_ += "<use href=\"#shared\"/>\n"; }
    /// What is drawn in between is moved.
    void begin_panel(int left, int top) { add("<g transform=\"translate({} {})\">\n", left, top); }
    void end_panel() { text_ += "</g>\n"; }
    [[nodiscard]] std::string end() && { return std::move(text_) + "</svg>\n"; }

private:
    template <class... Arguments>
    void add(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
        fmt::format_to(std::back_inserter(text_), format, std::forward<Arguments>(arguments)...);
    }

    std::string text_;
};

/// The point in the shapes' coordinates; w is scaled.
template <class V>
V difference(const gjk::SupportPoint<V>& point) {
    return point.a - point.b;
}

template <class Pair>
std::vector<Flat> outline(const Pair& pair, const Plane& plane) {
    std::vector<Flat> points;
    for (int i = 0; i < outline_points; ++i) {
        const double angle = 2 * std::numbers::pi * i / outline_points;
        const auto d = plane.direction<typename Pair::Vector>({std::cos(angle), std::sin(angle)});
        points.push_back(plane.at(difference(pair.support(d))));
    }
    return points;
}

/// Of directions spread over the half of the sphere that looks out of the page.
template <class Pair>
std::vector<Flat> front(const Pair& pair, const Plane& plane) {
    using V = typename Pair::Vector;
    std::vector<Flat> points;
    if constexpr (std::is_same_v<V, gjk::Vec3<double>>) {
        constexpr double golden = 2.399963229728653;
        for (int i = 0; i < front_points; ++i) {
            const double z = (i + 0.5) / front_points, r = std::sqrt(1 - z * z), angle = golden * i;
            const V d = plane.direction<V>({r * std::cos(angle), r * std::sin(angle)}, z);
            points.push_back(plane.at(difference(pair.support(d))));
        }
    }
    return points;
}

std::vector<Flat> placed(std::vector<Flat> points, const Frame& frame) {
    for (Flat& p : points) p = frame.at(p);
    return points;
}

template <class V>
void draw_step(Svg& svg, const Frame& frame, const Plane& plane, const Step<V>& step) {
    std::vector<Flat> corners;
    for (int i = 0; i < step.simplex.count; ++i)
        corners.push_back(frame.at(plane.at(difference(step.simplex.points[i]))));
    for (std::size_t i = 0; i < corners.size(); ++i) {
        for (std::size_t j = i + 1; j < corners.size(); ++j) {
            for (std::size_t k = j + 1; k < corners.size(); ++k) {
                svg.polygon({corners[i], corners[j], corners[k]}, "fill=\"#e8872d\" fill-opacity=\"0.25\"");
            }
            svg.line(corners[i], corners[j], "stroke=\"#b85c00\" stroke-width=\"1.5\"");
        }
    }
    for (std::size_t i = 0; i < corners.size(); ++i) {
        const bool newest = i + 1 == corners.size();
        svg.circle(corners[i], newest ? 4.5 : 3, newest ? "fill=\"#c01818\"" : "fill=\"#b85c00\"");
    }
    const Flat nearest = frame.at(plane.at(step.nearest)), origin = frame.at({0, 0});
    svg.line(nearest, origin, "stroke=\"#1668b8\" stroke-width=\"1.5\" stroke-dasharray=\"4 3\"");
    svg.circle(nearest, 3, "fill=\"#1668b8\"");
}

std::string numbers_of(const Flat& p) { return fmt::format("({}, {})", p.x, p.y); }
std::string numbers_of(const gjk::Vec3<double>& p) { return fmt::format("({}, {}, {})", p.x, p.y, p.z); }

/// What the panels' marks mean, in their own looks, and the answer.
template <class Found>
void draw_legend(Svg& svg, const Found& found, const std::string& figures, double margin) {
    int row = 0;
    const auto next = [&](const std::string& words) {
        svg.words({44, row_height * (row + 0.7)}, words);
        return Flat{26, row_height * (row++ + 0.5)};
    };
    const char* const cores = margin > 0 ? "all differences of a point of a's core and one of b's"
                                         : "all differences of a point of a and one of b";
    const Flat area = next(fmt::format("{}; a and b intersect where {} the origin, the cross", cores,
                                       margin > 0 ? "it comes within the margins' circle around" : "it contains"));
    svg.polygon({area + Flat{-12, -6}, area + Flat{12, -6}, area + Flat{12, 6}, area + Flat{-12, 6}},
                "fill=\"#dde3ea\" stroke=\"#7a8794\"");
    const Flat simplex = next("the step's simplex, corners of that; red: its newest corner");
    svg.line(simplex - Flat{12, 0}, simplex + Flat{12, 0}, "stroke=\"#b85c00\" stroke-width=\"1.5\"");
    svg.circle(simplex + Flat{12, 0}, 4.5, "fill=\"#c01818\"");
    const Flat way = next(fmt::format("from the simplex to the origin: at the last step the distance{}",
                                      margin > 0 ? " and the margins" : ""));
    svg.line(way - Flat{12, 0}, way + Flat{12, 0}, "stroke=\"#1668b8\" stroke-width=\"1.5\" stroke-dasharray=\"4 3\"");
    svg.circle(way - Flat{12, 0}, 3, "fill=\"#1668b8\"");
    next(figures);
    next(fmt::format("closest points: {} of a, {} of b", numbers_of(found.a), numbers_of(found.b)));
}

}  // namespace

template <int N>
PairPicture pair_picture(const QuerySolid<N>& a, const QuerySolid<N>& b) {
    using V = gjk::Vec<double, N>;
    std::vector<Step<V>> steps;
    const gjk::MinkowskiDifference pair(a.core(), b.core());
    const auto found = query_distance(a, b, [&](const gjk::Simplex<V>& simplex, const V&) {
        steps.push_back({simplex, pair.unscaled(1.0) * gjk::nearest_on(simplex).v});
    });
    const Plane plane(found.a - found.b);
    const std::vector<Flat> outer = outline(pair, plane), inner = front(pair, plane);
    const double margin = a.margin() + b.margin();

    Frame frame{{-margin, -margin}, {margin, margin}};
    for (const Flat& p : outer) {
        frame.low = {std::min(frame.low.x, p.x), std::min(frame.low.y, p.y)};
        frame.high = {std::max(frame.high.x, p.x), std::max(frame.high.y, p.y)};
    }
    // The first steps, and the last.
    const int shown = std::min(static_cast<int>(steps.size()), most_panels);
    const int height = (std::max(shown, 1) + columns - 1) / columns * panel;
    const std::string figures = fmt::format("{}, distance {}", query_verdict(found.verdict), found.distance);
    Svg svg(columns * panel, height + row_height * (legend_rows + 1));
    const Flat origin = frame.at({0, 0});
    svg.begin_shared();
    svg.polygon(placed(outer, frame), "fill=\"#dde3ea\" stroke=\"#7a8794\"");
    for (const Flat& p : placed(inner, frame)) svg.circle(p, 0.8, "fill=\"#7a8794\"");
    svg.circle(origin, frame.scale() * margin, "fill=\"none\" stroke=\"#2a8a3a\"");
    svg.line(origin + Flat{-6, 0}, origin + Flat{6, 0}, "stroke=\"#000000\"");
    svg.line(origin + Flat{0, -6}, origin + Flat{0, 6}, "stroke=\"#000000\"");
    svg.end_shared();
    for (int i = 0; i < shown; ++i) {
        const std::size_t step = i + 1 == shown ? steps.size() - 1 : static_cast<std::size_t>(i);
        svg.begin_panel(i % columns * panel, i / columns * panel);
        svg.shared();
        draw_step(svg, frame, plane, steps[step]);
        std::string words = fmt::format("step {}", step + 1);
        if (step + 1 == steps.size()) {
            words += ": " + figures;
        }
        svg.words({12, 20}, words);
        svg.end_panel();
    }
    svg.begin_panel(0, height);
    draw_legend(svg, found, figures, margin);
    svg.end_panel();
    return {std::move(svg).end(), figures};
}

template PairPicture pair_picture(const QuerySolid<2>& a, const QuerySolid<2>& b);
template PairPicture pair_picture(const QuerySolid<3>& a, const QuerySolid<3>& b);

}  // namespace lanecull::program
