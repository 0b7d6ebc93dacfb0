#ifndef LANECULL_C_STATUS_H
#define LANECULL_C_STATUS_H

#include <stdint.h>

#include <lanecull/c/export.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The form of structs and functions that these headers declare. Until 1.0 it may change with each minor version. */
#define LANECULL_ABI_VERSION 1
/* The same of the library that the program runs with: another one must not be used. */
LANECULL_C_API uint32_t lanecull_abi_version(void);

/* What a call returns: one of lanecull_status_code. The numbers never change. */
typedef int32_t lanecull_status;
enum lanecull_status_code {
    LANECULL_OK = 0,
    LANECULL_INVALID_ARGUMENT = 1, /* an argument breaks its rule */
    LANECULL_NOT_READY = 2,        /* something was not prepared, planned or refitted before */
    LANECULL_OUT_OF_MEMORY = 3,
    LANECULL_UNSUPPORTED = 4,  /* this build or this machine cannot: an instruction set, a kind, a file's version */
    LANECULL_SYSTEM_ERROR = 5, /* a file cannot be opened, read or written */
    LANECULL_BAD_FILE = 6      /* a scene file is damaged or contradicts itself */
};

/* Receives one sentence that names the argument at fault and the rule that it breaks, null-terminated; empty on
 * success. Calls take it last; null: no sentence is wanted. Nothing is written to outputs if a call fails. */
typedef struct lanecull_message {
    char text[224];
} lanecull_message;

#ifdef __cplusplus
}
#endif

#endif
