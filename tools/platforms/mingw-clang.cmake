# clang for mingw-w64, with the library of Debian's g++ for it, which clang does not find by itself.
include(${CMAKE_CURRENT_LIST_DIR}/mingw.cmake)
set(CMAKE_CXX_COMPILER clang++)
set(CMAKE_CXX_COMPILER_TARGET x86_64-w64-mingw32)
file(GLOB library /usr/lib/gcc/x86_64-w64-mingw32/*-posix)
set(CMAKE_CXX_FLAGS_INIT
  "-stdlib++-isystem ${library}/include/c++ -cxx-isystem ${library}/include/c++/x86_64-w64-mingw32")
string(APPEND CMAKE_EXE_LINKER_FLAGS_INIT " -L${library} -pthread")
string(APPEND CMAKE_SHARED_LINKER_FLAGS_INIT " -L${library} -pthread")
set(CMAKE_NM x86_64-w64-mingw32-nm)
set(CMAKE_OBJDUMP x86_64-w64-mingw32-objdump)
