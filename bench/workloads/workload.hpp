#pragma once

#include <sys/mman.h>

#include <lanecull/batch.h>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <new>
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
    hull8,         ///< instances of hulls with 8 vertices, with bounding spheres, ordered by hull
    hull32,        ///< the same with 32 vertices
    hull32_many,   ///< the same objects, but of 1,024 hulls
    hull32_mixed,  ///< these in random order
    cylinder,
    ellipsoid,  ///< with a bounding radius
    cone,
    round_cone,
};
inline constexpr Shape all_shapes[] = {Shape::sphere,   Shape::box,       Shape::centered_box, Shape::obb,
                                       Shape::obb_bare, Shape::capsule,   Shape::hull8,        Shape::hull32,
                                       Shape::cylinder, Shape::ellipsoid, Shape::cone,         Shape::round_cone};
const char* name(Shape shape);

enum class Placement {
    uniform,    ///< centres uniform in a 1000^3 box around the eye
    straddle,   ///< centres within 1.5 bounding radii of the volume's boundary: facets 60 %, edges 25 %, corners 15 %
    undecided,  ///< those of `straddle` that the library's stage 1 leaves to its stage 2 (so fewer than requested)
};
const char* name(Placement placement);

/// Large blocks made while one of these lives lie on pages of 2 MB (Linux, transparent huge pages); all others on
/// pages of the usual size.
class LargePages {
public:
    explicit LargePages(bool wanted) : before_(wanted_) { wanted_ = wanted; }
    ~LargePages() { wanted_ = before_; }
    LargePages(const LargePages&) = delete;
    LargePages& operator=(const LargePages&) = delete;

    static constexpr std::size_t size = std::size_t{1} << 21;
    /// Before the block's first use; its address and size in whole pages.
    static void advise(void* block, std::size_t bytes) {
        madvise(block, bytes, wanted_ ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
    }

private:
    static inline bool wanted_ = false;
    bool before_;
};

/// Starts every stream on a cache line: vector loads then never cross one. Streams of a page of 2 MB and more start on
/// such a page.
template <class T>
struct CacheLineAllocator {
    using value_type = T;
    static std::align_val_t alignment(std::size_t n) {
        return std::align_val_t{n * sizeof(T) < LargePages::size ? 64 : LargePages::size};
    }

    CacheLineAllocator() = default;
    template <class U>
    CacheLineAllocator(const CacheLineAllocator<U>&) {}
    T* allocate(std::size_t n) {
        void* block = ::operator new(n * sizeof(T), alignment(n));
        if (n * sizeof(T) >= LargePages::size)
            LargePages::advise(block, n * sizeof(T) / LargePages::size * LargePages::size);
        return static_cast<T*>(block);
    }
    void deallocate(T* p, std::size_t n) { ::operator delete(p, alignment(n)); }
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
    bool large_pages = false;
    std::uint32_t copy = 0;  ///< another number: the same objects in memory of their own

    auto operator<=>(const Key&) const = default;
};

/// Numbers of objects other than the standard one, and the suffix that names them: from L1, L2, L3 and memory.
struct Size {
    std::uint32_t count;
    const char* suffix;
};
inline constexpr Size other_sizes[] = {
    {1'536, "/1k"}, {9'984, "/10k"}, {1'000'000, "/1M"}, {10'000'000, "/10M"}, {100'000'000, "/100M"}};

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

/// Calls `call` with the shapes of a workload's batch.
template <class Call>
void with_shapes(const lanecull::Batch& batch, const Call& call) {
    switch (batch.kind) {
        case lanecull::Kind::spheres:
            return call(batch.shapes.spheres);
        case lanecull::Kind::boxes:
            return call(batch.shapes.boxes);
        case lanecull::Kind::centered_boxes:
            return call(batch.shapes.centered_boxes);
        case lanecull::Kind::oriented_boxes:
            return call(batch.shapes.oriented_boxes);
        case lanecull::Kind::capsules:
            return call(batch.shapes.capsules);
        case lanecull::Kind::hull_instances:
            return call(batch.shapes.hull_instances);
        case lanecull::Kind::cylinders:
            return call(batch.shapes.cylinders);
        case lanecull::Kind::ellipsoids:
            return call(batch.shapes.ellipsoids);
        case lanecull::Kind::cones:
            return call(batch.shapes.cones);
        default:
            break;  // there are no others
    }
}

}  // namespace bench
