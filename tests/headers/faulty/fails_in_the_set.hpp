#pragma once

/// Stands alone as plain C++, and does not with an instruction set's define.
#if defined(LANECULL_SET)
using Wide = FloatW;
#else
using Wide = float;
#endif
