#pragma once

#include <array>
#include <string>
#include <vector>

#include <lanecull/view.hpp>

#include "objects.hpp"

/// tests/data/views.jsonl: made cases with labels computed in rational arithmetic (tests/README.md has the format).
struct Query {
    enum class Expect { visible, culled, either };

    std::string id;
    std::string category;  ///< projection/placement/kind
    std::array<double, 16> matrix{};
    lanecull::ClipSpace clip_space;
    Kind kind = Kind::sphere;
    Object object;
    HullSet hulls;
    Expect expect = Expect::either;
};

[[nodiscard]] std::vector<Query> read_queries();
