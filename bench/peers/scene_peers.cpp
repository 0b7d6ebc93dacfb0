#include "peers/scene_peers.hpp"

namespace bench {

std::vector<std::unique_ptr<BoxTree>> all_trees() {
    std::vector<std::unique_ptr<BoxTree>> trees;
#if defined(LANECULL_BENCH_EMBREE)
    trees.push_back(make_embree_tree());
#endif
#if defined(LANECULL_BENCH_BULLET)
    trees.push_back(make_bullet_tree());
#endif
    return trees;
}

}  // namespace bench
