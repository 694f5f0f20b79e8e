/* SPDX-License-Identifier: Apache-2.0 */
#include "serve_guard.h"

#include <stdio.h>
#include <string.h>
#include <sys/random.h>

static bool draw_secret(char secret[DGMI_SERVE_SECRET]) {
    unsigned char bytes[(DGMI_SERVE_SECRET - 1) / 2];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
        return false;
    for (size_t i = 0; i < sizeof bytes; i++)
        snprintf(secret + 2 * i, 3, "%02x", bytes[i]);
    return true;
}

bool dgmi_serve_guard_make(dgmi_serve_guard *guard, const char *host, uint16_t port) {
    bool six = strchr(host, ':') != NULL; /* an IPv6 address stands in brackets */
    snprintf(guard->host, sizeof guard->host, "%s%s%s:%u", six ? "[" : "", host, six ? "]" : "",
             port);
    snprintf(guard->origin, sizeof guard->origin, "http://%.100s", guard->host);
    snprintf(guard->cookie, sizeof guard->cookie, "dgm_%u", port);
    return draw_secret(guard->token) && draw_secret(guard->secret);
}

/* Takes as long for a wrong secret as for a nearly right one. */
static bool is_secret(const char *given, const char *secret) {
    unsigned difference = 0;
    if (!given || strlen(given) != strlen(secret))
        return false;
    for (size_t i = 0; secret[i]; i++)
        difference |= (unsigned)(given[i] ^ secret[i]);
    return difference == 0;
}

static bool is_text(const char *given, const char *text) {
    return given && strcmp(given, text) == 0;
}

/* A request that changes something must say where it comes from; any that says so must come from
 * here. Browsers say "none" of an address that a person has typed. */
static bool comes_from_here(const dgmi_serve_guard *guard, const dgmi_serve_visitor *visitor) {
    bool reads = is_text(visitor->method, "GET") || is_text(visitor->method, "HEAD");
    if (visitor->fetch_site && !is_text(visitor->fetch_site, "same-origin") &&
        !(reads && is_text(visitor->fetch_site, "none")))
        return false;
    return visitor->origin ? is_text(visitor->origin, guard->origin) : reads;
}

dgmi_serve_verdict dgmi_serve_guard_judge(const dgmi_serve_guard *guard,
                                          const dgmi_serve_visitor *visitor) {
    if (!is_text(visitor->host, guard->host))
        return DGMI_SERVE_REFUSED;
    /* The address may be opened from a mail or a terminal: the token is what counts. */
    if (visitor->token && is_text(visitor->path, "/") && is_text(visitor->method, "GET"))
        return is_secret(visitor->token, guard->token) ? DGMI_SERVE_GREETED : DGMI_SERVE_REFUSED;
    if (!comes_from_here(guard, visitor) || !is_secret(visitor->cookie, guard->secret))
        return DGMI_SERVE_REFUSED;
    return DGMI_SERVE_ADMITTED;
}
