/* SPDX-License-Identifier: Apache-2.0 */
/* Reads XML as a walk through states. A format gives a table of the elements that it knows and
 * where they may stand, Expat streams the file, and an unknown element is skipped with all that is
 * inside.
 *
 * Declared entities, more than DGMI_BYTES_XML_DEPTH open elements, encodings other than UTF-8,
 * UTF-16, ISO 8859-1 and ASCII, and anything that is not well-formed are errors that name file and
 * line. Expat takes its memory from malloc, because its own hooks know no context. */
#ifndef BYTES_XML_H
#define BYTES_XML_H

#include "bytes_stream.h"

enum { DGMI_BYTES_XML_DEPTH = 1000 };

typedef struct dgmi_bytes_xml dgmi_bytes_xml;

/* An element in the place where it is known. States are small numbers that the format chooses; 0 is
 * outside of the root. */
typedef struct dgmi_bytes_xml_rule {
    int within;          /* the state in which the element is known */
    const char *element; /* its name without a prefix */
    int enters;          /* the state inside it */
    bool text;           /* the text that stands directly inside is kept */
    /* Called where the element begins and ends; either may be NULL. A status other than DGM_OK ends
     * the reading. */
    dgm_status (*start)(void *reader, dgmi_bytes_xml *xml, const char **attributes);
    dgm_status (*end)(void *reader, dgmi_bytes_xml *xml);
} dgmi_bytes_xml_rule;

/* Reads the whole stream. The first of the rules is the root, and the last has element NULL. */
dgm_status dgmi_bytes_xml_read(dgm_context *ctx, dgmi_bytes_stream *stream,
                               const dgmi_bytes_xml_rule *rules, void *reader);

/* ---- inside start and end ---- */

/* Returns the value of an attribute, or NULL if the element does not have it. */
const char *dgmi_bytes_xml_attribute(const char **attributes, const char *name);
/* Does the same for an attribute that the element must have: without it, it records the error and
 * returns NULL. */
const char *dgmi_bytes_xml_need(dgmi_bytes_xml *xml, const char **attributes, const char *name);
/* Returns, in `end` of a rule with text, the text that stood directly inside the element, with a
 * zero byte behind it. */
const char *dgmi_bytes_xml_text(const dgmi_bytes_xml *xml, size_t *length);
/* Tells, in `end`, whether elements were skipped inside. */
bool dgmi_bytes_xml_has_children(const dgmi_bytes_xml *xml);
int64_t dgmi_bytes_xml_line(const dgmi_bytes_xml *xml);
/* Records an error at the line that Expat is at and returns `status`. */
dgm_status dgmi_bytes_xml_fail(dgmi_bytes_xml *xml, dgm_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
