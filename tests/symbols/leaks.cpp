// What no instruction set's file may contain; the audit must find each of these.

#include <cstdlib>

namespace lanecull {

[[gnu::noinline]] inline int leaked_inline(int x) { return x * 3; }

template <class T>
[[gnu::noinline]] T leaked_template(T x) {
    return x + 1;
}

inline int leaked_variable = std::atoi("7");

int user(int x);
int user(int x) { return leaked_inline(x) + leaked_template(x) + leaked_variable; }

}  // namespace lanecull
