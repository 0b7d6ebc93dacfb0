#include <algorithm>
#include <string>

#include "prove/bounds/bounds.hpp"
#include "prove/bounds/clouds.hpp"
#include "prove/bounds/facets.hpp"

/// prepare_hull(): the box and the outer ball contain each vertex, and the hull contains the inner ball.
namespace prove {
namespace {

class BallsTrial {
public:
    explicit BallsTrial(Trial& trial) : trial_(trial) {}

    void run() {
        trial_.at(Tally::trials) = 1;
        for (int n = 0; n < 2000 && !trial_.stopped(); ++n) {
            cloud_ = n % 4 == 1 ? tiny_cloud(trial_.random, 8) : random_cloud(trial_.random, n == 0 ? 2000 : 9);
            HeapMemory memory;
            const lanecull::Vertices v = lay_out(cloud_, 1, memory);
            lanecull::Hull hull;
            if (!lanecull::prepare_hull(v.x, v.y, v.z, v.count, hull)) {
                fail(Tally::untold, "refused", hull);
                continue;
            }
            const bool alone = n < 3;
            trial_.at(Tally::oracle_objects) += alone ? 1u : 0u;
            judge_.by_rationals_alone(alone && cloud_.size() < 10);
            check_around(hull);
            if (cloud_.size() < 10) check_within(hull);
        }
        trial_.at(Tally::exact_checks) = judge_.exact_checks();
    }

private:
    void check_around(const lanecull::Hull& hull) {
        lanecull::BoxBounds box;
        std::copy_n(hull.lower, 3, box.lower), std::copy_n(hull.upper, 3, box.upper);
        lanecull::SphereBounds ball{{hull.mean[0], hull.mean[1], hull.mean[2]}, hull.outer};
        const bool claims = std::isfinite(ball.radius);
        trial_.at(Tally::verdicts) += 2 * cloud_.size();
        trial_.at(Tally::culled_gjk) += (claims ? 2 : 1) * cloud_.size();
        for (const Vertex& p : cloud_) {
            if (contains(box, p) && contains(box, {hull.mean[0], hull.mean[1], hull.mean[2]}) &&
                (!claims || contains(ball, p, judge_))) {
                continue;
            }
            fail(Tally::unproved, "a vertex is outside of the box or of the outer ball", hull);
            return;
        }
    }

    void check_within(const lanecull::Hull& hull) {
        ++trial_.at(Tally::verdicts);
        if (!(hull.inner >= 0)) fail(Tally::unproved, "the inner radius is none", hull);
        if (!(hull.inner > 0)) return;
        ++trial_.at(Tally::culled_gjk);
        if (!hull_contains_ball(cloud_, hull.mean, hull.inner, judge_)) {
            fail(Tally::unproved, "the inner ball is not within the hull", hull);
        }
    }

    void fail(Tally::Count count, const char* what, const lanecull::Hull& hull) {
        trial_.fail(count, what, [&] {
            return describe(cloud_) + "\n  mean" + describe(hull.mean, 3) + " outer" + describe(&hull.outer, 1) +
                   " inner" + describe(&hull.inner, 1);
        });
    }

    Trial& trial_;
    Judge judge_;
    Cloud cloud_;
};

}  // namespace

void bound_balls(Trial& trial) { BallsTrial(trial).run(); }

}  // namespace prove
