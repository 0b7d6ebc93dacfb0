/// 2D shapes of any kind and any numbers, in any view, on every instruction set that runs. Each cull's certificate
/// proves it in rationals, no invalid shape is culled, and the outputs agree with each other. Candidates are judged as
/// all are.

#include <algorithm>

#include "flat/figures.hpp"
#include "fuzz/check.hpp"
#include "fuzz/input.hpp"
#include "prove/candidates.hpp"
#include "prove/verdicts.hpp"
#include "support/culling.hpp"

namespace {

namespace flat = lanecull::flat;
using flat_tests::Kind;
using flat_tests::Object;
using flat_tests::ViewKind;

template <std::size_t N>
auto one_of(Input& input, const auto(&choices)[N]) {
    return choices[input.up_to(N - 1)];
}

std::vector<double> view_numbers(Input& input, ViewKind kind) {
    std::size_t count = kind == ViewKind::rectangle ? 4 : 6;
    if (kind == ViewKind::polygon) count = 2 * (1 + input.up_to(17));
    std::vector<double> numbers(count);
    for (double& number : numbers) number = input.real();
    if (kind == ViewKind::rectangle && input.up_to(15) != 0) {
        for (const std::size_t k : {2u, 3u}) numbers[k] = numbers[k - 2] + std::fabs(numbers[k]);
    }
    return numbers;
}

flat::Polygon polygon_of(Input& input) {
    float x[flat::Polygon::max_points], y[flat::Polygon::max_points];
    const std::uint32_t count = 1 + input.up_to(7);
    for (std::uint32_t k = 0; k < count; ++k) {
        x[k] = input.single();
        y[k] = input.single();
    }
    flat::Polygon polygon;
    if (prepare_polygon(x, y, count, polygon)) return polygon;
    const float corner_x[] = {0, 1, 0}, corner_y[] = {0, 0, 1};
    check(prepare_polygon(corner_x, corner_y, 3, polygon).ok(), "a triangle is a polygon");
    return polygon;
}

/// Fields that may not be negative begin here.
std::size_t first_size(Kind kind) {
    constexpr std::size_t first[] = {2, 4, 4, 4, 4};
    return first[static_cast<int>(kind)];
}

Object object_of(Input& input, Kind kind) {
    Object object;
    for (std::size_t k = 0; k < field_count(kind); ++k) {
        object.fields[k] = k >= first_size(kind) ? input.size() : input.single();
        if (kind == Kind::box && k >= 2 && input.up_to(15) != 0) {
            object.fields[k] = object.fields[k - 2] + std::fabs(object.fields[k]);
        }
    }
    return object;
}

bool invalid(Kind kind, const Object& object) {
    for (std::size_t k = 0; k < field_count(kind); ++k) {
        if (!std::isfinite(object.fields[k]) || (k >= first_size(kind) && object.fields[k] < 0)) return true;
    }
    const auto& f = object.fields;
    return kind == Kind::box && (f[0] > f[2] || f[1] > f[3]);
}

template <class Numbers>
bool all_moderate(const Numbers& numbers, std::size_t count) {
    return std::all_of(numbers, numbers + count, [](double number) { return moderate(number); });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    Input input(data, size);
    const ViewKind view_kind = one_of(input, flat_tests::all_views);
    const std::vector<double> numbers = view_numbers(input, view_kind);
    flat::View view;
    if (!prepare(view_kind, numbers, view)) return 0;
    const Kind kind = one_of(input, flat_tests::all_kinds);
    const flat::Polygon polygon = polygon_of(input);
    std::vector<Object> objects(input.up_to(12) == 0 ? 33 + input.up_to(70) : 1 + input.up_to(8));
    for (Object& object : objects) object = object_of(input, kind);
    HeapMemory memory;
    const flat::Batch batch = make_batch(kind, objects, polygon, memory);

    std::vector<std::uint64_t> candidates(visibility_words(std::span(&batch, 1)));
    for (std::uint64_t& word : candidates) word = input.flag() ? std::uint64_t{input.bits()} << 32 | input.bits() : 0;

    const bool exact_view = all_moderate(numbers.data(), numbers.size());
    const bool exact_polygon = all_moderate(polygon.x, polygon.count) && all_moderate(polygon.y, polygon.count);
    const flat_tests::TestView known = exact_view ? make_view(view_kind, numbers, 1) : flat_tests::TestView{};
    for (const lanecull::Isa isa : runnable_isas()) {
        for (const lanecull::Method method : {lanecull::Method::automatic, lanecull::Method::planes}) {
            const prove::Verdicts verdicts = prove::verdicts_of(batch, view, isa, method);
            check(verdicts.same_counts && verdicts.contradicted.empty(), "verdicts are those of the certificates");
            check(verdicts.counts.objects() == objects.size(), "counts are of every object");
            const prove::CandidateAnswer some(std::span(&batch, 1), view, candidates, {.method = method, .isa = isa},
                                              false);
            for (std::size_t w = 0; w < candidates.size(); ++w) {
                check(some.visible[w] == (verdicts.words[w] & candidates[w]), "candidates are judged alike");
            }
            for (std::size_t i = 0; i < objects.size(); ++i) {
                if (verdicts.visible(i)) continue;
                check(!invalid(kind, objects[i]), "what is no figure is visible", describe(kind, objects[i]));
                if (!exact_view || !exact_polygon) continue;
                if (!all_moderate(objects[i].fields.data(), field_count(kind))) continue;
                const double* w = verdicts.certificates[i].direction;
                check(flat_oracle::separates({exact::rational(w[0]), exact::rational(w[1])},
                                             figure_of(kind, objects[i], polygon), known.figure),
                      "its certificate proves a cull", known.text + "\n" + describe(kind, objects[i]));
            }
        }
    }
    return 0;
}
