#pragma once

#include <cstdint>
#include <memory>
#include <vector>

/// Other libraries' trees of boxes, asked which boxes are behind none of six planes.
namespace bench {

struct Boxes6 {
    std::vector<float> stream[6];  ///< min x y z, max x y z
};

/// Inside: plane[k][0..2] . p + plane[k][3] >= 0.
struct PeerPlanes {
    float plane[6][4];
};

class BoxTree {
public:
    virtual ~BoxTree() = default;
    [[nodiscard]] virtual const char* name() const = 0;
    /// What rows of results call it.
    [[nodiscard]] virtual const char* key() const = 0;
    virtual void build(const Boxes6& boxes) = 0;
    /// How many boxes are kept; a bit is set for each, as for the others.
    virtual std::uint64_t cull(const PeerPlanes& planes) = 0;
};

/// Those that this build has.
std::vector<std::unique_ptr<BoxTree>> all_trees();

std::unique_ptr<BoxTree> make_embree_tree();
std::unique_ptr<BoxTree> make_bullet_tree();

}  // namespace bench
