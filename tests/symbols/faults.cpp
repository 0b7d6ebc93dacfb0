// What no instruction set's file may contain; `audit` must find each of these. And what no Windows program may contain,
// which `aligned_moves` must find, with a store that it may.

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

#if defined(__x86_64__)
void store_on_stack();
void store_on_stack() {
    asm volatile(
        "vmovaps %%zmm0, 0x40(%%rsp)\n\t"
        "vmovdqa %%ymm1, (%%rcx)\n\t"
        "vmovntdq %%ymm2, (%%rdx)" ::
            : "memory");
}
#endif

}  // namespace lanecull
