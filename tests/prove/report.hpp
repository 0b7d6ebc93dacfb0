#pragma once

#include <span>

#include "properties/family.hpp"
#include "properties/tally.hpp"

namespace properties {

/// Prints a line for each family and for each subject, and what stays visible though it is apart.
void print_table(std::span<const Family> families, std::span<const Tally> tallies);

}  // namespace properties
