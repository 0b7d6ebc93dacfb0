#include <gtest/gtest.h>

#include <cfenv>
#include <functional>
#include <limits>
#include <string>

#include "base/float_modes.hpp"
#include "properties/gjk/sharing.hpp"
#include "properties/gjk/subject.hpp"
#include "support/random.hpp"

/// Floating-point modes that a program may have set for its own purposes. gjk.hpp says what holds in which of them:
/// here, that pairs that share a point are never separated.

namespace {

namespace gjk = lanecull::gjk;
using lanecull::FloatModeRegister;

/// Flushing keeps the axis of a disk only if the difference of its ends is a normal number.
template <class T>
bool has_short_axis(const specimens::Any<T, 3>& shape) {
    constexpr T least = std::numeric_limits<T>::min();
    if (const auto* cylinder = std::get_if<gjk::Cylinder<T>>(&shape.specimen))
        return gjk::max_norm(cylinder->b - cylinder->a) < least;
    if (const auto* cone = std::get_if<gjk::Cone<T>>(&shape.specimen))
        return gjk::max_norm(cone->apex - cone->base) < least;
    if (const auto* sector = std::get_if<gjk::SphericalSector<T>>(&shape.specimen))
        return gjk::max_norm(sector->apex - sector->base) < least;
    return false;
}

/// Runs in the mode that `set` sets.
template <class T>
void expect_meeting(const std::function<void()>& set, bool flushed) {
    Random random(7);
    sharing::Maker<T> maker(random);
    const properties::Plan plan;
    properties::Tally tally;
    std::vector<std::string> failures;
    properties::Fingerprint answers;
    const properties::Trial trial{random, plan, "a foreign mode", tally, failures, answers};
    for (int i = 0; i < scaled(8'000) && tally.failures() == 0; ++i) {
        const int e = maker.chance(0.5) ? maker.scale() : maker.below(20) - 10;
        gjk::Vec<T, 3> p = maker.vector(64);
        const gjk::Vec<T, 3> d = maker.direction();
        if (maker.chance(0.3)) p.x = 0;  // where axes are short
        const auto a = maker.shape(p, e), b = maker.shape(p, e);
        if (flushed && (has_short_axis<T>(a) || has_short_axis<T>(b))) continue;
        std::fenv_t before;
        std::fegetenv(&before);
        set();
        properties::gjk_subject::Meeting(trial, a, b).ask_all(d);
        std::fesetenv(&before);
    }
    EXPECT_EQ(tally.failures(), 0u) << testing::PrintToString(failures);
    EXPECT_GT(3 * trial.at(properties::Tally::reached), trial.at(properties::Tally::cases));
}

#if defined(__SSE2__) || defined(__aarch64__)
#if defined(__aarch64__)
constexpr std::uint64_t flushing[] = {1 << 24};  // operands and results
#else
constexpr std::uint64_t flushing[] = {0x8000, 0x8040};  // results; operands, too
#endif

TEST(Modes, NumbersThatAreFlushedToZeroSeparateNothing) {
    for (const std::uint64_t mode : flushing) {
        SCOPED_TRACE("mode " + std::to_string(mode));
        const auto set = [=] { FloatModeRegister::write(FloatModeRegister::read() | mode); };
        expect_meeting<float>(set, true);
        expect_meeting<double>(set, true);
    }
}
#endif

TEST(Modes, DirectedRoundingSeparatesNothingThatWholeNumbersShare) {
    for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
        SCOPED_TRACE("mode " + std::to_string(mode));
        const auto set = [=] { std::fesetround(mode); };
        expect_meeting<float>(set, false);
        expect_meeting<double>(set, false);
    }
}

}  // namespace
