#pragma once

// What the pieces of the guide call `engine`: a small world, in the forms that engines keep theirs in, and what their
// functions are called with. Its camera stands at the origin and looks along -z, 90 degrees wide, from 0.1 to 1000.

#undef NDEBUG  // the pieces assert what the guide says
#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <span>
#include <vector>

#include <lanecull/lanecull.h>
#include <lanecull/shadow.h>
#include <lanecull/visibility.h>
#include <lanecull/tbb.hpp>

using namespace lanecull;  // the guide says so

// Columns of an ECS.
struct Chunk {
    std::vector<float> x, y, z, radius;
};

struct Entity {
    const char* name = "";
    float x = 0, y = 0, z = 0, radius = 0;
    float matrix[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
};

struct Mesh {
    std::uint32_t index_count = 36, first_index = 0;
    float low[3] = {-1, -1, -1}, high[3] = {1, 1, 1};
    std::vector<float> matrices;  // of its instances, rows_3x4
    std::uint32_t instances = 0;
};

struct Engine {
    std::array<double, 16> clip_from_world = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1.0001, -1, 0, 0, -0.10001, 0};
    std::vector<Chunk> chunks;
    std::vector<Entity> entities;
    std::vector<std::uint32_t> mesh_of_entity;
    std::vector<Mesh> meshes;
    std::vector<SolidBox> walls;  // one, 10 before the camera
    std::vector<std::byte> mapped = std::vector<std::byte>(1 << 16);
    std::uint64_t drawn = 0;

    // Everything on a line into the picture, 20 to 119 away: half of it is behind the wall, half stands above.
    Engine() : chunks(2), entities(100), mesh_of_entity(100), meshes(2), walls{{{-5, -5, -11}, {5, 0, -10}}} {
        for (std::uint32_t i = 0; i < 100; ++i) {
            const float y = i % 2 == 0 ? -5.0f : 5.0f, z = -20.0f - static_cast<float>(i);
            Chunk& chunk = chunks[i % 2];
            chunk.x.push_back(0);
            chunk.y.push_back(y);
            chunk.z.push_back(z);
            chunk.radius.push_back(1);
            Entity& entity = entities[i];
            entity.y = entity.matrix[7] = y;
            entity.z = entity.matrix[11] = z;
            entity.radius = 1;
            mesh_of_entity[i] = i % 2;
            Mesh& mesh = meshes[i % 2];
            mesh.matrices.insert(mesh.matrices.end(), entity.matrix, entity.matrix + 12);
            ++mesh.instances;
        }
    }

    void draw_instances(const Mesh&, std::span<const std::uint32_t> instances) { drawn += instances.size(); }
};

inline Engine engine;

// What the guide's first pieces make, for those after them.
inline std::vector<Batch> batches = {Spheres{engine.chunks[0].x.data(), engine.chunks[0].y.data(),
                                             engine.chunks[0].z.data(), engine.chunks[0].radius.data(), 50}};
inline View view;
inline Status prepared = prepare_view(engine.clip_from_world, ClipSpace::vulkan(), view);
inline std::vector<std::byte> scratch(scratch_bytes(batches, 1));

inline int failed(int line, const Status& status) {
    std::fprintf(stderr, "the piece at line %d: %s\n", line, status.message().text);
    return 1;
}
