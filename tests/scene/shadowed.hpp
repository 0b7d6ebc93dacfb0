#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <vector>

#include <lanecull/scene.h>

#include "support/generate.hpp"

/// Objects by handle, of all kinds, and the scene that should hold the same. Every edit is given to both.
class Shadowed {
public:
    explicit Shadowed(std::uint64_t seed) : random_(seed), hulls_(random_hulls(random_, 6)) {}

    lanecull::Scene scene;

    /// New objects of one kind.
    void add(std::size_t count);
    void remove(std::size_t count);
    void replace(std::size_t count);
    void move(std::size_t count);
    /// Objects of one kind, each to a place and size of its own.
    void place(std::size_t count);
    /// New attributes of some kinds for objects of any.
    void set_attributes(std::size_t count);
    /// Any edit, of 1 to `most` objects.
    void edit(std::size_t most);
    void save_and_load();

    /// Every object's bit against its shadow's, by a random camera.
    void compare();

    [[nodiscard]] Kind kind_of(lanecull::Handle handle) const { return there_[handle].kind; }
    [[nodiscard]] std::size_t size() const { return named_.size(); }
    [[nodiscard]] const std::vector<lanecull::Handle>& named() const { return named_; }
    Random& random() { return random_; }
    void keep_to(std::size_t objects) { upper_ = objects; }

    std::uint64_t visible = 0, outside = 0;

private:
    struct There {
        bool has = false;
        Kind kind{};
        Object object;
    };

    Kind any_kind() { return all_kinds[random_.below(static_cast<int>(std::size(all_kinds)))]; }

    /// A world of 200 units; most objects are small, some large, a few invalid.
    Object any_object(Kind kind);
    /// Attributes for some of the objects, or for none.
    Streams any_streams(std::vector<Object>& objects);
    std::vector<lanecull::Handle> some(std::size_t count);
    static void shift(There& there, const float (&by)[3]);
    PreparedCamera any_camera();

    Random random_;
    HullSet hulls_;
    std::vector<There> there_;
    std::vector<lanecull::Handle> named_;
    std::size_t upper_ = 1000;
};
