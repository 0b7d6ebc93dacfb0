#include <array>
#include <lanecull/bounds.hpp>
#include <lanecull/unpack.hpp>
#include <string>
#include <vector>

#include "culling/benchmarks.hpp"
#include "culling/measure.hpp"
#include "workloads/random.hpp"

/// Arrays of structs taken apart, and bounds of vertices.
namespace bench {
namespace {

/// Records of so many floats, packed, and a stream for each.
struct Structs {
    Structs(std::size_t floats, std::uint32_t record_count)
        : count(record_count), records(floats * count), storage(floats * count), streams(floats) {
        Random random(7);
        for (float& value : records) value = static_cast<float>(random.uniform(-1, 1));
        for (std::size_t k = 0; k < floats; ++k) streams[k] = storage.data() + k * count;
    }

    std::uint32_t count;
    std::vector<float> records, storage;
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
        plain_loop<Floats>(structs.records.data(), count, streams);
        benchmark::ClobberMemory();
        return true;
    };
    measure(state, count, 8 * Floats, 1, pass, [&] { return count; });
}

void measure_unpack(benchmark::State& state, std::size_t floats, std::uint32_t count, lanecull::Isa isa) {
    Structs structs(floats, count);
    const auto pass = [&] {
        const lanecull::Status status = lanecull::unpack_floats({structs.records.data()}, count, structs.streams, isa);
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
