#include "scene/scene_fingerprint.hpp"

#include <string_view>
#include <variant>
#include <vector>

#include "support/fingerprint.hpp"

namespace lanecull::program {
namespace {

/// Mixes in what it is called with, one array after the other.
class Mixer {
public:
    template <class T>
    void operator()(const std::vector<T>& values) {
        sum_ = fingerprint({reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)}, sum_);
    }
    template <class T, class... More>
    void operator()(const std::vector<T>& values, const More&... more) {
        (*this)(values);
        (*this)(more...);
    }
    [[nodiscard]] std::uint64_t sum() const { return sum_; }

private:
    std::uint64_t sum_ = 0;
};

void mix(Mixer& add, const SphereArrays& a) { add(a.x, a.y, a.z, a.radius); }
void mix(Mixer& add, const BoxArrays& a) { add(a.min_x, a.min_y, a.min_z, a.max_x, a.max_y, a.max_z); }
void mix(Mixer& add, const CenteredBoxArrays& a) { add(a.x, a.y, a.z, a.half_x, a.half_y, a.half_z); }
void mix(Mixer& add, const OrientedBoxArrays& a) { add(a.x, a.y, a.z, a.axes, a.half_extents); }
void mix(Mixer& add, const CapsuleArrays& a) { add(a.a_x, a.a_y, a.a_z, a.b_x, a.b_y, a.b_z, a.radius); }
void mix(Mixer& add, const HullInstanceArrays& a) {
    for (const HullMesh& mesh : a.meshes) add(mesh.x, mesh.y, mesh.z);
    add(a.transforms, a.hull_index);
}

}  // namespace

std::uint64_t scene_fingerprint(const Scene& scene) {
    Mixer add;
    for (const Group& group : scene.groups) {
        add(std::vector<std::uint64_t>{group.arrays.index()});
        std::visit([&](const auto& arrays) { mix(add, arrays); }, group.arrays);
    }
    return add.sum();
}

}  // namespace lanecull::program
