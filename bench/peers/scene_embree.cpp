#include <embree3/rtcore.h>

#include <algorithm>
#include <new>

#include "peers/scene_peers.hpp"

/// A tree of 8 children a node built by Embree, and a frustum traversal of our own: a plane that a node is wholly
/// inside of is not tested again below it; 8 children at a time, which the compiler turns into vectors.
namespace bench {
namespace {

constexpr unsigned width = 8;

struct Node {
    float low[3][width], high[3][width];
    void* child[width];
    unsigned children;
};

/// Up to 8 boxes, as they are stored for the traversal.
struct Leaf {
    float low[3][width], high[3][width];
    std::uint32_t box[width];
    unsigned count;
};

// The lowest bit of a pointer tells a leaf.
void* tagged(Leaf* leaf) { return reinterpret_cast<char*>(leaf) + 1; }
bool is_leaf(const void* node) { return (reinterpret_cast<std::uintptr_t>(node) & 1) != 0; }
const Leaf& leaf_of(const void* node) { return *reinterpret_cast<const Leaf*>(static_cast<const char*>(node) - 1); }

class EmbreeTree final : public BoxTree {
public:
    EmbreeTree() : device_(rtcNewDevice("threads=1")), bvh_(rtcNewBVH(device_)) {}
    ~EmbreeTree() override {
        rtcReleaseBVH(bvh_);
        rtcReleaseDevice(device_);
    }
    [[nodiscard]] const char* name() const override { return "Embree, rtcBuildBVH, own traversal"; }
    [[nodiscard]] const char* key() const override { return "embree"; }

    void build(const Boxes6& boxes) override {
        const std::size_t n = boxes.stream[0].size();
        bits_.resize((n + 63) / 64);
        std::vector<RTCBuildPrimitive> primitives(n);
        for (std::size_t i = 0; i < n; ++i) {
            primitives[i] = {boxes.stream[0][i], boxes.stream[1][i], boxes.stream[2][i], 0,
                             boxes.stream[3][i], boxes.stream[4][i], boxes.stream[5][i], static_cast<unsigned>(i)};
        }
        RTCBuildArguments arguments = rtcDefaultBuildArguments();
        arguments.bvh = bvh_;
        arguments.primitives = primitives.data();
        arguments.primitiveCount = arguments.primitiveArrayCapacity = n;
        arguments.maxBranchingFactor = width;
        arguments.minLeafSize = 1;
        arguments.maxLeafSize = width;
        arguments.sahBlockSize = width;
        arguments.createNode = create_node;
        arguments.setNodeChildren = set_children;
        arguments.setNodeBounds = set_bounds;
        arguments.createLeaf = create_leaf;
        root_ = rtcBuildBVH(&arguments);
    }

    std::uint64_t cull(const PeerPlanes& planes) override {
        std::fill(bits_.begin(), bits_.end(), 0);
        count_ = 0;
        planes_ = &planes;
        visit(root_, 0x3f);
        return count_;
    }

private:
    static void* create_node(RTCThreadLocalAllocator allocator, unsigned count, void*) {
        auto* node = new (rtcThreadLocalAlloc(allocator, sizeof(Node), 64)) Node{};
        node->children = count;
        return node;
    }
    static void set_children(void* of, void** children, unsigned count, void*) {
        std::copy_n(children, count, static_cast<Node*>(of)->child);
    }
    static void set_bounds(void* of, const RTCBounds** bounds, unsigned count, void*) {
        Node& node = *static_cast<Node*>(of);
        for (unsigned c = 0; c < count; ++c) {
            const RTCBounds& b = *bounds[c];
            const float low[3] = {b.lower_x, b.lower_y, b.lower_z}, high[3] = {b.upper_x, b.upper_y, b.upper_z};
            for (int j = 0; j < 3; ++j) {
                node.low[j][c] = low[j];
                node.high[j][c] = high[j];
            }
        }
    }
    static void* create_leaf(RTCThreadLocalAllocator allocator, const RTCBuildPrimitive* of, std::size_t count, void*) {
        auto* leaf = new (rtcThreadLocalAlloc(allocator, sizeof(Leaf), 64)) Leaf{};
        leaf->count = static_cast<unsigned>(count);
        for (unsigned c = 0; c < count; ++c) {
            const float low[3] = {of[c].lower_x, of[c].lower_y, of[c].lower_z};
            const float high[3] = {of[c].upper_x, of[c].upper_y, of[c].upper_z};
            for (int j = 0; j < 3; ++j) {
                leaf->low[j][c] = low[j];
                leaf->high[j][c] = high[j];
            }
            leaf->box[c] = of[c].primID;
        }
        return tagged(leaf);
    }

    /// Bits of those of 8 boxes that are behind a plane, and for each plane of those wholly inside of it.
    template <class Boxes>
    unsigned test(const Boxes& boxes, unsigned active, unsigned (&inside)[6]) const {
        unsigned outside = 0;
        for (unsigned k = 0; k < 6; ++k) {
            inside[k] = 0xff;
            if ((active >> k & 1) == 0) continue;
            const float(&p)[4] = planes_->plane[k];
            float most[width], least[width];
            for (unsigned c = 0; c < width; ++c) most[c] = least[c] = p[3];
            for (int j = 0; j < 3; ++j) {
                const float(&far_side)[width] = p[j] > 0 ? boxes.high[j] : boxes.low[j];
                const float(&near_side)[width] = p[j] > 0 ? boxes.low[j] : boxes.high[j];
                for (unsigned c = 0; c < width; ++c) {
                    most[c] += p[j] * far_side[c];
                    least[c] += p[j] * near_side[c];
                }
            }
            inside[k] = 0;
            for (unsigned c = 0; c < width; ++c) {
                outside |= (most[c] < 0 ? 1u : 0u) << c;
                inside[k] |= (least[c] >= 0 ? 1u : 0u) << c;
            }
        }
        return outside;
    }

    void visit(const void* at, unsigned active) {
        unsigned inside[6];
        if (is_leaf(at)) {
            const Leaf& leaf = leaf_of(at);
            unsigned kept = (1u << leaf.count) - 1;
            if (active != 0) kept &= ~test(leaf, active, inside);
            for (; kept != 0; kept &= kept - 1) {
                const std::uint32_t i = leaf.box[__builtin_ctz(kept)];
                bits_[i / 64] |= std::uint64_t{1} << i % 64;
                ++count_;
            }
            return;
        }
        const Node& node = *static_cast<const Node*>(at);
        const unsigned outside = active != 0 ? test(node, active, inside) : 0;
        for (unsigned c = 0; c < node.children; ++c) {
            if ((outside >> c & 1) != 0) continue;
            unsigned still = 0;
            for (unsigned k = 0; active != 0 && k < 6; ++k) still |= (active >> k & ~(inside[k] >> c) & 1u) << k;
            visit(node.child[c], still);
        }
    }

    RTCDevice device_;
    RTCBVH bvh_;
    void* root_ = nullptr;
    const PeerPlanes* planes_ = nullptr;
    std::uint64_t count_ = 0;
    std::vector<std::uint64_t> bits_;
};

}  // namespace

std::unique_ptr<BoxTree> make_embree_tree() { return std::make_unique<EmbreeTree>(); }

}  // namespace bench
