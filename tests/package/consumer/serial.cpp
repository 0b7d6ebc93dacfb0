#include "two_spheres.hpp"

/// What a program and a plugin of an engine, which is a module, have of the library.
extern "C" int plugin() { return two_spheres_are_told_apart({}) ? 0 : 1; }

int main() { return plugin(); }
