/* SPDX-License-Identifier: Apache-2.0 */
/* The status that every call returns that can fail. The context holds the message for people
 * (context.h). */
#ifndef DGM_STATUS_H
#define DGM_STATUS_H

#if defined(_WIN32)
#define DGM_EXPORTED
#else
#define DGM_EXPORTED __attribute__((visibility("default")))
#endif
/* This marks every public function: the library exports it, and C++ calls it as a C function. */
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
    DGM_ERROR_DATA,      /* the data is well formed, but the call cannot use it (a NaN in a lens) */
    DGM_ERROR_CANCELLED, /* the caller asked to stop */
} dgm_status;

/* Returns a word for the status ("ok", "memory", "usage", ...). It is never NULL and need not be
 * freed. */
DGM_API const char *dgm_status_name(dgm_status status);

/* Returns the version of the library, "major.minor.patch". It need not be freed. */
DGM_API const char *dgm_version(void);

#endif
