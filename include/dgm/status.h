/* SPDX-License-Identifier: Apache-2.0 */
/* What a call that can fail returns. The words for people are in the context (context.h). */
#ifndef DGM_STATUS_H
#define DGM_STATUS_H

#if defined(_WIN32)
#define DGM_EXPORTED
#else
#define DGM_EXPORTED __attribute__((visibility("default")))
#endif
/* In front of every public function: exported, and a C function to C++ as well. */
#ifdef __cplusplus
#define DGM_API extern "C" DGM_EXPORTED
#else
#define DGM_API DGM_EXPORTED
#endif

typedef enum dgm_status {
    DGM_OK = 0,
    DGM_ERROR_MEMORY,    /* an allocation failed */
    DGM_ERROR_USAGE,     /* an argument or option is out of its bounds, or a name is unknown */
    DGM_ERROR_FILE,      /* a file or folder is missing, unreadable or cannot be written */
    DGM_ERROR_FORMAT,    /* a file's content is not what its format asks for */
    DGM_ERROR_DATA,      /* well-formed data that the call cannot work on (a NaN in a lens) */
    DGM_ERROR_CANCELLED, /* the caller asked to stop */
} dgm_status;

/* A word for the status ("ok", "memory", "usage", ...). Never NULL; static storage. */
DGM_API const char *dgm_status_name(dgm_status status);

/* The library's version, "major.minor.patch". Static storage. */
DGM_API const char *dgm_version(void);

#endif
