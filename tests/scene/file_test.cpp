#include <gtest/gtest.h>

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "scene/file_format.hpp"
#include "scene/lists.hpp"
#include "support/damaged_file.hpp"

/// What scene files are refused for: files that are damaged, and files with right checksums, each of which breaks one
/// rule: of the interface, or of how a scene's parts belong together. Family scenes_files has any other.

namespace {

using lanecull::Batch;
using lanecull::Handle;
using lanecull::Scene;
using lanecull::scene_file::StoreRecord;
using lanecull::scene_file::What;
using scene_tests::Example;
using Part = SceneParts::Part;

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr float infinite = std::numeric_limits<float>::infinity();

/// Stores, in this order.
enum Store : std::uint32_t { of_boxes, of_hulls, of_quaternions };
/// Columns by their numbers in files: shapes have up to 7, then come the margin, the sweep and so on.
constexpr std::uint32_t hull_column = 4, sweep_x = 8, sweep_y = 9, sweep_z = 10, flags = 11, columns = 17;

/// As files have it.
struct Place {
    std::uint32_t store = ~std::uint32_t{0}, slot = 0;
};

Scene make_scene(std::uint64_t seed) {
    Random random(seed);
    const PreparedCamera prepared = random_prepared_camera(random, Projection::perspective);
    const HullSet hulls = random_hulls(random, 3);
    HeapMemory memory;
    Scene scene;
    const auto add = [&](Kind kind, std::size_t count, const Streams& streams) {
        const Batch batch = make_batch(kind, random_objects(random, kind, prepared.camera, count, hulls), hulls, memory,
                                       {.streams = streams});
        std::vector<Handle> handles(count);
        ASSERT_TRUE(scene.add({&batch, 1}, handles));
    };
    add(Kind::box, 200, {.sweep = true});
    add(Kind::hull, 50, {});
    add(Kind::quaternion_box, 50, {.margin = true});
    const Handle unused[] = {3, 7};
    EXPECT_TRUE(scene.remove(unused));
    scene.refit();
    return scene;
}

class Forged {
public:
    explicit Forged(std::span<const std::byte> file) : parts(file) {}

    std::size_t place(What what, std::uint32_t a = 0, std::uint32_t b = 0) {
        for (std::size_t i = 0; i < parts.all.size(); ++i) {
            const Part& part = parts.all[i];
            if (part.what == what && (what == What::hull ? part.b == b : part.a == a && part.b == b)) return i;
        }
        ADD_FAILURE() << "there is no such part";
        return 0;
    }
    Part& at(What what, std::uint32_t a = 0, std::uint32_t b = 0) { return parts.all[place(what, a, b)]; }
    void erase(What what, std::uint32_t a = 0, std::uint32_t b = 0) {
        parts.all.erase(parts.all.begin() + static_cast<std::ptrdiff_t>(place(what, a, b)));
    }
    /// A column of zeros before the store's handles.
    void add_column(std::uint32_t store, std::uint32_t column, std::size_t bytes) {
        const std::size_t handles = place(What::handles, store);
        parts.all.insert(parts.all.begin() + static_cast<std::ptrdiff_t>(handles),
                         {What::column, store, column, std::vector<std::byte>(bytes)});
    }
    void erase_hulls() {
        std::erase_if(parts.all, [](const Part& part) { return part.what == What::hull; });
    }
    template <class T>
    void set_record(std::uint32_t store, std::size_t byte, T value) {
        at(What::store, store).set(byte, value);
    }
    /// Number `i` of a part.
    template <class T>
    void set(What what, std::uint32_t a, std::uint32_t b, std::size_t i, T value) {
        at(what, a, b).set(i * sizeof(T), value);
    }

    SceneParts parts;
};

using Forge = std::function<void(Forged&)>;
struct Case {
    const char* says;
    Forge forge;
};

template <class T>
Forge record(std::uint32_t store, std::size_t byte, T value) {
    return [=](Forged& f) { f.set_record(store, byte, value); };
}
template <class T>
Forge number(What what, std::uint32_t a, std::uint32_t b, std::size_t i, T value) {
    return [=](Forged& f) { f.set(what, a, b, i, value); };
}
Forge erased(What what, std::uint32_t a = 0, std::uint32_t b = 0) {
    return [=](Forged& f) { f.erase(what, a, b); };
}
Forge resized(What what, std::uint32_t a, std::uint32_t b, std::size_t bytes) {
    return [=](Forged& f) { f.at(what, a, b).data.resize(bytes); };
}
constexpr const char* due = "is another than the one that is due";
constexpr const char* no_extent = "stores[0]: the extent of its blocks is negative or not finite";
constexpr const char* not_there = "handles[0]: names an object that is not there";
constexpr std::size_t origin = offsetof(StoreRecord, origin), spacing = offsetof(StoreRecord, spacing);

/// The rules that add(), replace() and set_attributes() have for callers, by the same sentences.
const Case rules[] = {
    {"stores[0]: attributes.sweep_x, _y, _z: all three must be given, or none",
     [](Forged& f) { f.erase(What::column, of_boxes, sweep_y), f.erase(What::column, of_boxes, sweep_z); }},
    {"stores[0]: attributes.sweep_x, _y, _z: all three must be given, or none",
     erased(What::column, of_boxes, sweep_x)},
    {"stores[2]: attributes.sweep_x, _y, _z: all three must be given, or none",
     [](Forged& f) {
         const std::size_t bytes = f.at(What::column, of_quaternions, 0).data.size();
         f.add_column(of_quaternions, sweep_z, bytes);
     }},
    {"hulls[0]: x[0]: not finite", number(What::hull, 0, 0, 0, infinite)},
    {"hulls[1]: z[",
     [](Forged& f) {
         Part& hull = f.at(What::hull, 0, 1);
         hull.set(hull.data.size() - sizeof(float), static_cast<float>(not_a_number));
     }},
    {"hulls[0]: x: must not be null",
     [](Forged& f) {
         f.at(What::hull).a = 0;
         f.at(What::hull).data.clear();
     }},
    {"hulls[0]: count: a hull has 1 to 65535 vertices, not 65536",
     [](Forged& f) {
         f.at(What::hull).a = 65536;
         f.at(What::hull).data.resize(std::size_t{65536} * 12);
     }},
    {"stores[1]: hulls: there must be at least one", [](Forged& f) { f.erase_hulls(); }},
    {"stores[0]: origin[1]: must be finite and at most 1e12", record(of_boxes, origin + sizeof(double), 1.1e12)},
    {"stores[1]: origin[0]: must be finite and at most 1e12", record(of_hulls, origin, not_a_number)},
};

/// What else a scene's parts always have in common.
const Case parts[] = {
    {"hulls[1]: is there twice",
     [](Forged& f) {
         f.at(What::hull, 0, 1).a = f.at(What::hull).a;
         f.at(What::hull, 0, 1).data = f.at(What::hull).data;
     }},
    {"stores[0]: its layout is none", record(of_boxes, offsetof(StoreRecord, layout), 1000U)},
    {"stores[0]: a mark is neither 0 nor 1", record(of_boxes, offsetof(StoreRecord, moving), 2U)},
    {"stores[0]: a mark is neither 0 nor 1", record(of_boxes, offsetof(StoreRecord, large), 2U)},
    {"stores[0]: has more blocks than a store can have", record(of_boxes, offsetof(StoreRecord, blocks), 1U << 30)},
    {"is of another size", record(of_boxes, offsetof(StoreRecord, blocks), 3U)},
    {due, record(of_boxes, offsetof(StoreRecord, blocks), 0U)},
    {no_extent, record(of_boxes, spacing, static_cast<float>(not_a_number))},
    {no_extent, record(of_boxes, spacing, infinite)},
    {no_extent, record(of_boxes, spacing, -1.0F)},
    {due, erased(What::column, of_boxes, 0)},
    {due, erased(What::column, of_hulls, hull_column)},
    {due, [](Forged& f) { f.add_column(of_boxes, columns, 1024); }},
    {due, [](Forged& f) { f.add_column(of_hulls, flags, 512), f.add_column(of_hulls, flags, 512); }},
    {"is of another size", resized(What::column, of_boxes, sweep_x, 8)},
    {"is of another size", [](Forged& f) { f.at(What::places).data.resize(f.at(What::places).data.size() - 4); }},
    {"is of another size", resized(What::store, 0, 0, 60)},
    {due, erased(What::places)},
    {due, erased(What::unused_handles)},
    {due, erased(What::handles, of_hulls)},
    {due, erased(What::home, of_quaternions, 5)},
    {"stores[0]: a block has more objects than slots", number(What::count, of_boxes, 0, 0, 129U)},
    {"stores[1]: a home is no box", number(What::home, of_hulls, 2, 0, static_cast<float>(not_a_number))},
    {"stores[1]: a home is no box", number(What::home, of_hulls, 3, 0, infinite)},
    {"stores[1]: a home is no box",
     [](Forged& f) { f.set(What::home, of_hulls, 1, 0, 2.0F), f.set(What::home, of_hulls, 4, 0, 1.0F); }},
    {"stores[1]: is there twice",
     [](Forged& f) {
         std::vector<Part> again;
         for (const Part& part : f.parts.all) {
             const bool is_of_store =
                 part.what != What::hull && part.what != What::places && part.what != What::unused_handles;
             if (is_of_store && part.a == of_boxes) again.push_back(part);
         }
         for (Part& part : again) part.a = 1;
         f.parts.all.insert(f.parts.all.begin() + static_cast<std::ptrdiff_t>(f.place(What::store, of_hulls)),
                            again.begin(), again.end());
     }},
    {not_there, number(What::places, 0, 0, 0, Place{9, 0})},
    {not_there, number(What::places, 0, 0, 0, Place{of_boxes, 255})},
    {not_there, number(What::places, 0, 0, 0, Place{of_boxes, 1U << 31})},
    {"handles[1]: names an object that is not there",
     [](Forged& f) { f.set(What::places, 0, 0, 1, f.at(What::places).get<Place>(0)); }},
    {"objects have no handle", number(What::places, 0, 0, 0, Place{})},
    {"unused handles are not all there", resized(What::unused_handles, 0, 0, 4)},
    {"unused[7]: is there twice",
     [](Forged& f) { f.set(What::unused_handles, 0, 0, 0, 7U), f.set(What::unused_handles, 0, 0, 1, 7U); }},
    {"unused[0]: is no unused handle", number(What::unused_handles, 0, 0, 1, 0U)},
    {"unused[9999]: is no unused handle", number(What::unused_handles, 0, 0, 1, 9999U)},
    {"has sections beyond its stores",
     [](Forged& f) {
         f.parts.all.push_back({What::handles, 9, 0, {}});
     }},
};

class ForgedFiles : public testing::Test {
protected:
    /// Is refused with that sentence, and the scene stays as it was.
    void expect_refused(const std::vector<std::byte>& file, const char* says) {
        const lanecull::Status status = Scene::load(std::span<const std::byte>(file), scene_);
        EXPECT_EQ(status.code, lanecull::StatusCode::bad_file);
        EXPECT_NE(std::string(status.message()).find(says), std::string::npos) << status.message();
        EXPECT_EQ(SceneFile(scene_).bytes(), before_);
    }
    void expect_refused(std::span<const Case> cases) {
        for (const Case& one : cases) {
            SCOPED_TRACE(testing::Message() << "case " << &one - cases.data() << ": " << one.says);
            Forged forged(good_);
            one.forge(forged);
            expect_refused(forged.parts.file(), one.says);
        }
    }

    const std::vector<std::byte> good_ = SceneFile(make_scene(1)).bytes();
    Scene scene_ = make_scene(2);
    const std::vector<std::byte> before_ = SceneFile(scene_).bytes();
};

TEST_F(ForgedFiles, AreReadWhereNothingIsForged) {
    EXPECT_EQ(SceneParts(good_).file(), good_);
    EXPECT_TRUE(Scene::load(std::span<const std::byte>(good_), scene_));
    EXPECT_EQ(SceneFile(scene_).bytes(), good_);
}

TEST_F(ForgedFiles, KeepTheRulesOfCallers) { expect_refused(rules); }

TEST_F(ForgedFiles, AreRefusedWherePartsDisagree) { expect_refused(parts); }

/// A part that does not lie in the file.
TEST_F(ForgedFiles, AreRefusedWherePartsAreElsewhere) {
    using namespace lanecull::scene_file;
    for (const std::uint64_t offset : {std::uint64_t{1} << 40, ~std::uint64_t{63}, std::uint64_t{65}}) {
        std::vector<std::byte> file = good_;
        std::memcpy(&file[sizeof(Header) + offsetof(Section, offset)], &offset, sizeof offset);
        forge(file);
        expect_refused(file, "sections[0]: is not in the file");
    }
}

/// A file may be mapped: each array in it lies where its numbers may be read in place, and load() takes it from there.
TEST(SceneFiles, AreLoadedFromMappedMemory) {
    namespace format = lanecull::scene_file;
    Example example(12, 200);
    const std::vector<std::byte> bytes = example.bytes();
    const SceneFile file(example.scene);
    const std::size_t size = bytes.size();
    const int descriptor = open(file.path(), O_RDONLY);
    ASSERT_GE(descriptor, 0);
    void* mapped = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    close(descriptor);
    ASSERT_NE(mapped, MAP_FAILED);
    const auto* first = static_cast<const std::byte*>(mapped);
    format::Header header;
    std::memcpy(&header, first, sizeof header);
    ASSERT_GT(header.sections, 10u);
    for (std::uint64_t i = 0; i < header.sections; ++i) {
        format::Section section;
        std::memcpy(&section, first + sizeof header + i * sizeof section, sizeof section);
        EXPECT_EQ(section.offset % 64, 0u) << "section " << i;
        EXPECT_LE(section.offset + section.bytes, size) << "section " << i;
    }
    const lanecull::Status status = Scene::load(std::span(first, size), example.scene);
    munmap(mapped, size);
    ASSERT_TRUE(status.ok()) << status.message();
    EXPECT_TRUE(example.bytes() == bytes);
}

TEST(SceneFiles, SayWhatIsWrong) {
    const Example example(9, 100);
    const std::vector<std::byte> good = example.bytes();
    using lanecull::scene_file::Header;
    const auto message = [](const std::vector<std::byte>& file) {
        Scene scene;
        return std::string(Scene::load(std::span<const std::byte>(file), scene).message());
    };
    const auto changed = [&](std::size_t byte, int value) {
        std::vector<std::byte> file = good;
        file[byte] ^= static_cast<std::byte>(value);
        return file;
    };
    const std::vector<std::byte> later = changed(offsetof(Header, version), 1 ^ 2),
                                 flipped = changed(good.size() / 2, 4);
    const std::pair<std::vector<std::byte>, const char*> files[] = {
        {good, ""},
        {{}, "scene file: is shorter than a header"},
        {{good.begin(), good.end() - 64}, "scene file: has been cut off, or something follows it"},
        {changed(0, 4), "scene file: is of another kind"},
        {later, "scene file: is of version 2, this library reads 1"},
        {flipped, "scene file: its checksum is another"}};
    for (const auto& [file, says] : files) EXPECT_EQ(message(file), says);
    Scene scene;
    const auto code = [&scene](const std::vector<std::byte>& file) {
        return Scene::load(std::span<const std::byte>(file), scene).code;
    };
    using lanecull::StatusCode;
    EXPECT_EQ(code(flipped), StatusCode::bad_file);
    EXPECT_EQ(code(later), StatusCode::unsupported);
    EXPECT_EQ(Scene::load("/nonexistent/scene", scene).code, StatusCode::system_error);
    EXPECT_EQ(Scene::load(nullptr, scene).code, StatusCode::invalid_argument);
    const std::string reason = std::strerror(ENOENT);
    EXPECT_EQ(std::string(Scene::load("/nonexistent/scene", scene).message()), "path: cannot be opened: " + reason);
    EXPECT_STREQ(Scene::load("/tmp", scene).message(), "path: is not a file");
    EXPECT_EQ(std::string(example.scene.save("/nonexistent/scene").message()), "path: cannot be written: " + reason);
}

}  // namespace
