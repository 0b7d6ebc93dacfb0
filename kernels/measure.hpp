#pragma once

/// The way of balls whose distance from the volume has a closed form (ball_distance.hpp). Where few of a chunk's are
/// near the volume's boundary stage 1 looks at planes, as for other shapes, and these few are measured pack by pack;
/// where many are, all are measured, and planes are not looked at. Which of the two it is changes no verdict
/// (roundings::early).

namespace lanecull {
namespace {

/// Planes for all take two thirds of the time of measuring them; fetching and measuring one that they leave open takes
/// four times as long as measuring it in a row. So it pays from 1 in 12 on.
constexpr std::uint32_t many_open_balls = sampled_objects / 12 + 1;

struct Balls {
    const bool have_closed_form;         // in this view
    bool all_measured = false;           // the chunk's
    std::uint64_t overlap[chunk_words];  // then set: visible, measured, and not by its centre

    explicit Balls(bool closed_form) : have_closed_form(closed_form) {}
};

/// Of up to 64 balls.
struct MeasuredBits {
    std::uint64_t apart = 0, inside = 0, overlap = 0;

    LANE_INLINE void add(const MeasuredW& measured, std::uint32_t shift) {
        apart |= std::uint64_t{bits(measured.apart)} << shift;
        inside |= std::uint64_t{bits(measured.inside)} << shift;
        overlap |= std::uint64_t{bits(measured.overlap)} << shift;
    }
};

/// Up to 64 balls, some of which may be none, or too far away.
template <class Distance>
[[gnu::noinline]] MeasuredBits measure_carefully(const BallTest<Distance>& test, const Spheres& s, std::uint32_t first,
                                                 std::uint32_t count) {
    MeasuredBits measured;
    NoDoubtW no_doubt{BallTest<Distance>::limit};
    for (std::uint32_t shift = 0; shift < count; shift += lanes) {
        const TailOfObjects fetch{first + shift, count - shift < lanes ? count - shift : lanes};
        measured.add(test.measure(SphereKind::ball(s, fetch), no_doubt), shift);
    }
    return measured;
}

template <class Distance>
LANE_INLINE MeasuredBits measure_word(const BallTest<Distance>& test, const Spheres& s, std::uint32_t first) {
    MeasuredBits measured;
    DoubtW doubt{BallTest<Distance>::limit};
    for (std::uint32_t shift = 0; shift < 64; shift += lanes) {
        measured.add(test.measure(SphereKind::ball(s, RunOfObjects{first + shift}), doubt), shift);
    }
    return doubt.any() ? measure_carefully(test, s, first, 64) : measured;
}

/// Stages 1 and 2 at once: the chunk's words. Balls that overlap stay open, for the tests that follow stage 1.
template <class Distance, class Range>
[[gnu::noinline]] void measure_words(Range& range, Chunk& chunk) {
    const BallTest<Distance> test(range.view);
    const Spheres s = range.shapes;
    for (std::uint32_t w = 0; w < chunk.word_count(); ++w) {
        const std::uint64_t asked = range.asked(chunk, w);
        const std::uint32_t first = chunk.first + 64 * w, rest = chunk.count - 64 * w;
        const MeasuredBits measured =
            rest < 64 ? measure_carefully(test, s, first, rest) : measure_word(test, s, first);
        chunk.words[w] = asked & ~measured.apart;
        chunk.open[w] = asked & ~(measured.apart | measured.inside);
        range.balls.overlap[w] = measured.overlap;
        range.verdicts.settle(chunk, w, asked & measured.apart, Reason::culled_gjk);
        if (range.verdicts.noted()) range.verdicts.note(chunk, w, chunk.words[w], Reason::visible_inside);
    }
}

/// The few that planes have left open.
template <class Distance, class Range>
[[gnu::noinline]] void measure_listed(Range& range, Chunk& chunk, OpenList& list) {
    const BallTest<Distance> test(range.view);
    const Spheres s = range.shapes;
    NoDoubtW no_doubt{BallTest<Distance>::limit};
    const std::uint32_t waiting = list.take_all();
    for (std::uint32_t at = 0; at < waiting; at += lanes) {
        const Pack pack(list, at, waiting);
        const PickedObjects pick = pack.pick(chunk.first);
        const MeasuredW measured = test.measure(SphereKind::ball(s, pick), no_doubt);
        const std::uint32_t apart = bits(measured.apart) & pack.active;
        const std::uint32_t inside = bits(measured.inside) & pack.active;
        const std::uint32_t overlap = bits(measured.overlap) & pack.active;
        chunk.clear(chunk.words, pack, apart);
        chunk.clear(chunk.open, pack, apart | inside | overlap);
        range.verdicts.settle(chunk, pack, apart, Reason::culled_gjk);
        range.verdicts.settle(chunk, pack, inside, Reason::visible_inside);
        range.verdicts.settle(chunk, pack, overlap, Reason::visible_overlap);
    }
}

template <class Range>
Populations measure_all(Range& range, Chunk& chunk) {
    if (range.view.volume == VolumeKind::box) {
        measure_words<BoxDistance>(range, chunk);
    } else if (is_symmetric(range.view)) {
        measure_words<PerspectiveDistance<true>>(range, chunk);
    } else {
        measure_words<PerspectiveDistance<false>>(range, chunk);
    }
    return {chunk.population(chunk.words), chunk.population(chunk.open)};
}

/// Of a chunk's open balls those that can be told by their distance. Returns how many are still open.
template <class Range>
std::uint64_t settle_balls(Range& range, Chunk& chunk, OpenList& list, std::uint64_t open) {
    if (!range.balls.have_closed_form) return open;
    if (range.balls.all_measured) {
        for (std::uint32_t w = 0; w < chunk.word_count(); ++w) {
            const std::uint64_t overlap = range.balls.overlap[w] & chunk.open[w];
            range.verdicts.settle(chunk, w, overlap, Reason::visible_overlap);
            chunk.open[w] &= ~overlap;
        }
    } else {
        list.collect(chunk, chunk.open, 0);
        if (range.view.volume == VolumeKind::box) {
            measure_listed<BoxDistance>(range, chunk, list);
        } else if (is_symmetric(range.view)) {
            measure_listed<PerspectiveDistance<true>>(range, chunk, list);
        } else {
            measure_listed<PerspectiveDistance<false>>(range, chunk, list);
        }
    }
    return chunk.population(chunk.open);
}

}  // namespace
}  // namespace lanecull
