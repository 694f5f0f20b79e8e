/* SPDX-License-Identifier: Apache-2.0 */
#include "bytes_scan.h"

#include <math.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_text.h"

enum {
    BLOCK = DGMI_BUFFER(1 << 18),
    AHEAD = DGMI_BYTES_LONGEST_WORD + 1, /* bytes that a word may need to be seen whole */
    SPARE_NODES = 1 << 20,
    NODES_A_RECORD = 64,
};

dgm_status dgmi_bytes_scan_init(dgmi_bytes_scan *scan, dgm_context *ctx,
                                dgmi_bytes_stream *stream) {
    *scan = (dgmi_bytes_scan){.line = 1, .ctx = ctx, .stream = stream};
    scan->buffer = dgmi_scratch(ctx, BLOCK + AHEAD + 1, 1);
    scan->at = scan->end = scan->buffer;
    if (!scan->buffer)
        return DGM_ERROR_MEMORY;
    *scan->end = '\n';
    return DGM_OK;
}

/* Moves the rest to the front and reads a block behind it. A newline always stands behind the end.
 */
static dgm_status refill(dgmi_bytes_scan *scan) {
    int64_t left = scan->end - scan->at, got;
    memmove(scan->buffer, scan->at, (size_t)left);
    dgm_status status = dgmi_bytes_stream_read(scan->stream, scan->buffer + left, BLOCK, &got);
    if (status != DGM_OK)
        return status;
    scan->ended = got < BLOCK;
    scan->at = scan->buffer;
    scan->end = scan->buffer + left + got;
    *scan->end = '\n';
    return dgmi_progress(scan->ctx, "reading", dgmi_bytes_stream_fraction(scan->stream));
}

/* Sees to it that a whole word is in the buffer. */
static inline dgm_status look_ahead(dgmi_bytes_scan *scan) {
    return scan->end - scan->at < AHEAD && !scan->ended ? refill(scan) : DGM_OK;
}

static inline bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

static dgm_status skip_blanks(dgmi_bytes_scan *scan) {
    dgm_status status = look_ahead(scan);
    while (status == DGM_OK && is_blank(*scan->at)) {
        scan->at++;
        status = look_ahead(scan);
    }
    return status;
}

dgm_status dgmi_bytes_scan_word(dgmi_bytes_scan *scan, dgmi_bytes_word *word) {
    dgm_status status = skip_blanks(scan);
    if (status != DGM_OK)
        return status;
    char *end = scan->at;
    while (!is_blank(*end) && *end != '\n')
        if (++end - scan->at > DGMI_BYTES_LONGEST_WORD)
            return dgmi_scan_fail(scan, "a word of more than %d bytes, where numbers are expected",
                                  DGMI_BYTES_LONGEST_WORD);
    *word = (dgmi_bytes_word){scan->at, (size_t)(end - scan->at)};
    scan->at = end;
    return DGM_OK;
}

dgm_status dgmi_bytes_scan_next_line(dgmi_bytes_scan *scan, bool *found) {
    *found = false;
    for (;;) {
        char *newline = memchr(scan->at, '\n', (size_t)(scan->end - scan->at));
        scan->at = newline ? newline + 1 : scan->end;
        if (newline)
            break;
        if (scan->ended)
            return DGM_OK;
        dgm_status status = refill(scan);
        if (status != DGM_OK)
            return status;
    }
    bool at_end;
    dgm_status status = dgmi_bytes_scan_at_end(scan, &at_end);
    *found = !at_end;
    scan->line += *found;
    return status;
}

dgm_status dgmi_bytes_scan_starts_with(dgmi_bytes_scan *scan, char first, bool *yes) {
    dgm_status status = skip_blanks(scan);
    *yes = status == DGM_OK && *scan->at == first;
    return status;
}

dgm_status dgmi_bytes_scan_at_end(dgmi_bytes_scan *scan, bool *yes) {
    dgm_status status = look_ahead(scan);
    *yes = scan->at == scan->end;
    return status;
}

dgm_status dgmi_bytes_scan_integer(dgmi_bytes_scan *scan, const char *what, int64_t low,
                                   int64_t high, int64_t *value) {
    dgmi_bytes_word word;
    dgm_status status = dgmi_bytes_scan_word(scan, &word);
    if (status != DGM_OK)
        return status;
    if (word.length == 0)
        return dgmi_scan_fail(scan, "%s is missing", what);
    if (!dgmi_parse_integer(word.text, word.length, value))
        return dgmi_scan_fail(scan, "%s \"%.*s%s\" is not a whole number that fits", what,
                              DGMI_BYTES_SHOW_WORD(&word));
    if (*value < low || *value > high)
        return dgmi_scan_fail(scan, "%s %lld is outside %lld to %lld", what, (long long)*value,
                              (long long)low, (long long)high);
    return DGM_OK;
}

dgm_status dgmi_bytes_scan_real(dgmi_bytes_scan *scan, const char *what, double *value) {
    dgmi_bytes_word word;
    dgm_status status = dgmi_bytes_scan_word(scan, &word);
    if (status != DGM_OK)
        return status;
    if (word.length == 0)
        return dgmi_scan_fail(scan, "%s is missing", what);
    if (!dgmi_parse_real(word.text, word.length, value) || !isfinite(*value))
        return dgmi_scan_fail(scan, "%s \"%.*s%s\" is not a finite number", what,
                              DGMI_BYTES_SHOW_WORD(&word));
    return DGM_OK;
}

dgm_status dgmi_bytes_scan_line_end(dgmi_bytes_scan *scan) {
    dgmi_bytes_word word;
    dgm_status status = dgmi_bytes_scan_word(scan, &word);
    if (status == DGM_OK && word.length > 0)
        status = dgmi_scan_fail(scan, "\"%.*s%s\" is one word too many on this line",
                                DGMI_BYTES_SHOW_WORD(&word));
    return status;
}

dgm_status dgmi_bytes_scan_check_promise(dgmi_bytes_scan *scan, const char *what, int64_t count,
                                         int64_t bytes) {
    int64_t done, total;
    dgmi_bytes_stream_position(scan->stream, &done, &total);
    /* A compressed file may hold more than its length: there nothing is known, and nothing is
     * allocated either. */
    if (total < 0 || dgmi_bytes_stream_is_packed(scan->stream) || count <= total / bytes + 1)
        return DGM_OK;
    return dgmi_scan_fail(scan, "%lld %s are promised, more than the file's %lld bytes can hold",
                          (long long)count, what, (long long)total);
}

dgm_status dgmi_bytes_check_sparse_nodes(dgm_context *ctx, const char *name, int64_t nodes,
                                         int64_t records, const dgm_graph_options *options) {
    if (nodes <= SPARE_NODES + NODES_A_RECORD * records || nodes <= options->nodes)
        return DGM_OK;
    return dgmi_fail_in(
        ctx, DGM_ERROR_FORMAT, name,
        "%lld nodes are promised for %lld edges; if that is right, say " DGMI_NAMED("nodes=%lld"),
        (long long)nodes, (long long)records, (long long)nodes);
}
