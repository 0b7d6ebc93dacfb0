#include "two_spheres.hpp"

extern "C" int plugin() { return two_spheres_are_told_apart(lanecull::serial_runner()) ? 0 : 1; }
