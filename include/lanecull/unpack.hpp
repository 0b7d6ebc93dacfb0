#pragma once

#include <cstdint>
#include <span>

#include <lanecull/export.hpp>
#include <lanecull/isa.hpp>
#include <lanecull/records.hpp>
#include <lanecull/status.hpp>

/// From arrays of structs to the streams of a batch: for engines whose objects are structs, and for data from files or
/// from a physics library.
namespace lanecull {

/// Unpacks records: float k of record i goes to streams[k][i].
///
/// Each record has streams.size() floats (1 to 16,384), at any stride that Records allows. The float of a null stream
/// is skipped. Floats are copied bit by bit, NaNs too. Example, structs with a position and a radius:
///
///     unpack_floats({&structs[0].x, sizeof(Struct)}, count, std::array{x, y, z, radius});
///
/// Each stream receives exactly `count` floats; any 4-byte alignment will do. Streams must not overlap the records or
/// each other. Reads may touch any byte from the first record's first float to the last record's last float, bytes
/// between records included, and none outside. `count` may be 0; then nothing else is looked at.
///
/// Runs on `isa` as CullOptions::isa says. Fails before anything is written. Thread-safe; allocates nothing. Takes
/// about as long as writing the streams (benchmarks unpack/).
LANECULL_API Status unpack_floats(const Records& records, std::uint32_t count, std::span<float* const> streams,
                                  Isa isa = Isa::automatic) noexcept;

/// Spheres around double-precision positions, relative to `origin`: sphere i contains every point p - origin with
/// |p - positions[i]| <= radius[i], exactly. For worlds too large for floats.
///
/// x, y, z receive positions - origin, rounded to floats. That moves a centre by up to 2^-24 of its distance from the
/// origin. Therefore sphere_radius receives the radius plus how far this centre was moved, rounded up by at most two
/// steps between floats. Other shapes around the same centre must be expanded by as much: with radius null,
/// sphere_radius is what to add to a capsule's radius or a box's half-extents, rounding that sum up.
///
/// The spheres' coordinates are relative to `origin`, so the view must be prepared with the camera relative to it:
/// ClipSpace::origin = eye - origin. `radius` may be null, for points, or may be sphere_radius itself; no other arrays
/// may overlap. A record with a number that is not finite or beyond floats' range, or with a negative radius, gives an
/// invalid sphere, which stays visible.
///
/// Fails before anything is written. Thread-safe; allocates nothing.
LANECULL_API Status relative_spheres(const DoubleRecords& positions, const float* radius, std::uint32_t count,
                                     std::span<const double, 3> origin, float* x, float* y, float* z,
                                     float* sphere_radius) noexcept;

}  // namespace lanecull
