/// The interface compiles with every standard library: all of its headers, and the templates that need what some
/// standard libraries lack.

#include <lanecull/lanecull.h>
#include <lanecull/gjk.hpp>

template class lanecull::gjk::Hull<float, 3>;  // std::atomic_ref
template class lanecull::gjk::Hull<double, 2>;
