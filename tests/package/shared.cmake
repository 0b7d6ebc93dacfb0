# The shared library that the package tests build: plain C++, hardly optimised, and the kinds that its consumers ask for,
# since what it shows is the same with all sets and kinds and the build takes a fraction of the time.
# Forced: a folder built before follows.
set(BUILD_SHARED_LIBS ON CACHE BOOL "" FORCE)
set(CMAKE_BUILD_TYPE Debug CACHE STRING "" FORCE)
set(CMAKE_CXX_FLAGS_DEBUG -O1 CACHE STRING "" FORCE)
set(LANECULL_X86_SETS OFF CACHE BOOL "" FORCE)
set(LANECULL_KINDS "Spheres;Boxes" CACHE STRING "" FORCE)
set(LANECULL_TOOLS OFF CACHE BOOL "" FORCE)
