/// Compresses sets by CRoaring, which chooses the smallest form of each container.

#include <roaring/roaring.h>

#include <bit>
#include <new>

#include <lanecull/visibility.h>

#include "base/failure.hpp"
#include "base/given.hpp"
#include "base/memory.hpp"
#include "visibility/cells.hpp"
#include "visibility/compress.hpp"

namespace lanecull {
namespace {

/// A bitmap of CRoaring.
class Bitmap {
public:
    Bitmap() noexcept : bitmap_(roaring_bitmap_create()) {}
    Bitmap(const Bitmap&) = delete;
    Bitmap& operator=(const Bitmap&) = delete;
    ~Bitmap() {
        if (bitmap_ != nullptr) roaring_bitmap_free(bitmap_);
    }
    [[nodiscard]] roaring_bitmap_t* get() const { return bitmap_; }

    /// Numbers in ascending order, many at a time.
    void add(std::span<const std::uint64_t> words) {
        std::uint32_t numbers[1024];
        std::size_t count = 0;
        for (std::size_t w = 0; w < words.size(); ++w) {
            for (std::uint64_t rest = words[w]; rest != 0; rest &= rest - 1) {
                numbers[count++] =
                    static_cast<std::uint32_t>(64 * w + static_cast<std::size_t>(std::countr_zero(rest)));
            }
            if (count <= std::size(numbers) - 64) continue;
            roaring_bitmap_add_many(bitmap_, count, numbers);
            count = 0;
        }
        roaring_bitmap_add_many(bitmap_, count, numbers);
        roaring_bitmap_run_optimize(bitmap_);
    }

private:
    roaring_bitmap_t* bitmap_;
};

}  // namespace

Status compress(std::span<const std::uint64_t> words, Array<std::byte>& set) noexcept {
    if (words.size() > max_set_words) {
        return failure("words: %zu are more than 2^26", words.size());
    }
    const Status no_memory = failure(StatusCode::out_of_memory, "words: there is not enough memory to compress them");
    Bitmap bitmap;
    if (bitmap.get() == nullptr) return no_memory;
    bitmap.add(words);
    if (!set.resize_unset(roaring_bitmap_portable_size_in_bytes(bitmap.get()))) return no_memory;
    roaring_bitmap_portable_serialize(bitmap.get(), reinterpret_cast<char*>(set.data()));
    return {};
}

}  // namespace lanecull

using namespace lanecull;

struct lanecull_compressed_set : Allocated {
    Array<std::byte> bytes;
};

lanecull_compressed_set* lanecull_create_compressed_set() noexcept {
    return new (std::nothrow) lanecull_compressed_set;
}

void lanecull_destroy_compressed_set(lanecull_compressed_set* set) noexcept { delete set; }

lanecull_status lanecull_compress_set(lanecull_compressed_set* set, const uint64_t* words, size_t word_count) noexcept {
    Status status = check_made(set, "set");
    if (status) status = check_span(Span(words, word_count), "words");
    return status ? compress({words, word_count}, set->bytes) : status;
}

const void* lanecull_compressed_set_bytes(const lanecull_compressed_set* set) noexcept {
    return set != nullptr ? set->bytes.data() : nullptr;
}

size_t lanecull_compressed_set_byte_count(const lanecull_compressed_set* set) noexcept {
    return set != nullptr ? set->bytes.size() : 0;
}
