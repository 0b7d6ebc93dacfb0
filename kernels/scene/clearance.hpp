#pragma once

namespace lanecull {
namespace {

/// How many times a node's bound its verdicts have to spare. scene/README.md shows that this is more than the bounds of
/// the objects within it add up to.
constexpr float node_clearance = 16;

}  // namespace
}  // namespace lanecull
