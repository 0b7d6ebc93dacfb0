#include "scene/scene_bytes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "support/bytes.hpp"
#include "support/error.hpp"

namespace lanecull::program {
namespace {

template <class T>
void append(std::string& bytes, const std::vector<T>& values) {
    append_array(bytes, std::span<const T>(values));
}

void append_group(std::string& bytes, const Group& group) {
    const auto& instances = std::get<HullInstanceArrays>(group.arrays);
    append_text(bytes, group.name);
    append_bytes(bytes, std::uint64_t{instances.meshes.size()});
    for (const HullMesh& mesh : instances.meshes) {
        for (const auto* stream : {&mesh.x, &mesh.y, &mesh.z}) append(bytes, *stream);
        append(bytes, mesh.triangles);
        append_text(bytes, mesh.name);
        append_bytes(bytes, mesh.covers_holes);
    }
    append(bytes, instances.transforms);
    append(bytes, instances.hull_index);
    append_bytes(bytes, std::uint64_t{group.names.size()});
    for (const std::string& name : group.names) append_text(bytes, name);
}

class SceneParser {
public:
    SceneParser(std::string_view bytes, const std::string& file)
        : what_("what the reader of " + file + " made"), bytes_(bytes, what_) {}

    Scene scene() {
        Scene scene;
        scene.name = bytes_.text();
        scene.description = bytes_.text();
        scene.up = bytes_.value<glm::dvec3>();
        scene.meshes = bytes_.value<std::uint64_t>();
        scene.motion.objects = bytes_.array<std::uint32_t>();
        scene.motion.transforms = finite_numbers();
        while (!bytes_.at_end()) add_group(scene);
        check_motion(scene);
        return scene;
    }

private:
    void check(bool is_right) const {
        if (!is_right) fail("{} is damaged", what_);
    }

    void check_motion(const Scene& scene) const {
        const Motion& motion = scene.motion;
        if (motion.objects.empty()) return check(motion.transforms.empty());
        check(!scene.groups.empty() && motion.objects.back() < object_count(scene.groups.front().arrays));
        check(std::ranges::adjacent_find(motion.objects, std::ranges::greater_equal()) == motion.objects.end());
        check(motion.frames() != 0 && motion.transforms.size() == 12 * motion.objects.size() * motion.frames());
    }

    [[nodiscard]] std::vector<float> finite_numbers() {
        std::vector<float> numbers = bytes_.array<float>();
        check(std::ranges::all_of(numbers, [](float number) { return std::isfinite(number); }));
        return numbers;
    }

    [[nodiscard]] HullMesh mesh() {
        HullMesh mesh;
        for (auto* stream : {&mesh.x, &mesh.y, &mesh.z}) *stream = finite_numbers();
        const std::size_t points = mesh.x.size();
        check(points != 0 && mesh.y.size() == points && mesh.z.size() == points);
        mesh.triangles = bytes_.array<std::array<std::uint32_t, 3>>();
        for (const auto& triangle : mesh.triangles) check(std::ranges::max(triangle) < points);
        mesh.name = bytes_.text();
        mesh.covers_holes = bytes_.value<std::uint8_t>() != 0;
        return mesh;
    }

    void add_group(Scene& scene) {
        std::string name = bytes_.text();
        HullInstanceArrays instances;
        for (auto left = bytes_.value<std::uint64_t>(); left != 0; --left) instances.meshes.push_back(mesh());
        instances.transforms = finite_numbers();
        instances.hull_index = bytes_.array<std::uint32_t>();
        const std::size_t count = instances.hull_index.size(), meshes = instances.meshes.size();
        check(instances.transforms.size() == 12 * count);
        check(std::ranges::all_of(instances.hull_index, [&](std::uint32_t index) { return index < meshes; }));
        const auto named = bytes_.value<std::uint64_t>();
        check(named == 0 || named == count);
        std::vector<std::string> names(named);
        for (std::string& of_object : names) of_object = bytes_.text();
        scene.add(std::move(name), std::move(instances), std::move(names));
    }

    const std::string what_;
    ByteReader bytes_;
};

}  // namespace

std::string bytes_of(const Scene& scene) {
    std::string bytes;
    append_text(bytes, scene.name);
    append_text(bytes, scene.description);
    append_bytes(bytes, scene.up);
    append_bytes(bytes, std::uint64_t{scene.meshes});
    append(bytes, scene.motion.objects);
    append(bytes, scene.motion.transforms);
    for (const Group& group : scene.groups) append_group(bytes, group);
    return bytes;
}

Scene scene_of(std::string_view bytes, const std::string& file) { return SceneParser(bytes, file).scene(); }

}  // namespace lanecull::program
