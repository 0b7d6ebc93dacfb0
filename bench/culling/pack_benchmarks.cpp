#include <lanecull/bounds.h>
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "culling/benchmarks.hpp"
#include "culling/measure.hpp"
#include "workloads/random.hpp"

/// Arrays of structs taken apart, and bounds of vertices.
namespace bench {
namespace {

/// Records of so many floats, packed, and a stream for each. Records begin at a page, and streams each five cache lines
/// farther into theirs: loads wait for stores a multiple of 4 KB away, and where malloc() puts things the same code
/// took up to 2.5 times as long in one program as in another.
struct Structs {
    static constexpr std::size_t page = 1024, lines = 80;  // in floats

    Structs(std::size_t floats, std::uint32_t record_count)
        : count(record_count),
          record_storage(floats * count + page),
          stream_storage(floats * stride() + page),
          records(at_page(record_storage)),
          streams(floats) {
        Random random(7);
        for (std::size_t i = 0; i < floats * count; ++i) records[i] = static_cast<float>(random.uniform(-1, 1));
        for (std::size_t k = 0; k < floats; ++k) streams[k] = at_page(stream_storage) + k * stride();
    }

    [[nodiscard]] std::size_t stride() const { return (count + page - 1) / page * page + lines; }
    static float* at_page(std::vector<float>& storage) {
        void* first = storage.data();
        std::size_t space = storage.size() * sizeof(float);
        return static_cast<float*>(std::align(page * sizeof(float), sizeof(float), first, space));
    }

    std::uint32_t count;
    std::vector<float> record_storage, stream_storage;
    float* records;
    std::vector<float*> streams;
};

/// What a caller would write: the number of floats known, one record after the other.
template <std::size_t Floats>
[[gnu::noinline]] void plain_loop(const float* records, std::uint32_t count, const std::array<float*, Floats> streams) {
    for (std::uint32_t i = 0; i < count; ++i) {
        for (std::size_t k = 0; k < Floats; ++k) streams[k][i] = records[i * Floats + k];
    }
}

template <std::size_t Floats>
void measure_plain_loop(benchmark::State& state, std::uint32_t count) {
    Structs structs(Floats, count);
    std::array<float*, Floats> streams;
    std::copy(structs.streams.begin(), structs.streams.end(), streams.begin());
    const auto pass = [&] {
        plain_loop<Floats>(structs.records, count, streams);
        benchmark::ClobberMemory();
        return true;
    };
    measure(state, count, 8 * Floats, 1, pass, [&] { return count; });
}

void measure_unpack(benchmark::State& state, std::size_t floats, std::uint32_t count, lanecull::Isa isa) {
    Structs structs(floats, count);
    const auto pass = [&] {
        const lanecull::Status status = lanecull::unpack_floats({structs.records}, count, structs.streams, isa);
        if (!status) state.SkipWithError(status.message());
        benchmark::ClobberMemory();
        return status.ok();
    };
    measure(state, count, 8 * static_cast<double>(floats), 1, pass, [&] { return count; });
}

template <std::size_t Floats>
void add_unpack() {
    const std::string name = "unpack/" + std::to_string(Floats) + '/';
    for (const auto& [size, count] : {std::pair{"/1k", 1'000u}, {"/10k", 10'000u}, {"", 1'000'000u}}) {
        benchmark::RegisterBenchmark((name + "loop" + size).c_str(), measure_plain_loop<Floats>, count);
        for (const lanecull::Isa isa : lanecull::all_isas) {
            if (!lanecull::isa_runnable(isa)) continue;
            const std::string full_name = name + lanecull::isa_name(isa) + size;
            benchmark::RegisterBenchmark(full_name.c_str(), measure_unpack, Floats, count, isa);
        }
    }
}

/// `bound(vertices, isa)` over vertices in a ball, as streams or as packed records.
template <class Bound>
void measure_bound(benchmark::State& state, std::uint32_t count, bool records, lanecull::Isa isa, Bound bound) {
    Random random(8);
    std::vector<float> numbers;
    while (numbers.size() < 3 * static_cast<std::size_t>(count)) {
        const double p[3] = {random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)};
        if (p[0] * p[0] + p[1] * p[1] + p[2] * p[2] > 1) continue;
        for (const double coordinate : p) numbers.push_back(static_cast<float>(coordinate));
    }
    const float* first = numbers.data();
    const lanecull::Vertices vertices = records
                                            ? lanecull::Vertices{first, first + 1, first + 2, count, 3 * sizeof(float)}
                                            : lanecull::Vertices{first, first + count, first + 2 * count, count};
    const auto pass = [&] {
        const lanecull::Status status = bound(vertices, isa);
        if (!status) state.SkipWithError(status.message());
        return status.ok();
    };
    measure(state, count, 3 * sizeof(float), 1, pass, [&] { return count; });
}

template <class Bound>
void add_bound(const std::string& name, Bound bound) {
    for (const lanecull::Isa isa : lanecull::all_isas) {
        if (!lanecull::isa_runnable(isa)) continue;
        for (const bool records : {false, true}) {
            for (const auto& [size, count] : {std::pair{"/1k", 1'000u}, {"/100k", 100'000u}}) {
                benchmark::RegisterBenchmark(
                    ("bounds/" + name + '/' + (records ? "records/" : "streams/") + lanecull::isa_name(isa) + size)
                        .c_str(),
                    measure_bound<Bound>, count, records, isa, bound);
            }
        }
    }
}

}  // namespace

void register_pack_benchmarks() {
    add_unpack<3>();
    add_unpack<4>();
    add_unpack<6>();
    add_unpack<9>();
    add_unpack<12>();
    add_bound("box", [](const lanecull::Vertices& vertices, lanecull::Isa isa) {
        lanecull::BoxBounds box;
        return lanecull::bounding_box(vertices, box, isa);
    });
    add_bound("sphere", [](const lanecull::Vertices& vertices, lanecull::Isa isa) {
        lanecull::SphereBounds sphere;
        return lanecull::bounding_sphere(vertices, sphere, isa);
    });
    add_bound("oriented_box", [](const lanecull::Vertices& vertices, lanecull::Isa isa) {
        lanecull::OrientedBoxBounds box;
        return lanecull::bounding_oriented_box(vertices, box, isa);
    });
}

}  // namespace bench
