#pragma once

/// A batch of C, which has a pointer for each kind of shapes, of which one is not null.

#include <cstdint>

#include "c/given.hpp"

namespace lanecull::c {

/// Take{}(kind of C, shapes): makes shapes of a kind.
template <class Take>
class OneKind {
public:
    using Shapes = typename Take::Shapes;

    /// Looks at one of the kinds, which may be null.
    template <class Kind>
    void look_at(const Kind* kind, const char* name) noexcept {
        if (kind == nullptr || !status_) return;
        ++given_;
        status_ = check_struct(kind, name);
        if (status_) status_ = Take{}(*kind, shapes_);
    }

    [[nodiscard]] Status take(Shapes& to) const noexcept {
        if (status_ && given_ != 1) return Status::failure("batch: has %u kinds of shapes, must have one", given_);
        to = shapes_;
        return status_;
    }

private:
    Shapes shapes_;  // of the first kind, without objects, as long as none is found
    std::uint32_t given_ = 0;
    Status status_;
};

}  // namespace lanecull::c
