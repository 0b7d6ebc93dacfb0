#include "visibility.h"

#include <lanecull/visibility.hpp>

using namespace lanecull;

int write_visibility(const char* path, const uint64_t (*sets)[set_words]) {
    CellGrid grid;
    VisibilityWriter file;
    VisibilityHeader header;
    if (!cover_with_cells({-3, 0, 0}, {3, 2, 4}, {2, 1, 4}, grid)) return 0;
    header.objects = set_objects;
    header.fingerprint = 77;
    header.grid = grid;
    header.options.near_reach = 0.5;
    header.options.raster.per_distance = 0.001;
    if (!file.open(path, header)) return 0;
    for (int cell = 0; cell < set_cells; ++cell) {
        if (!file.add(std::span<const std::uint64_t>(sets[cell]))) return 0;
    }
    return file.commit() ? 1 : 0;
}
