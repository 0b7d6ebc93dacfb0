/// Writes an indirect draw command for each set visibility bit, without gaps.

#include <cstddef>
#include <cstdint>

#include <lanecull/batch.hpp>

#include "calls/kernel_table.hpp"
#include "calls/template_copies.hpp"
#include "lanes/lanes.hpp"

namespace lanecull {

template <>
void Kernels<this_isa>::write_draws(const std::uint64_t* words, std::size_t word_count, const DrawTemplates& templates,
                                    std::uint32_t first, const DrawsTo& to, std::size_t capacity) {
    if (templates.per == DrawTemplates::Per::batch) {
        const DrawCommand one = *templates.first;
        write_copies(words, word_count, one, one.first_instance + first, to.first, to.stride, capacity, to.past_caches);
        return;
    }
    const auto* from = reinterpret_cast<const std::byte*>(templates.first) + first * templates.stride_bytes;
    copy_templates(words, word_count, from, templates.stride_bytes, to.first, to.stride, capacity, to.past_caches);
}

}  // namespace lanecull
