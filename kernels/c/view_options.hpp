#pragma once

/// Clip spaces and options of views of C as those of C++.

#include <lanecull/c/view.h>
#include <lanecull/view.hpp>

#include "c/given.hpp"
#include "c/same_layout.hpp"

namespace lanecull::c {

/// `given` may be null.
Status take_clip_space(const lanecull_clip_space* given, ClipSpace& to) noexcept;
Status take_sun(const lanecull_sun& given, Sun& to) noexcept;

/// Options with the lights that they point to: stays where it is made.
struct TakenOptions {
    ViewOptions options;
    Sun sun;
    Lamp lamp;

    TakenOptions() noexcept = default;
    TakenOptions(const TakenOptions&) = delete;
    TakenOptions& operator=(const TakenOptions&) = delete;

    /// `given` may be null.
    [[nodiscard]] Status take(const lanecull_view_options* given) noexcept;
};

}  // namespace lanecull::c
