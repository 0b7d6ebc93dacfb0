#pragma once

#include <cstddef>
#include <functional>

namespace lanecull::program {

/// Calls job(i) for each i < count on oneTBB's threads, in any order. Throws what a job throws.
void for_each_index(std::size_t count, const std::function<void(std::size_t)>& job);

/// The same for any integers from 0 to count - 1.
template <class Integer, class Job>
void in_parallel(Integer count, const Job& job) {
    for_each_index(static_cast<std::size_t>(count), [&](std::size_t i) { job(static_cast<Integer>(i)); });
}

}  // namespace lanecull::program
