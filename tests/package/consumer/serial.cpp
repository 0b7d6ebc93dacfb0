#include "two_spheres.hpp"

int main() { return two_spheres_are_told_apart({}) ? 0 : 1; }
