/// c/status.h, and the sizes of structs.

#include "c/given.hpp"

namespace lanecull::c {

static_assert(LANECULL_OK == static_cast<int>(StatusCode::ok));
static_assert(LANECULL_INVALID_ARGUMENT == static_cast<int>(StatusCode::invalid_argument));
static_assert(LANECULL_NOT_READY == static_cast<int>(StatusCode::not_ready));
static_assert(LANECULL_OUT_OF_MEMORY == static_cast<int>(StatusCode::out_of_memory));
static_assert(LANECULL_UNSUPPORTED == static_cast<int>(StatusCode::unsupported));
static_assert(LANECULL_SYSTEM_ERROR == static_cast<int>(StatusCode::system_error));
static_assert(LANECULL_BAD_FILE == static_cast<int>(StatusCode::bad_file));

Status check_size(const void* given, std::size_t size, std::size_t known, const char* name) noexcept {
    constexpr std::size_t most = 4096;  // no struct comes near; a size that was never set is most likely beyond
    if (size < known || size > most) {
        return Status::failure("%s.size: %zu is not sizeof the struct, which is %zu", name, size, known);
    }
    const auto* const bytes = static_cast<const unsigned char*>(given);
    for (std::size_t i = known; i < size; ++i) {
        if (bytes[i] != 0) {
            return Status::failure(StatusCode::unsupported, "%s: has a field that is newer than this library", name);
        }
    }
    return {};
}

}  // namespace lanecull::c

uint32_t lanecull_abi_version() { return LANECULL_ABI_VERSION; }
