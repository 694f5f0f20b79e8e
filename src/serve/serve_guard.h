/* SPDX-License-Identifier: Apache-2.0 */
/* The lock: who may ask. A page of another site, a name that was bent to this machine, another user
 * of it or a program that guesses do not get past it. */
#ifndef SERVE_GUARD_H
#define SERVE_GUARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { DGMI_SERVE_SECRET = 33, DGMI_SERVE_NAME = 64, DGMI_SERVE_ORIGIN = 160 };

typedef struct dgmi_serve_guard {
    char token[DGMI_SERVE_SECRET];  /* 128 random bits in the address, as hexadecimal digits */
    char secret[DGMI_SERVE_SECRET]; /* the value of the cookie, other 128 bits */
    char cookie[DGMI_SERVE_NAME];   /* the name of the cookie, with the port */
    char host[DGMI_SERVE_ORIGIN];   /* what the header Host must be: "127.0.0.1:43210" */
    char origin[DGMI_SERVE_ORIGIN]; /* what Origin must be: "http://127.0.0.1:43210" */
} dgmi_serve_guard;

/* What a request says of itself; NULL: it does not say. */
typedef struct dgmi_serve_visitor {
    const char *method, *path;
    const char *host, *origin, *fetch_site; /* headers; the last is Sec-Fetch-Site */
    const char *cookie;                     /* the value of our cookie */
    const char *token;                      /* the argument `token` of the address */
} dgmi_serve_visitor;

typedef enum dgmi_serve_verdict {
    DGMI_SERVE_REFUSED, /* 403 */
    DGMI_SERVE_GREETED, /* the token is right: set the cookie, and go to the page */
    DGMI_SERVE_ADMITTED,
} dgmi_serve_verdict;

/* Draws the secrets; false if the system gives no random numbers. */
bool dgmi_serve_guard_make(dgmi_serve_guard *guard, const char *host, uint16_t port);
dgmi_serve_verdict dgmi_serve_guard_judge(const dgmi_serve_guard *guard,
                                          const dgmi_serve_visitor *visitor);

#endif
