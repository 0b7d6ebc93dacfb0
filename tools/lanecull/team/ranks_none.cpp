#include "support/error.hpp"
#include "team/ranks.hpp"

/// The ranks of a build without MPI.
namespace lanecull::program {

Ranks::Ranks() {
    fail("mpirun started this, but it is built without MPI; install Open MPI (Debian: libopenmpi-dev) and build again");
}

Ranks::~Ranks() = default;
void Ranks::send(int, MessageKind, std::string_view) {}
Message Ranks::receive() { return {}; }
MappedFile Ranks::share(const std::string&) { return {}; }

}  // namespace lanecull::program
