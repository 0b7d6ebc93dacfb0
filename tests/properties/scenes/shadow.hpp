#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include <lanecull/scene.h>

#include "support/double3.hpp"
#include "support/objects.hpp"
#include "support/random.hpp"

namespace properties {

/// A scene, and a copy of all that it should hold, by handle. Every edit is given to both. What is added has draw
/// commands, by turns none, copies of a template and records.
class Shadow {
public:
    explicit Shadow(HullSet hulls) : hulls_(std::move(hulls)) {}

    struct There {
        bool has = false;
        Kind kind{};
        Object object;
        Double3 origin{};
        lanecull::DrawCommand command{};
    };
    /// How objects are handed over. A batch without these streams has objects without the attributes.
    struct How {
        Streams streams = {};
        bool bounds = false;
        Double3 origin{};  ///< of objects that are added
        lanecull::Mobility mobility = lanecull::Mobility::fixed;
    };

    void add(Kind kind, std::span<const Object> objects, const How& how);
    void remove(std::span<const lanecull::Handle> handles);
    void replace(std::span<const lanecull::Handle> handles, Kind kind, std::span<const Object> objects, const How& how);
    /// Those of the handles whose objects are of that kind get the objects' shapes.
    void place(std::span<const lanecull::Handle> handles, Kind kind, std::span<const Object> objects, bool bounds);
    /// Object i of these says what attributes of those streams the one named handles[i] has from now on.
    void set_attributes(std::span<const lanecull::Handle> handles, std::span<const Object> objects,
                        const Streams& streams);
    void move(std::span<const lanecull::Handle> handles, std::span<const std::array<float, 3>> by);
    void refit(lanecull::Refit fit) { scene_.refit(fit); }
    /// Returns how many objects were moved to other blocks.
    std::uint64_t rebuild_in_parts();
    void rebuild();
    /// Calls call(scene), which must fail for an argument. Nothing happens to the copy, as nothing may to the scene.
    template <class Call>
    [[nodiscard]] bool refuses(const Call& call) {
        return !call(scene_).ok();
    }
    /// The scene becomes what was read from a file that it was written to. Written again it is the same file.
    void save_and_load();

    [[nodiscard]] const lanecull::Scene& scene() const { return scene_; }
    [[nodiscard]] const HullSet& hulls() const { return hulls_; }
    /// By handle.
    [[nodiscard]] std::span<const There> all() const { return there_; }
    [[nodiscard]] std::vector<lanecull::Handle> some(Random& random, std::size_t count) const;

private:
    /// Strides and numbers of the first object, by turns: no part of what a scene keeps.
    [[nodiscard]] Format format_of(const How& how) const;
    void write(lanecull::Handle handle, Kind kind, const Object& object, const Streams& streams, const Double3& origin,
               const lanecull::DrawCommand& command);

    lanecull::Scene scene_;
    HullSet hulls_;
    std::vector<There> there_;
    std::uint32_t batches_ = 0;  ///< that were given to the scene
};

/// Whether the object is invalid, whatever hulls there are (is_object() in properties/bounds/shapes.hpp).
[[nodiscard]] bool is_none(Kind kind, const Object& object);
/// Whether scenes make a box around it, if it is valid: it is not huge, nor is its quaternion nearly too short or long.
[[nodiscard]] bool has_box(Kind kind, const Object& object, const HullSet& hulls);

}  // namespace properties
