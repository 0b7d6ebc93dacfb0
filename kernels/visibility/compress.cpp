/// Compresses sets by CRoaring, which chooses the smallest form of each container.

#include <roaring/roaring.h>

#include <bit>
#include <utility>

#include <lanecull/visibility.hpp>

#include "base/memory.hpp"
#include "visibility/cells.hpp"

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

CompressedSet::CompressedSet(CompressedSet&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)),
      capacity_(std::exchange(other.capacity_, 0)) {}

CompressedSet& CompressedSet::operator=(CompressedSet&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
    return *this;
}

CompressedSet::~CompressedSet() { release(data_); }

Status CompressedSet::compress(std::span<const std::uint64_t> words) noexcept {
    if (words.size() > max_set_words) {
        return Status::failure("words: %zu are more than 2^26", words.size());
    }
    const Status no_memory =
        Status::failure(StatusCode::out_of_memory, "words: there is not enough memory to compress them");
    Bitmap bitmap;
    if (bitmap.get() == nullptr) return no_memory;
    bitmap.add(words);
    const std::size_t size = roaring_bitmap_portable_size_in_bytes(bitmap.get());
    if (size > capacity_) {
        void* const larger = reallocate(data_, size);
        if (larger == nullptr) return no_memory;
        data_ = static_cast<std::byte*>(larger);
        capacity_ = size;
    }
    size_ = roaring_bitmap_portable_serialize(bitmap.get(), reinterpret_cast<char*>(data_));
    return {};
}

}  // namespace lanecull
