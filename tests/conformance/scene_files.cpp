/// Scene files on every platform: lanecull_scene_files, run in a folder that it may write to.
/// Scenes are written, mapped and read again, and written over one another; the file has the same bytes everywhere; a
/// file that cannot be had is refused and leaves nothing behind; a file that claims more than a 32-bit size can hold
/// is refused. Prints what does not hold; the exit status is then 1.

#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <lanecull/bounds.h>
#include <lanecull/scene.h>

#include "objects.hpp"
#include "report.hpp"
#include "support/damaged_file.hpp"

namespace {

using lanecull::Scene;
using Bytes = std::vector<std::byte>;

/// A failure that says so in these words, in one line.
void expect_failure(const lanecull::Status& status, const std::string& words) {
    const std::string said(status.message());
    const bool right = !status && said.find(words) != std::string::npos && said.find_first_of("\r\n") == said.npos;
    if (!right) std::printf("\"%s\" was to say \"%s\"\n", said.c_str(), words.c_str());
    hold &= right;
}

/// Objects of every kind that touch a view.
Scene make_scene(std::uint32_t seed) {
    const HostileView around(seed);
    PortableRandom random(seed);
    Scene scene;
    for (std::uint32_t kind = 0; kind < HostileBatch::kinds; ++kind) {
        const HostileBatch hostile(kind, 200, around, random);
        const lanecull::Batch batch = hostile.batch();
        std::vector<lanecull::Handle> handles(batch.count());
        expect_ok(scene.add({&batch, 1}, handles), "add");
    }
    scene.refit();
    return scene;
}

std::vector<std::uint64_t> visible_in(const Scene& scene, std::uint32_t seed) {
    const HostileView around(seed);
    std::vector<std::uint64_t> visible(lanecull::visibility_words(scene));
    std::vector<std::byte> scratch(lanecull::scratch_bytes(scene, 1));
    lanecull::Output output{.visible = visible};
    expect_ok(lanecull::cull(scene, {&around.view, 1}, {&output, 1}, scratch), "cull");
    return visible;
}

Bytes bytes_of(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    const std::vector<char> read((std::istreambuf_iterator<char>(in)), {});
    Bytes bytes(read.size());
    if (!read.empty()) std::memcpy(bytes.data(), read.data(), read.size());
    return bytes;
}

void expect_alike(const Scene& saved, const std::string& path, std::uint32_t seed) {
    Scene loaded;
    expect_ok(Scene::load(path.c_str(), loaded), "load");
    expect(loaded.object_count() == saved.object_count(), "as many objects are loaded as were saved");
    expect(visible_in(loaded, seed) == visible_in(saved, seed), "what is loaded has the verdicts of what was saved");
}

void write_and_replace(const std::filesystem::path& folder) {
    // Paths are UTF-8 everywhere.
    const std::u8string name = u8"szene_\u00e4\u6f22.lane";
    const std::filesystem::path file = folder / name;
    const std::u8string utf8 = file.u8string();
    const std::string path(utf8.begin(), utf8.end());
    const Scene first = make_scene(1), second = make_scene(2);
    expect_ok(first.save(path.c_str()), "save");
    expect_alike(first, path, 1);
    Checksum sum;
    sum.add(std::span<const std::byte>(bytes_of(file)));
    std::printf("a scene's file: %zu bytes, %016llx\n", bytes_of(file).size(), sum.value());
    expect_ok(second.save(path.c_str()), "save over a file");
    expect_alike(second, path, 2);
    expect_ok(first.save(path.c_str()), "save over a file that was mapped");
    expect_alike(first, path, 1);
    using Entries = std::filesystem::directory_iterator;
    expect(std::distance(Entries(folder), Entries()) == 1, "nothing lies beside the file");
    std::filesystem::remove(file);
}

void refuse(const std::filesystem::path& folder) {
    const Scene scene = make_scene(1);
    Scene loaded;
    const std::string missing = (folder / "missing").string(), there = folder.string();
    expect_failure(Scene::load(missing.c_str(), loaded), "path: cannot be opened: ");
    expect_failure(Scene::load(there.c_str(), loaded), "path: is not a file");
    expect_failure(scene.save((folder / "missing" / "scene").string().c_str()), "path: cannot be written: ");
    expect_failure(scene.save(there.c_str()), "path: cannot be written: ");
    expect(std::filesystem::is_empty(folder), "a file that cannot be written leaves nothing behind");
    const std::string empty = (folder / "empty").string();
    std::ofstream(empty).close();
    expect_failure(Scene::load(empty.c_str(), loaded), "scene file: is shorter than a header");
    std::filesystem::remove(empty);
}

/// A hull of 2^30 more vertices than there are has as many bytes, to sizes of 32 bits.
void refuse_sizes_beyond_32_bits(const std::filesystem::path& folder) {
    const std::string path = (folder / "forged").string();
    expect_ok(make_scene(1).save(path.c_str()), "save");
    SceneParts parts(bytes_of(path));
    std::filesystem::remove(path);
    bool found = false;
    for (SceneParts::Part& part : parts.all) {
        if (part.what != lanecull::scene_file::What::hull || found) continue;
        part.a += 1u << 30;
        found = true;
    }
    expect(found, "the scene has a hull");
    Scene loaded;
    const Bytes file = parts.file();
    expect_failure(Scene::load(std::span<const std::byte>(file), loaded), "is of another size");
}

}  // namespace

int main() {
    const std::filesystem::path folder = "lanecull_scene_files";
    std::filesystem::remove_all(folder);
    std::filesystem::create_directory(folder);
    write_and_replace(folder);
    refuse(folder);
    refuse_sizes_beyond_32_bits(folder);
    std::filesystem::remove_all(folder);
    return hold ? 0 : 1;
}
