#pragma once

#include <cstdint>
#include <lanecull/batch.hpp>
#include <new>
#include <string>
#include <vector>

/// What is measured: seeded batches of each kind, placed around the standard camera.
namespace bench {

enum class Shape {
    sphere,
    box,           ///< min/max
    centered_box,  ///< centre and half-extents
    obb,           ///< oriented box with a bounding radius
    obb_bare,      ///< the same boxes without one
    capsule,
    hull8,   ///< instances of hulls with 8 vertices, with bounding spheres, ordered by hull
    hull32,  ///< the same with 32 vertices
};
inline constexpr Shape all_shapes[] = {Shape::sphere,   Shape::box,     Shape::centered_box, Shape::obb,
                                       Shape::obb_bare, Shape::capsule, Shape::hull8,        Shape::hull32};
const char* name(Shape shape);

enum class Placement {
    uniform,    ///< centres uniform in a 1000^3 box around the eye
    straddle,   ///< centres within 1.5 bounding radii of the volume's boundary: facets 60 %, edges 25 %, corners 15 %
    undecided,  ///< those of `straddle` that the library's stage 1 leaves to its stage 2 (so fewer than asked for)
};
const char* name(Placement placement);

/// Starts every stream on a cache line: vector loads then never cross one.
template <class T>
struct CacheLineAllocator {
    using value_type = T;
    static constexpr std::align_val_t alignment{64};

    CacheLineAllocator() = default;
    template <class U>
    CacheLineAllocator(const CacheLineAllocator<U>&) {}
    T* allocate(std::size_t n) { return static_cast<T*>(::operator new(n * sizeof(T), alignment)); }
    void deallocate(T* p, std::size_t) { ::operator delete(p, alignment); }
    bool operator==(const CacheLineAllocator&) const = default;
};
using Floats = std::vector<float, CacheLineAllocator<float>>;

struct Key {
    Shape shape;
    Placement placement;
    std::uint32_t count = 100'000;
    /// Every object grown by this factor about its own centre. The centres stay, so an object culled at 1.01 is clearly
    /// apart at 1, and one visible at 0.99 clearly overlaps (or is too close to call there too).
    double scale = 1;

    auto operator<=>(const Key&) const = default;
};

/// A batch and the memory it points into.
class Workload {
public:
    Workload(Workload&&) = default;  // vectors keep their addresses when moved

    /// Extents (radii, half-extents, half-lengths) are uniform in 0.5 to 5.
    [[nodiscard]] const lanecull::Batch& batch() const { return batch_; }
    [[nodiscard]] std::uint32_t count() const { return batch_.count(); }
    /// Of the streams that a cull reads for every object. Records that only the few undecided need are not counted.
    [[nodiscard]] double bytes_per_object() const { return bytes_per_object_; }

private:
    friend class Builder;
    Workload() : batch_(lanecull::Spheres{}) {}

    lanecull::Batch batch_;
    double bytes_per_object_ = 0;
    std::vector<Floats> streams_;
    std::vector<std::uint32_t> hull_index_;
    std::vector<lanecull::Hull> hulls_;
};

/// Built on first use and kept: a filtered run holds only what it measures.
const Workload& workload(const Key& key);

}  // namespace bench
