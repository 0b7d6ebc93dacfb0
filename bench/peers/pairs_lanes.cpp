#include <lanecull/pairs.h>

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <numeric>

#include "peers/pairs.hpp"

/// The library's pairs in lanes: all of them in one call, on the widest set that the machine runs.
namespace bench {
namespace {

constexpr std::size_t most_streams = 15;

/// All shapes of one kind, one after the other.
class Objects {
public:
    Objects(const PairWorkload& workload, std::size_t which) {
        for (const auto& hull : workload.hulls) add_hull(hull);
        kind_ = workload.pairs[0][which].kind;
        for (const auto& pair : workload.pairs) add(pair[which]);
    }
    Objects(const Objects&) = delete;  // the shapes point into it
    Objects& operator=(const Objects&) = delete;

    [[nodiscard]] lanecull::Batch shapes() const {
        const auto count = static_cast<std::uint32_t>(hull_index_.size());
        const auto s = [&](std::size_t k) { return streams_[k].data(); };
        switch (kind_) {
            case PairKind::sphere:
                return lanecull::Spheres{s(0), s(1), s(2), s(3), count};
            case PairKind::box:
                return lanecull::Boxes{s(0), s(1), s(2), s(3), s(4), s(5), count};
            case PairKind::obb:
                return lanecull::OrientedBoxes{s(0), s(1), s(2), {s(3)}, {}, {s(4)}, nullptr, count};
            case PairKind::capsule:
                return lanecull::Capsules{s(0), s(1), s(2), s(3), s(4), s(5), s(6), count};
            default:
                return lanecull::HullInstances{{.first = s(0), .layout = lanecull::TransformLayout::rows_3x4},
                                               hulls_.data(),
                                               static_cast<std::uint32_t>(hulls_.size()),
                                               hull_index_.data(),
                                               nullptr,
                                               nullptr,
                                               nullptr,
                                               nullptr,
                                               count};
        }
    }

private:
    void add_hull(const std::vector<glm::dvec3>& vertices) {
        auto& numbers = hull_numbers_.emplace_back();
        for (int k = 0; k < 3; ++k) {
            for (const glm::dvec3& v : vertices) numbers.push_back(static_cast<float>(v[k]));
        }
        const std::size_t n = vertices.size();
        const float* x = numbers.data();
        const lanecull::Status status =
            lanecull::prepare_hull(x, x + n, x + 2 * n, static_cast<std::uint32_t>(n), hulls_.emplace_back());
        if (!status) std::fprintf(stderr, "%s\n", status.message().text);
    }

    void add(const PairShape& shape) {
        const glm::dvec3 &c = shape.center, &h = shape.half, arm = h.z * shape.axes[2];
        hull_index_.push_back(shape.hull);
        std::size_t k = 0;
        const auto put = [&](const glm::dvec3& v) {
            for (int j = 0; j < 3; ++j) streams_[k++].push_back(static_cast<float>(v[j]));
        };
        const auto put_record = [&](std::initializer_list<double> numbers) {
            for (const double number : numbers) streams_[k].push_back(static_cast<float>(number));
            ++k;
        };
        const glm::dmat3& m = shape.axes;
        switch (shape.kind) {
            case PairKind::sphere:
                put(c);
                return put_record({h.x});
            case PairKind::box:
                put(c - h);
                return put(c + h);
            case PairKind::obb:
                put(c);
                put_record({m[0].x, m[0].y, m[0].z, m[1].x, m[1].y, m[1].z, m[2].x, m[2].y, m[2].z});
                return put_record({h.x, h.y, h.z});
            case PairKind::capsule:
                put(c - arm);
                put(c + arm);
                return put_record({h.x});
            default:
                return put_record({m[0].x, m[1].x, m[2].x, c.x, m[0].y, m[1].y, m[2].y, c.y,  //
                                   m[0].z, m[1].z, m[2].z, c.z});
        }
    }

    PairKind kind_;
    std::vector<float> streams_[most_streams];
    std::vector<std::uint32_t> hull_index_;
    std::vector<std::vector<float>> hull_numbers_;
    std::vector<lanecull::Hull> hulls_;
};

class Engine final : public PairEngine {
public:
    explicit Engine(const PairWorkload& workload)
        : a_(workload, 0), b_(workload, 1), words_((workload.pairs.size() + 63) / 64) {
        for (std::size_t i = 0; i < workload.pairs.size(); ++i) index_.push_back(static_cast<std::uint32_t>(i));
        for (std::vector<float>* stream : {&lower_, &upper_}) stream->resize(index_.size());
        for (std::vector<float>& stream : points_) stream.resize(index_.size());
        for (std::vector<float>& stream : direction_) stream.resize(index_.size());
        for (std::vector<float>& stream : contacts_) stream.resize(4 * index_.size());
        counts_.resize(index_.size());
        for (std::size_t i = 0; i < index_.size(); ++i) {
            const PairShape& a = workload.pairs[i][0];
            for (int k = 0; k < 3; ++k) {
                motions_[k].push_back(static_cast<float>(workload.motions[i][k]));
                motions_[3 + k].push_back(static_cast<float>(2 * a.axes[0][k]));
                motions_[6 + k].push_back(static_cast<float>(a.center[k]));
            }
        }
    }

    std::size_t count_intersecting(std::span<bool> verdicts) final {
        check(lanecull::separate_pairs(a_.shapes(), b_.shapes(), pairs(), words_));
        std::size_t apart = 0;
        for (const std::uint64_t word : words_) apart += static_cast<std::size_t>(std::popcount(word));
        for (std::size_t i = 0; i < verdicts.size(); ++i) verdicts[i] = (words_[i / 64] >> i % 64 & 1) == 0;
        return index_.size() - apart;
    }

    /// The middle between the bounds; 0 of those that are not apart.
    double sum_distances(std::span<double> distances) final {
        check(lanecull::pair_distances(a_.shapes(), b_.shapes(), pairs(),
                                       {lower_.data(), upper_.data(), points_[0].data(), points_[1].data(),
                                        points_[2].data(), points_[3].data(), points_[4].data(), points_[5].data()}));
        double sum = 0;
        for (std::size_t i = 0; i < index_.size(); ++i) {
            const double distance =
                lower_[i] > 0 ? (static_cast<double>(lower_[i]) + static_cast<double>(upper_[i])) / 2 : 0;
            sum += distance;
            if (!distances.empty()) distances[i] = distance;
        }
        return sum;
    }

    /// With directions and points; of pairs that are apart no more than that they are.
    double sum_depths() final {
        lanecull::PairDistanceOptions options;
        options.limit = std::numeric_limits<float>::min();
        check(lanecull::signed_pair_distances(
            a_.shapes(), b_.shapes(), pairs(),
            {lower_.data(), upper_.data(), direction_[0].data(), direction_[1].data(), direction_[2].data(),
             points_[0].data(), points_[1].data(), points_[2].data(), points_[3].data(), points_[4].data(),
             points_[5].data()},
            options));
        double sum = 0;
        for (std::size_t i = 0; i < index_.size(); ++i) {
            sum -= std::min(0.0, (static_cast<double>(lower_[i]) + static_cast<double>(upper_[i])) / 2);
        }
        return sum;
    }

    std::size_t count_contacts() final {
        check(lanecull::pair_contacts(a_.shapes(), b_.shapes(), pairs(),
                                      {counts_.data(), lower_.data(), upper_.data(), direction_[0].data(),
                                       direction_[1].data(), direction_[2].data(), contacts_[0].data(),
                                       contacts_[1].data(), contacts_[2].data(), contacts_[3].data()}));
        return std::accumulate(counts_.begin(), counts_.end(), std::size_t{0});
    }

    double sum_casts(std::span<double> times) final {
        check(lanecull::cast_pairs(a_.shapes(), b_.shapes(), pairs(),
                                   {motions_[0].data(), motions_[1].data(), motions_[2].data()},
                                   {lower_.data(), upper_.data()}));
        double sum = 0;
        for (std::size_t i = 0; i < index_.size(); ++i) {
            const double time = std::min(1.0, static_cast<double>(lower_[i]));
            sum += time;
            if (!times.empty()) times[i] = time;
        }
        return sum;
    }

    std::size_t count_turning() final {
        const auto& m = motions_;
        check(lanecull::cast_pairs(a_.shapes(), b_.shapes(), pairs(),
                                   {m[0].data(), m[1].data(), m[2].data(), m[3].data(), m[4].data(), m[5].data(),
                                    m[6].data(), m[7].data(), m[8].data()},
                                   {lower_.data(), upper_.data()}));
        return static_cast<std::size_t>(std::count_if(upper_.begin(), upper_.end(), [](float t) { return t <= 1; }));
    }

private:
    [[nodiscard]] lanecull::PairIndices pairs() const { return {index_.data(), index_.data(), index_.size()}; }
    static void check(const lanecull::Status& status) {
        if (status) return;
        std::fprintf(stderr, "%s\n", status.message().text);
        std::abort();
    }

    Objects a_, b_;
    std::vector<std::uint32_t> index_;
    std::vector<std::uint64_t> words_;
    std::vector<float> lower_, upper_, direction_[3], points_[6], contacts_[4], motions_[9];
    std::vector<std::uint32_t> counts_;
};

}  // namespace

std::unique_ptr<PairEngine> lanes_pairs(const PairWorkload& workload) { return std::make_unique<Engine>(workload); }

}  // namespace bench
