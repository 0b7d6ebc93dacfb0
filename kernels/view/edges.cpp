#include "view/edges.hpp"

namespace lanecull {

void add_edges(std::span<const Affine> half_spaces, std::span<const Generator> generators, EdgeList& edges) {
    const Incidence incidence(generators);
    if (!incidence.solid(half_spaces.size())) return;
    for (std::uint32_t i = 0; i < half_spaces.size(); ++i) {
        for (std::uint32_t j = i + 1; j < half_spaces.size(); ++j) {
            if (incidence.edge(i, j) == 0) continue;
            edges.add(middle(half_spaces[i].linear), middle(half_spaces[j].linear));
        }
    }
}

}  // namespace lanecull
