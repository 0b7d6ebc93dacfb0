#ifndef LANECULL_TESTS_LABELLED_H
#define LANECULL_TESTS_LABELLED_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A labelled case as C sees it, of tests/conformance/pack_cases. */
struct labelled_case {
    uint32_t expect; /* 0 either, 1 visible, 2 culled */
    uint32_t shape_kind, view_kind, light_kind, vertices;
    const float* view;
    const float* light;
    const float* sweep;
    const float* shape;
};

/* How many cases the file has; 0 if it cannot be read. It must be called first. */
uint32_t read_labelled(const char* path);
struct labelled_case labelled(uint32_t i);
/* What the C++ interface says of case i: 1 visible, 0 culled, -1 if it failed. */
int ask_cpp(uint32_t i, uint32_t isa, uint32_t method);

#ifdef __cplusplus
}
#endif

#endif
