#pragma once

/// Stands alone. It stands for the header of an instruction set.
#if defined(LANECULL_SET)
using FloatW = float;
#endif
