#pragma once

#include <lanecull/language.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace lanecull {

/// What decided an object: why it was culled or kept.
enum class Reason : std::uint8_t {
    culled_plane,      ///< wholly behind one plane, proved
    culled_gjk,        ///< apart along another direction, proved: by a closed form, at an edge, or by GJK
    culled_distance,   ///< beyond Attributes::max_distance, proved
    culled_near,       ///< nearer than Attributes::min_distance, proved
    culled_size,       ///< smaller than Attributes::min_projected_size, proved
    culled_disabled,   ///< object_disabled
    culled_layer,      ///< on none of the view's layers
    culled_candidate,  ///< its bit of Output::candidates is clear
    culled_occluded,   ///< hidden by an occluder, proved
    visible_always,    ///< object_always_visible
    visible_inside,    ///< the object's centre is in the volume
    visible_vertex,    ///< a support point of the object is in the volume
    visible_overlap,   ///< a common point was found, or no direction separates it from the volume
    visible_touching,  ///< too close to the volume to prove anything
    visible_cap,       ///< GJK's iteration cap was reached
    visible_planes,    ///< behind no plane, and no other test was to be tried
    visible_invalid,   ///< not finite, or not a shape (see batch.hpp)
};
inline constexpr std::size_t reason_count = 17;

[[nodiscard]] constexpr bool is_culled(Reason reason) noexcept { return reason <= Reason::culled_occluded; }

/// Why an object was kept or culled. For an object that is apart along a direction of its own (culled_gjk) it is also
/// the proof: every point of the object lies lower along `direction` than every point of the view's volume that is no
/// deeper than `far_depth`; and no point of the object is deeper than `far_depth`. Depth is counted along the view's
/// own axis from its own origin. Orthographic volumes are cut to the object's depth, width and height alike.
///
/// An object with culled_gjk may also lie behind one plane: closed forms do not ask planes first. A view that sees
/// nothing (View::sees_nothing()) culls by culled_plane: its one half-space has no point. That this is so was proved
/// when the view was prepared; certificates do not repeat it.
///
/// For solids `far_depth`, `gap` and `direction` have a meaning with culled_gjk only; for 2D shapes see flat/cull.hpp.
struct Certificate {
    Reason reason = Reason::visible_invalid;
    std::uint8_t steps =
        0;  ///< points of the Minkowski difference that GJK looked at; 1 for a closed form or at an edge of the volume
    std::uint16_t occluder = 0;  ///< with culled_occluded: which of Output::occluders hides all of the object
    float far_depth = 0;         ///< in world units; infinite if planes alone prove it
    /// The object is at least this far from the volume's part down to `far_depth`, in world units.
    float gap = 0;
    double direction[3] = {};  ///< in world axes, of any length
};

/// How many objects each reason decided.
struct Counts {
    std::uint64_t by_reason[reason_count] = {};

    [[nodiscard]] constexpr std::uint64_t& operator[](Reason reason) noexcept {
        return by_reason[static_cast<std::size_t>(reason)];
    }
    [[nodiscard]] constexpr std::uint64_t operator[](Reason reason) const noexcept {
        return by_reason[static_cast<std::size_t>(reason)];
    }
    [[nodiscard]] constexpr std::uint64_t objects() const noexcept { return sum(0, reason_count); }
    [[nodiscard]] constexpr std::uint64_t culled() const noexcept { return sum(0, first_visible); }
    [[nodiscard]] constexpr std::uint64_t visible() const noexcept { return sum(first_visible, reason_count); }
    constexpr Counts& operator+=(const Counts& other) noexcept {
        for (std::size_t r = 0; r < reason_count; ++r) by_reason[r] += other.by_reason[r];
        return *this;
    }
    bool operator==(const Counts&) const = default;

private:
    static constexpr auto first_visible = static_cast<std::size_t>(Reason::visible_always);
    [[nodiscard]] constexpr std::uint64_t sum(std::size_t from, std::size_t to) const noexcept {
        std::uint64_t objects = 0;
        for (std::size_t r = from; r < to; ++r) objects += by_reason[r];
        return objects;
    }
};

/// For explaining and proving: why each object was kept or culled.
struct Explanation {
    /// One certificate an object, batch after batch. Empty, or exactly as many as the batches have objects; a scene has
    /// none. The verdicts are the same as without. The call takes longer: GJK keeps its directions, and 40 bytes an
    /// object are written.
    std::span<Certificate> certificates = {};
    /// Written by each call. Of a scene those of the objects that were tested one by one.
    Counts counts = {};
};

}  // namespace lanecull
