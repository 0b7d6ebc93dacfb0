#include "picture/convex_rim.hpp"

#include <algorithm>
#include <cstddef>

namespace lanecull::program {

std::vector<glm::dvec2> convex_rim(std::vector<glm::dvec2> points) {
    using glm::dvec2;
    std::sort(points.begin(), points.end(),
              [](const dvec2& a, const dvec2& b) { return a.x < b.x || (a.x == b.x && a.y < b.y); });
    std::vector<dvec2> rim;
    for (int pass = 0; pass < 2; ++pass) {
        const std::size_t first = rim.size();
        for (const dvec2& p : points) {
            const auto turns_left = [&] {
                const dvec2 a = rim.back() - rim[rim.size() - 2], b = p - rim.back();
                return a.x * b.y - a.y * b.x > 0;
            };
            while (rim.size() >= first + 2 && !turns_left()) rim.pop_back();
            rim.push_back(p);
        }
        if (!rim.empty()) rim.pop_back();  // the other pass begins with it
        std::reverse(points.begin(), points.end());
    }
    return rim;
}

}  // namespace lanecull::program
