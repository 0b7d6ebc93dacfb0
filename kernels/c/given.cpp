/// The sizes of structs. Libraries beside the core that have an interface in C are compiled with it, too, where the
/// core does not show it.

#include "c/given.hpp"

namespace lanecull::c {

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
