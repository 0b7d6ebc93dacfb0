#pragma once

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace lanecull::program {

/// Memory of which each task needs one, kept from task to task: as much as there are tasks at a time. Thread-safe.
template <class Memory>
class SpareMemory {
public:
    /// One that is not in use; make() where there is none.
    template <class Make>
    [[nodiscard]] std::unique_ptr<Memory> take(const Make& make) {
        {
            const std::lock_guard lock(mutex_);
            if (!spare_.empty()) {
                std::unique_ptr<Memory> memory = std::move(spare_.back());
                spare_.pop_back();
                return memory;
            }
        }
        return std::make_unique<Memory>(make());
    }
    void give_back(std::unique_ptr<Memory> memory) {
        const std::lock_guard lock(mutex_);
        spare_.push_back(std::move(memory));
    }

private:
    std::mutex mutex_;
    std::vector<std::unique_ptr<Memory>> spare_;
};

}  // namespace lanecull::program
