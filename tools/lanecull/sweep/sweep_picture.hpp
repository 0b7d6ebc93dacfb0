#pragma once

#include <string>

#include "sweep/sweep_report.hpp"

namespace lanecull::program {

/// A heat map over the scene's plan: in each rectangle of a grid the highest count of its viewpoint's directions, of a
/// list a disc at each viewpoint; and the worst views. The bytes of a PNG file.
[[nodiscard]] std::string draw_sweep_map(const Sweep& sweep);

/// The worst view as `cull --picture` draws one, of so many pixels across.
[[nodiscard]] std::string draw_worst_view(const Sweep& sweep);

}  // namespace lanecull::program
