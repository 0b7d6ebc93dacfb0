#include <lanecull/visibility.h>

/// Baked visibility from the installed target: a world of nothing, and a set there and back.
int main() {
    const lanecull::Scene scene;
    lanecull::BakeScene world;
    if (!world.prepare(scene, {}) || world.visibility_words() != 0) return 1;
    const std::uint64_t words[] = {5, 1};
    std::uint64_t expanded[2] = {};
    lanecull::CompressedSet set;
    if (!set.compress(words) || !lanecull::expand_set(set.bytes(), expanded)) return 1;
    return expanded[0] == 5 && expanded[1] == 1 ? 0 : 1;
}
