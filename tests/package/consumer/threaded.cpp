#include <lanecull/tbb.hpp>

#include "two_spheres.hpp"

int main() {
    lanecull::TbbRunner threads(2);
    return two_spheres_are_told_apart(threads) ? 0 : 1;
}
