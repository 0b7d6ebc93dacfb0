#include "team/ranks.hpp"

#include <cstdlib>

namespace lanecull::program {

// Open MPI's launcher sets it for each process.
bool Ranks::under_mpirun() { return std::getenv("OMPI_COMM_WORLD_SIZE") != nullptr; }

}  // namespace lanecull::program
