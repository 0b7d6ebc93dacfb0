// What no Windows program may contain; tests/symbols/aligned_moves must find it.

namespace lanecull {

void store_on_stack();
void store_on_stack() {
    asm volatile(
        "vmovaps %%zmm0, 0x40(%%rsp)\n\t"
        "vmovdqa %%ymm1, (%%rcx)" ::
            : "memory");
}

}  // namespace lanecull
