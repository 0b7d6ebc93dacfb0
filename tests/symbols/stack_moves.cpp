// What no Windows program may contain, which tests/symbols/aligned_moves must find, and a store that it may.

namespace lanecull {

void store_on_stack();
void store_on_stack() {
    asm volatile(
        "vmovaps %%zmm0, 0x40(%%rsp)\n\t"
        "vmovdqa %%ymm1, (%%rcx)\n\t"
        "vmovntdq %%ymm2, (%%rdx)" ::
            : "memory");
}

}  // namespace lanecull
