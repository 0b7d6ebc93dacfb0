#pragma once

/// How W objects are fetched from a batch: side by side for stage 1, by index for the few that stage 1 leaves open.

namespace lanecull {
namespace {

/// Objects first .. first + W - 1.
struct RunOfObjects {
    std::uint32_t first;
    LANE_INLINE FloatW operator()(const float* stream) const { return load(stream + first); }
    LANE_INLINE IndexW operator()(const std::uint32_t* stream) const {
        return load(reinterpret_cast<const std::int32_t*>(stream + first));
    }
};

/// The last n < W objects of a batch; the other lanes are zeros and are masked.
struct TailOfObjects {
    std::uint32_t first, n;
    LANE_INLINE FloatW operator()(const float* stream) const { return load_first(stream + first, n); }
    LANE_INLINE IndexW operator()(const std::uint32_t* stream) const {
        return load_first(reinterpret_cast<const std::int32_t*>(stream + first), n);
    }
};

/// Objects base + index[lane]. Indices are small (one chunk), so that index times stride fits 32 bits.
struct PickedObjects {
    std::uint32_t base;
    IndexW index;
    bool neighbours;      // set: index counts up by one, and a plain load will do
    std::uint32_t first;  // base + index[0]

    LANE_INLINE FloatW operator()(const float* stream) const {
        return neighbours ? load(stream + first) : gather(stream + base, index);
    }

    /// Component k of each object's record of `Floats` numbers.
    template <std::size_t Floats>
    LANE_INLINE FloatW record(const Records& records, std::size_t k) const {
        const std::size_t stride =
            records.stride_bytes != Records::packed ? records.stride_bytes / sizeof(float) : Floats;
        return gather(records.first + base * stride + k, index * IndexW(static_cast<std::int32_t>(stride)));
    }
    template <std::size_t Floats>
    LANE_INLINE Vec3W record3(const Records& records, std::size_t k) const {
        return {record<Floats>(records, k), record<Floats>(records, k + 1), record<Floats>(records, k + 2)};
    }

    /// Which hull lane's instance is of.
    LANE_INLINE std::uint32_t hull_index(const HullInstances& s, std::uint32_t lane) const {
        if (s.hull_index == nullptr) return 0;
        alignas(64) std::int32_t objects[lanes];
        store(objects, index);
        return s.hull_index[base + static_cast<std::uint32_t>(objects[lane])];
    }
};

/// World to relative coordinates: q = (p - hi) - lo, hi + lo being the volume's apex (or centre) in float64.
struct Origin {
    Vec3W hi, lo;
    LANE_INLINE explicit Origin(const Frame& frame)
        : hi(broadcast3(frame.origin_hi)), lo(broadcast3(frame.origin_lo)) {}
    LANE_INLINE Vec3W relative(const Vec3W& p) const { return (p - hi) - lo; }
};

}  // namespace
}  // namespace lanecull
