#include <BulletCollision/BroadphaseCollision/btDbvt.h>

#include <algorithm>

#include "peers/scene_peers.hpp"

/// Bullet's dynamic tree, built by inserting and then from the top down, and its frustum query.
namespace bench {
namespace {

class BulletTree final : public BoxTree {
public:
    [[nodiscard]] const char* name() const override { return "Bullet, btDbvt::collideKDOP"; }
    [[nodiscard]] const char* key() const override { return "btdbvt"; }

    void build(const Boxes6& boxes) override {
        const std::size_t n = boxes.stream[0].size();
        bits_.resize((n + 63) / 64);
        for (std::size_t i = 0; i < n; ++i) {
            const auto corner = [&](std::size_t first) {
                return btVector3(boxes.stream[first][i], boxes.stream[first + 1][i], boxes.stream[first + 2][i]);
            };
            tree_.insert(btDbvtVolume::FromMM(corner(0), corner(3)), reinterpret_cast<void*>(i));
        }
        tree_.optimizeTopDown();
    }

    std::uint64_t cull(const PeerPlanes& planes) override {
        std::fill(bits_.begin(), bits_.end(), 0);
        btVector3 normals[6];
        btScalar offsets[6];
        for (int k = 0; k < 6; ++k) {
            normals[k] = btVector3(planes.plane[k][0], planes.plane[k][1], planes.plane[k][2]);
            offsets[k] = planes.plane[k][3];
        }
        Mark mark(bits_.data());
        btDbvt::collideKDOP(tree_.m_root, normals, offsets, 6, mark);
        return mark.count;
    }

private:
    struct Mark : btDbvt::ICollide {
        explicit Mark(std::uint64_t* words) : bits(words) {}
        void Process(const btDbvtNode* leaf) override {
            const auto i = reinterpret_cast<std::uintptr_t>(leaf->data);
            bits[i / 64] |= std::uint64_t{1} << i % 64;
            ++count;
        }
        std::uint64_t* bits;
        std::uint64_t count = 0;
    };

    btDbvt tree_;
    std::vector<std::uint64_t> bits_;
};

}  // namespace

std::unique_ptr<BoxTree> make_bullet_tree() { return std::make_unique<BulletTree>(); }

}  // namespace bench
