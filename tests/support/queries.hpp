#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include <lanecull/batch.hpp>
#include <lanecull/view.hpp>

#include "oracle/exact.hpp"
#include "support/memory.hpp"
#include "support/objects.hpp"

/// tests/data/views.jsonl: cases with labels computed in rational arithmetic (tests/README.md has the format).
struct Query {
    enum class Expect { visible, culled, either };

    std::string id;
    std::string category;  ///< projection/placement/kind
    std::array<double, 16> matrix{};
    lanecull::ClipSpace clip_space;
    std::vector<double> corners;  ///< where not empty, 24 numbers in place of the matrix
    Kind kind = Kind::sphere;
    Object object;
    HullSet hulls;
    std::array<float, 3> sweep{};
    std::optional<lanecull::Sun> sun;  ///< is its shadow in the view? One of the two, or none
    std::optional<lanecull::Lamp> lamp;
    Expect expect = Expect::either;

    [[nodiscard]] bool by_corners() const { return !corners.empty(); }
    [[nodiscard]] bool swept() const { return sweep != std::array<float, 3>{}; }

    [[nodiscard]] lanecull::Status prepare(lanecull::View& view) const;
    /// Valid while the query and the memory live.
    [[nodiscard]] lanecull::Batch batch(Memory& memory) const;
    /// Of the view, or of what casts shadows into it.
    [[nodiscard]] exact::Volume exact_volume() const;
    [[nodiscard]] exact::Volume exact_seen() const;
    [[nodiscard]] exact::Solid exact_solid() const;
};

[[nodiscard]] std::vector<Query> read_queries();
