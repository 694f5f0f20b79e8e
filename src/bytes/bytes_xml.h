/* SPDX-License-Identifier: Apache-2.0 */
/* XML as a walk through states: a format gives a table of the elements it knows and where they may
 * stand, Expat streams the file, and everything unknown is skipped with all that is inside it.
 *
 * Refused, with file and line: declared entities, more than DGMI_BYTES_XML_DEPTH open elements,
 * encodings other than UTF-8, UTF-16, ISO 8859-1 and ASCII, and anything that is not well-formed.
 * Expat takes its memory from malloc: its own hooks know no context. */
#ifndef BYTES_XML_H
#define BYTES_XML_H

#include "bytes_stream.h"

enum { DGMI_BYTES_XML_DEPTH = 1000 };

typedef struct dgmi_bytes_xml dgmi_bytes_xml;

/* One element in one place. States are small numbers of the format's own; 0 is outside the root. */
typedef struct dgmi_bytes_xml_rule {
    int within;          /* the state in which the element is known */
    const char *element; /* its name without a prefix */
    int enters;          /* the state inside it */
    bool text;           /* keep the text that stands directly inside */
    /* Either may be NULL. A status other than DGM_OK ends the reading. */
    dgm_status (*start)(void *reader, dgmi_bytes_xml *xml, const char **attributes);
    dgm_status (*end)(void *reader, dgmi_bytes_xml *xml);
} dgmi_bytes_xml_rule;

/* Reads the whole stream. `rules` ends with an element NULL; its first entry is the root. */
dgm_status dgmi_bytes_xml_read(dgm_context *ctx, dgmi_bytes_stream *stream,
                               const dgmi_bytes_xml_rule *rules, void *reader);

/* ---- inside start and end ---- */

/* The attribute's value or NULL. */
const char *dgmi_bytes_xml_attribute(const char **attributes, const char *name);
/* The same where the element must have it: fails and returns NULL otherwise. */
const char *dgmi_bytes_xml_need(dgmi_bytes_xml *xml, const char **attributes, const char *name);
/* In `end` of a rule with text: what stood directly inside the element, terminated. */
const char *dgmi_bytes_xml_text(const dgmi_bytes_xml *xml, size_t *length);
/* In `end`: whether elements were skipped inside. */
bool dgmi_bytes_xml_has_children(const dgmi_bytes_xml *xml);
int64_t dgmi_bytes_xml_line(const dgmi_bytes_xml *xml);
/* Records the error at the current line and returns `status`. */
dgm_status dgmi_bytes_xml_fail(dgmi_bytes_xml *xml, dgm_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
