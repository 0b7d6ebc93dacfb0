#pragma once

#include "prove/trial.hpp"

/// Each runs one trial of a family of gjk.hpp: floats and doubles, in 3D and where it makes sense in 2D.
namespace prove::gjk_subject {

void run_touching(Trial& trial);
void run_directions(Trial& trial);
void run_degenerate(Trial& trial);
void run_margins(Trial& trial);
void run_climbing(Trial& trial);
void run_split(Trial& trial);
void run_any(Trial& trial);
void run_scaled(Trial& trial);
void run_none(Trial& trial);
void run_supports(Trial& trial);

}  // namespace prove::gjk_subject
