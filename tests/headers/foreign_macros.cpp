/// Names that <windows.h> and X11's headers define as macros are no names of the public headers: engines include those
/// first. It is enough that this compiles. (X11 defines Status, too: README.md of the headers says what to do.)

#define near
#define far
#define small char
#define interface struct
#define IN
#define OUT
#define OPTIONAL
#define CONST const
#define VOID void
#define ERROR 0
#define TRUE 1
#define FALSE 0
#define None 0L
#define Bool int
#define True 1
#define False 0
#define Success 0
#define Always 2
#define Above 0
#define Below 1
#define Complex 0
#define Convex 2
#define Unsorted 0

#include <lanecull/lanecull.h>

#include <lanecull/hulls.h>
#include <lanecull/visibility.h>
#include <lanecull/gjk.hpp>
#include <lanecull/gjk/contacts.hpp>
#include <lanecull/gjk/turning_cast.hpp>
#include <lanecull/tbb.hpp>
