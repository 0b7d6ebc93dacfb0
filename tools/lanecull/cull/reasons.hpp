#pragma once

#include <lanecull/cull.h>
#include <span>
#include <string_view>

/// Why objects were kept or culled, in words.
namespace lanecull::program {

struct ReasonWords {
    const char* key;       ///< as Reason has it, and JSON
    const char* text;      ///< for a table
    const char* sentence;  ///< of "it", the object
    Reason reason;
};

/// In the order of Reason.
inline constexpr ReasonWords reason_words[] = {
    {"culled_plane", "behind a plane", "all of it lies behind one plane of the view volume", Reason::culled_plane},
    {"culled_gjk", "apart, by shape", "there is a direction in which it and the view volume are apart",
     Reason::culled_gjk},
    {"culled_distance", "too far", "all of it is farther from the eye than its max_distance", Reason::culled_distance},
    {"culled_near", "too near", "its nearest point is nearer to the eye than its min_distance", Reason::culled_near},
    {"culled_size", "too small", "its projected size is less than its min_projected_size", Reason::culled_size},
    {"culled_disabled", "disabled", "its flags have object_disabled", Reason::culled_disabled},
    {"culled_layer", "on another layer", "it is on none of the view's layers", Reason::culled_layer},
    {"culled_candidate", "no candidate", "the view does not ask about it", Reason::culled_candidate},
    {"culled_occluded", "behind an occluder", "a solid hides all of it from the eye", Reason::culled_occluded},
    {"visible_always", "always visible", "its flags have object_always_visible; nothing else was looked at",
     Reason::visible_always},
    {"visible_inside", "centre is in the volume", "its centre is in the view volume", Reason::visible_inside},
    {"visible_vertex", "its deepest point is in the volume",
     "its point farthest inside of the plane that comes closest to rejecting it is in the view volume",
     Reason::visible_vertex},
    {"visible_overlap", "a common point", "it has a point in common with the view volume", Reason::visible_overlap},
    {"visible_touching", "too close to prove anything",
     "too close to the view volume for GJK to prove the two apart; what is not proved is kept",
     Reason::visible_touching},
    {"visible_cap", "iteration cap reached", "GJK reached its iteration cap undecided; what is not proved is kept",
     Reason::visible_cap},
    {"visible_planes", "behind no plane", "no plane of the view volume has all of it behind; nothing else was tried",
     Reason::visible_planes},
    {"visible_invalid", "not a shape",
     "its numbers are no shape: one is not finite, too large, or a negative size; such objects are kept",
     Reason::visible_invalid},
};

inline constexpr std::span culled_reasons =
    std::span(reason_words).first<static_cast<std::size_t>(Reason::visible_always)>();
inline constexpr std::span visible_reasons = std::span(reason_words).subspan<culled_reasons.size()>();

[[nodiscard]] constexpr const ReasonWords& words_of(Reason reason) {
    return reason_words[static_cast<std::size_t>(reason)];
}

/// The key without its verdict: "plane", "gjk".
[[nodiscard]] constexpr std::string_view short_key(const ReasonWords& words) {
    const std::string_view key = words.key;
    return key.substr(key.find('_') + 1);
}

}  // namespace lanecull::program
