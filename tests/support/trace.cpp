#include "support/trace.hpp"

#if defined(LANECULL_TEST_TRACE)

#include <link.h>
#include <signal.h>
#include <ucontext.h>
#include <x86intrin.h>

#include <stdexcept>

#include "calls/kernel_table.hpp"

namespace {

constexpr unsigned long long trap_flag = 0x100;

struct Code {
    std::uintptr_t first = 0;
    std::size_t bytes = 0;
};

/// The executable segment that contains the library's code.
Code find_code() {
    Code code;
    const auto look = [](dl_phdr_info* object, std::size_t, void* result) {
        const auto inside = reinterpret_cast<std::uintptr_t>(&lanecull::kernel_table);
        for (int i = 0; i < object->dlpi_phnum; ++i) {
            const auto& segment = object->dlpi_phdr[i];
            const std::uintptr_t first = object->dlpi_addr + segment.p_vaddr;
            if (segment.p_type != PT_LOAD || inside < first || inside - first >= segment.p_memsz) continue;
            *static_cast<Code*>(result) = {first, segment.p_memsz};
            return 1;
        }
        return 0;
    };
    if (dl_iterate_phdr(look, &code) == 0) throw std::runtime_error("the library's code is nowhere to be found");
    return code;
}

// What the signal handler may touch.
std::uintptr_t traced_first = 0;
std::size_t traced_bytes = 0;
std::uint8_t* traced_seen = nullptr;

struct sigaction handler_before;

void record(int, siginfo_t*, void* context) {
    const auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
    const std::uintptr_t offset = static_cast<std::uintptr_t>(registers[REG_RIP]) - traced_first;
    if (offset < traced_bytes) traced_seen[offset] = 1;
}

}  // namespace

void Trace::start() {
    const Code code = find_code();
    first_ = code.first;
    seen_.assign(code.bytes, 0);
    traced_first = code.first;
    traced_bytes = code.bytes;
    traced_seen = seen_.data();
    struct sigaction action = {};
    action.sa_sigaction = record;
    action.sa_flags = SA_SIGINFO;
    if (sigaction(SIGTRAP, &action, &handler_before) != 0) throw std::runtime_error("sigaction failed");
    __writeeflags(__readeflags() | trap_flag);
}

void Trace::stop() {
    __writeeflags(__readeflags() & ~trap_flag);
    sigaction(SIGTRAP, &handler_before, nullptr);
}

bool Trace::reached(const void* address) const {
    const std::uintptr_t offset = reinterpret_cast<std::uintptr_t>(address) - first_;
    return offset < seen_.size() && seen_[offset] != 0;
}

Trace::Encodings Trace::encodings() const {
    Encodings encodings;
    for (std::size_t offset = 0; offset < seen_.size(); ++offset) {
        if (seen_[offset] == 0) continue;
        const auto* bytes = reinterpret_cast<const std::uint8_t*>(first_ + offset);
        encodings.evex += bytes[0] == 0x62;
        encodings.vex += bytes[0] == 0xc4 || bytes[0] == 0xc5;
        encodings.cpuid += bytes[0] == 0x0f && bytes[1] == 0xa2;
    }
    return encodings;
}

#endif
