/* SPDX-License-Identifier: Apache-2.0 */
#include "bytes_xml.h"

#include <expat.h>
#include <stdio.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_text.h"

enum { BUFFER = DGMI_BUFFER(1 << 16), LARGEST_BUFFER = 1 << 29 };

struct dgmi_bytes_xml {
    dgm_context *ctx;
    dgmi_bytes_stream *stream;
    XML_Parser parser;
    const dgmi_bytes_xml_rule *rules;
    void *reader;
    dgm_status status; /* the first failure; nothing is done after it */
    const dgmi_bytes_xml_rule *open[DGMI_BYTES_XML_DEPTH]; /* from the root inwards */
    int depth;                                             /* open elements, skipped ones too */
    int skipped;       /* depth of the element being skipped; 0: none */
    dgmi_text text;    /* directly inside the innermost element */
    bool has_children; /* of the innermost element, skipped ones */
    int64_t given;     /* bytes that the parser has had */
};

/* ---- for the rules ---- */

const char *dgmi_bytes_xml_attribute(const char **attributes, const char *name) {
    for (; *attributes; attributes += 2)
        if (strcmp(attributes[0], name) == 0)
            return attributes[1];
    return NULL;
}

const char *dgmi_bytes_xml_need(dgmi_bytes_xml *xml, const char **attributes, const char *name) {
    const char *value = dgmi_bytes_xml_attribute(attributes, name);
    if (!value)
        dgmi_bytes_xml_fail(xml, DGM_ERROR_FORMAT, "<%s> has no attribute '%s'",
                            xml->open[xml->depth - 1]->element, name);
    return value;
}

const char *dgmi_bytes_xml_text(const dgmi_bytes_xml *xml, size_t *length) {
    *length = (size_t)xml->text.length;
    return xml->text.length ? xml->text.data : "";
}

bool dgmi_bytes_xml_has_children(const dgmi_bytes_xml *xml) {
    return xml->has_children;
}

int64_t dgmi_bytes_xml_line(const dgmi_bytes_xml *xml) {
    return (int64_t)XML_GetCurrentLineNumber(xml->parser);
}

dgm_status dgmi_bytes_xml_fail(dgmi_bytes_xml *xml, dgm_status status, const char *format, ...) {
    char message[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return dgmi_fail_at(xml->ctx, status, dgmi_bytes_stream_name(xml->stream),
                        dgmi_bytes_xml_line(xml), (int64_t)XML_GetCurrentByteIndex(xml->parser),
                        "%s", message);
}

/* ---- what Expat calls; some calls may still come after the parser was stopped ---- */

static void settle(dgmi_bytes_xml *xml, dgm_status status) {
    if (status == DGM_OK)
        return;
    xml->status = status;
    XML_StopParser(xml->parser, XML_FALSE);
}

static const dgmi_bytes_xml_rule *find_rule(const dgmi_bytes_xml *xml, const char *name) {
    const char *colon = strchr(name, ':');
    int state = xml->depth > 1 ? xml->open[xml->depth - 2]->enters : 0;
    for (const dgmi_bytes_xml_rule *rule = xml->rules; rule->element; rule++)
        if (rule->within == state && strcmp(rule->element, colon ? colon + 1 : name) == 0)
            return rule;
    return NULL;
}

static void XMLCALL start_element(void *user, const char *name, const char **attributes) {
    dgmi_bytes_xml *xml = user;
    if (xml->status != DGM_OK)
        return;
    if (xml->depth == DGMI_BYTES_XML_DEPTH) {
        settle(xml,
               dgmi_bytes_xml_fail(xml, DGM_ERROR_FORMAT, "elements are nested more than %d deep",
                                   DGMI_BYTES_XML_DEPTH));
        return;
    }
    xml->depth++;
    if (xml->skipped)
        return;
    const dgmi_bytes_xml_rule *rule = find_rule(xml, name);
    if (rule) {
        xml->open[xml->depth - 1] = rule;
        xml->text.length = 0;
        xml->has_children = false;
        if (rule->start)
            settle(xml, rule->start(xml->reader, xml, attributes));
    } else if (xml->depth == 1) {
        settle(xml, dgmi_bytes_xml_fail(xml, DGM_ERROR_FORMAT, "expected <%s>, found <%s>",
                                        xml->rules->element, name));
    } else {
        xml->skipped = xml->depth;
    }
}

static void XMLCALL end_element(void *user, const char *name) {
    (void)name;
    dgmi_bytes_xml *xml = user;
    if (xml->status != DGM_OK)
        return;
    if (!xml->skipped) {
        const dgmi_bytes_xml_rule *rule = xml->open[xml->depth - 1];
        if (rule->end)
            settle(xml, rule->end(xml->reader, xml));
    } else if (xml->skipped == xml->depth) {
        xml->skipped = 0;
        xml->has_children = true;
    }
    xml->depth--;
}

static void XMLCALL characters(void *user, const char *text, int length) {
    dgmi_bytes_xml *xml = user;
    if (xml->status != DGM_OK || xml->skipped || !xml->open[xml->depth - 1]->text)
        return;
    dgmi_text_append(&xml->text, text, (size_t)length);
    settle(xml, xml->text.status);
}

static void XMLCALL start_doctype(void *user, const char *name, const char *system_id,
                                  const char *public_id, int has_internal_subset) {
    (void)name, (void)system_id, (void)public_id;
    dgmi_bytes_xml *xml = user;
    if (has_internal_subset) /* nothing that is heard stands before a DOCTYPE */
        settle(xml,
               dgmi_bytes_xml_fail(xml, DGM_ERROR_FORMAT,
                                   "declarations of entities and elements are refused: remove the "
                                   "<!DOCTYPE ...> and what is inside it"));
}

/* A reference to an entity of an outside DTD, which is never fetched. */
static void XMLCALL skipped_entity(void *user, const char *name, int is_parameter_entity) {
    (void)is_parameter_entity;
    dgmi_bytes_xml *xml = user;
    if (xml->status == DGM_OK)
        settle(xml, dgmi_bytes_xml_fail(xml, DGM_ERROR_FORMAT,
                                        "entity '%s' is refused: write the text itself", name));
}

/* ---- the run ---- */

static dgm_status fail_parse(dgmi_bytes_xml *xml) {
    enum XML_Error code = XML_GetErrorCode(xml->parser);
    const char *words = XML_ErrorString(code);
    switch (code) {
    case XML_ERROR_NO_MEMORY:
        return dgmi_fail(xml->ctx, DGM_ERROR_MEMORY, "out of memory while reading XML");
    case XML_ERROR_UNKNOWN_ENCODING:
    case XML_ERROR_INCORRECT_ENCODING:
        return dgmi_bytes_xml_fail(xml, DGM_ERROR_FORMAT, "%s: save the file as UTF-8", words);
    case XML_ERROR_UNDEFINED_ENTITY:
        return dgmi_bytes_xml_fail(xml, DGM_ERROR_FORMAT, "%s: write the text itself", words);
    default:
        return xml->depth
                   ? dgmi_bytes_xml_fail(xml, DGM_ERROR_FORMAT, "not well-formed XML: %s", words)
                   : dgmi_bytes_xml_fail(xml, DGM_ERROR_FORMAT, "expected XML with <%s>: %s",
                                         xml->rules->element, words);
    }
}

/* Expat goes through an unfinished tag or comment again from its beginning each time more comes.
 * As much as it has of it already, or more, keeps all of that linear. */
static int next_size(const dgmi_bytes_xml *xml) {
    int64_t unfinished = xml->given - (int64_t)XML_GetCurrentByteIndex(xml->parser);
    if (unfinished < BUFFER)
        return BUFFER;
    return unfinished < LARGEST_BUFFER ? (int)unfinished : LARGEST_BUFFER;
}

static dgm_status parse_buffer(dgmi_bytes_xml *xml, bool *more) {
    int64_t got = 0, done, total;
    const int size = next_size(xml);
    void *buffer = XML_GetBuffer(xml->parser, size);
    if (!buffer)
        return fail_parse(xml);
    dgm_status status = dgmi_bytes_stream_read(xml->stream, buffer, size, &got);
    if (status != DGM_OK)
        return status;
    *more = got == size;
    xml->given += got;
    if (XML_ParseBuffer(xml->parser, (int)got, !*more) != XML_STATUS_OK)
        return xml->status != DGM_OK ? xml->status : fail_parse(xml);
    dgmi_bytes_stream_position(xml->stream, &done, &total);
    return dgmi_progress(xml->ctx, "reading the graph",
                         total > 0 ? (double)done / (double)total : -1);
}

dgm_status dgmi_bytes_xml_read(dgm_context *ctx, dgmi_bytes_stream *stream,
                               const dgmi_bytes_xml_rule *rules, void *reader) {
    dgmi_bytes_xml xml = {.ctx = ctx, .stream = stream, .rules = rules, .reader = reader};
    xml.parser = XML_ParserCreate(NULL);
    if (!xml.parser)
        return dgmi_fail(ctx, DGM_ERROR_MEMORY, "out of memory while reading XML");
    dgmi_text_init(&xml.text, ctx);
    XML_SetUserData(xml.parser, &xml);
    XML_SetElementHandler(xml.parser, start_element, end_element);
    XML_SetCharacterDataHandler(xml.parser, characters);
    XML_SetStartDoctypeDeclHandler(xml.parser, start_doctype);
    XML_SetSkippedEntityHandler(xml.parser, skipped_entity);
    dgm_status status = DGM_OK;
    for (bool more = true; more && status == DGM_OK;)
        status = parse_buffer(&xml, &more);
    dgmi_text_free(&xml.text);
    XML_ParserFree(xml.parser);
    return status;
}
