#pragma once

#include <gtest/gtest.h>
#include <pthread.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>

#include <lanecull/types.h>

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

/// A runner on a stack that is painted before and read afterwards.
class SmallStack {
public:
    static void run(void* self, std::uint32_t count, const lanecull::Task* task) {
        struct Work {
            std::uint32_t count;
            lanecull::Task task;
        } work{count, *task};
        static_cast<SmallStack*>(self)->call(
            [](void* context) -> void* {
                const Work& w = *static_cast<Work*>(context);
                for (std::uint32_t i = 0; i < w.count; ++i) w.task(i);
                return nullptr;
            },
            &work);
    }

    /// That the tasks it has run needed some stack, and no more than 64 KiB (types.h).
    void expect_promised(const char* which) const {
        SmallStack idle;
        idle.call([](void*) -> void* { return nullptr; }, nullptr);
        EXPECT_LE(most_used_ - idle.most_used_, 64u * 1024) << which;
        EXPECT_GT(most_used_, idle.most_used_) << which;
    }

private:
    static constexpr std::size_t bytes = 1 << 20;
    static constexpr std::byte paint{0xa5};

    void call(void* (*function)(void*), void* context) {
        const std::size_t misalignment = reinterpret_cast<std::uintptr_t>(memory_.get()) % 4096;
        std::byte* bottom = memory_.get() + (4096 - misalignment) % 4096;
        std::fill(bottom, bottom + bytes, paint);
        pthread_attr_t attributes;
        pthread_attr_init(&attributes);
        pthread_attr_setstack(&attributes, bottom, bytes);
        pthread_t thread;
        ASSERT_EQ(pthread_create(&thread, &attributes, function, context), 0);
        pthread_join(thread, nullptr);
        pthread_attr_destroy(&attributes);
        const std::byte* deepest = std::find_if(bottom, bottom + bytes, [](std::byte b) { return b != paint; });
        most_used_ = std::max(most_used_, static_cast<std::size_t>(bottom + bytes - deepest));
    }

    std::unique_ptr<std::byte[]> memory_{new std::byte[bytes + 4096]};
    std::size_t most_used_ = 0;
};

#endif
