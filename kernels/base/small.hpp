#pragma once

namespace lanecull {

/// A build of few bytes, the core for JavaScript (tools/wasm): it has the kernels of small/, and neither scenes,
/// casters, occluders nor certificates.
#if defined(LANECULL_SMALL)
inline constexpr bool is_small = true;
#else
inline constexpr bool is_small = false;
#endif

}  // namespace lanecull
