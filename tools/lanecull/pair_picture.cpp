#include "pair_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>
#include <vector>

namespace lanecull::program {
namespace {

using Flat = gjk::Vec2<double>;

constexpr int outline_points = 360, front_points = 600;
constexpr int panel = 320, columns = 3, most_panels = 12;

/// The picture's plane: space is seen from (1, 0.7, 0.6), nearly.
constexpr gjk::Vec3<double> right{-0.573462, 0.819232, 0}, up{-0.362209, -0.253546, 0.896946};

/// From space onto the picture's plane; x right, y up.
Flat on_plane(const Flat& p) { return p; }
Flat on_plane(const gjk::Vec3<double>& p) { return {dot(p, right), dot(p, up)}; }

/// The directions in space that end up as d.
gjk::Vec2<double> in_space(const Flat& d, gjk::Vec2<double>) { return d; }
gjk::Vec3<double> in_space(const Flat& d, gjk::Vec3<double>) { return d.x * right + d.y * up; }

/// A simplex before it is reduced, and v, its point nearest to the origin.
template <class V>
struct Step {
    gjk::Simplex<V> simplex;
    V nearest;
};

/// Where the numbers go on the page.
struct Frame {
    Flat low, high;
    double left = 0, top = 0;

    [[nodiscard]] double scale() const { return 0.84 * panel / std::max({high.x - low.x, high.y - low.y, 1e-300}); }
    [[nodiscard]] Flat at(const Flat& p) const {
        const Flat middle = 0.5 * (low + high);
        return {left + 0.5 * panel + scale() * (p.x - middle.x), top + 0.5 * panel - scale() * (p.y - middle.y)};
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
    [[nodiscard]] std::string end() && { return std::move(text_) + "</svg>\n"; }

private:
    template <class... Arguments>
    void add(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
        fmt::format_to(std::back_inserter(text_), format, std::forward<Arguments>(arguments)...);
    }

    std::string text_;
};

template <class Pair>
std::vector<Flat> outline(const Pair& pair) {
    std::vector<Flat> points;
    for (int i = 0; i < outline_points; ++i) {
        const double angle = 2 * std::numbers::pi * i / outline_points;
        const auto d = in_space(Flat{std::cos(angle), std::sin(angle)}, typename Pair::Vector{});
        points.push_back(on_plane(pair.support(d).w));
    }
    return points;
}

/// Of directions spread over the half of the sphere that looks out of the page.
template <class Pair>
std::vector<Flat> front(const Pair& pair) {
    std::vector<Flat> points;
    if constexpr (std::is_same_v<typename Pair::Vector, gjk::Vec3<double>>) {
        constexpr double golden = 2.399963229728653;
        const auto out = cross(right, up);
        for (int i = 0; i < front_points; ++i) {
            const double z = (i + 0.5) / front_points, r = std::sqrt(1 - z * z), angle = golden * i;
            points.push_back(
                on_plane(pair.support(r * std::cos(angle) * right + r * std::sin(angle) * up + z * out).w));
        }
    }
    return points;
}

template <class V>
void draw_step(Svg& svg, const Frame& frame, const Step<V>& step) {
    std::vector<Flat> corners;
    for (int i = 0; i < step.simplex.count; ++i) corners.push_back(frame.at(on_plane(step.simplex.points[i].w)));
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
    const Flat nearest = frame.at(on_plane(step.nearest)), origin = frame.at({0, 0});
    svg.line(nearest, origin, "stroke=\"#1668b8\" stroke-width=\"1.5\" stroke-dasharray=\"4 3\"");
    svg.circle(nearest, 3, "fill=\"#1668b8\"");
}

const char* words_of(gjk::Verdict verdict) {
    switch (verdict) {
        case gjk::Verdict::separated:
            return "separated";
        case gjk::Verdict::intersecting:
            return "intersecting";
        default:
            return "undecided";
    }
}

}  // namespace

template <int N>
std::string pair_picture(const QuerySolid<N>& a, const QuerySolid<N>& b) {
    using V = gjk::Vec<double, N>;
    std::vector<Step<V>> steps;
    const auto found = gjk::distance(a, b, {}, [&](const gjk::Simplex<V>& simplex, const V&) {
        steps.push_back({simplex, gjk::nearest_on(simplex).v});
    });
    const gjk::MinkowskiDifference pair(a.core(), b.core());
    const std::vector<Flat> outer = outline(pair), inner = front(pair);
    const double margin = a.margin() + b.margin();

    Frame frame{{-margin, -margin}, {margin, margin}};
    for (const Flat& p : outer) {
        frame.low = {std::min(frame.low.x, p.x), std::min(frame.low.y, p.y)};
        frame.high = {std::max(frame.high.x, p.x), std::max(frame.high.y, p.y)};
    }
    // The first steps, and the last.
    const int shown = std::min(static_cast<int>(steps.size()), most_panels);
    Svg svg(columns * panel, (std::max(shown, 1) + columns - 1) / columns * panel);
    for (int i = 0; i < shown; ++i) {
        const std::size_t step = i + 1 == shown ? steps.size() - 1 : static_cast<std::size_t>(i);
        frame.left = i % columns * panel;
        frame.top = i / columns * panel;
        const auto placed = [&](std::vector<Flat> points) {
            for (Flat& p : points) p = frame.at(p);
            return points;
        };
        svg.polygon(placed(outer), "fill=\"#dde3ea\" stroke=\"#7a8794\"");
        for (const Flat& p : placed(inner)) svg.circle(p, 0.8, "fill=\"#7a8794\"");
        draw_step(svg, frame, steps[step]);
        const Flat origin = frame.at({0, 0});
        svg.circle(origin, frame.scale() * margin, "fill=\"none\" stroke=\"#2a8a3a\"");
        svg.line(origin + Flat{-6, 0}, origin + Flat{6, 0}, "stroke=\"#000000\"");
        svg.line(origin + Flat{0, -6}, origin + Flat{0, 6}, "stroke=\"#000000\"");
        std::string words = fmt::format("step {}", step + 1);
        if (step + 1 == steps.size())
            words += fmt::format(": {}, distance {:.6g}", words_of(found.verdict), found.distance);
        svg.words({frame.left + 12, frame.top + 20}, words);
    }
    return std::move(svg).end();
}

template std::string pair_picture(const QuerySolid<2>& a, const QuerySolid<2>& b);
template std::string pair_picture(const QuerySolid<3>& a, const QuerySolid<3>& b);

}  // namespace lanecull::program
