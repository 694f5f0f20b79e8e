/* SPDX-License-Identifier: Apache-2.0 */
#include "reproduce_run.h"

#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base_escape.h"
#include "bytes_jansson.h"
#include "bytes_output.h"
#include "bytes_path.h"
#include "kernels_machine.h"

/* The run.json of an earlier run, or NULL where there is none that can be read. */
static dgm_status read_earlier(dgm_context *ctx, json_t **root) {
    dgmi_bytes_stream *stream = NULL;
    *root = NULL;
    if (!dgmi_bytes_path_is_file("run.json"))
        return DGM_OK;
    dgm_status status = dgmi_bytes_stream_open(ctx, "run.json", &stream);
    if (status == DGM_OK)
        status = dgmi_bytes_json_load(ctx, stream, "reading times", root);
    dgmi_bytes_stream_close(stream);
    return status == DGM_ERROR_MEMORY || status == DGM_ERROR_CANCELLED ? status : DGM_OK;
}

static void put_text(dgmi_text *out, const char *key, const char *text) {
    dgmi_text_format(out, "\"%s\": \"", key);
    dgmi_escape_json(out, text, strlen(text));
    dgmi_text_string(out, "\"");
}

static void put_machine(dgmi_text *out, dgm_context *ctx) {
    char blas[DGMI_KERNELS_MACHINE_SPACE];
    struct utsname system;
    memset(&system, 0, sizeof system);
    uname(&system);
    dgmi_text_string(out, "  \"machine\": {");
    put_text(out, "system", system.sysname);
    dgmi_text_string(out, ", ");
    put_text(out, "processor", system.machine);
    dgmi_text_format(out, ", \"cores\": %ld, \"threads\": %d, ", sysconf(_SC_NPROCESSORS_ONLN),
                     dgm_context_threads(ctx));
    put_text(out, "kernels", dgmi_kernels_machine_name());
    dgmi_text_string(out, ", ");
    put_text(out, "blas", dgmi_kernels_machine_blas(blas));
    dgmi_text_string(out, "},\n");
}

/* A part that was kept took the time that the earlier run wrote down. */
static double seconds_of(const dgmi_reproduce_chapter *chapter, const json_t *earlier) {
    const json_t *known =
        json_object_get(json_object_get(earlier, "seconds"), chapter->plan->part.name);
    return chapter->kept && json_is_number(known) ? json_number_value(known)
                                                  : chapter->record.seconds;
}

static void put_seconds(dgmi_text *out, const dgmi_reproduce_chapter *chapters, int64_t count,
                        const json_t *earlier) {
    const char *between = "";
    dgmi_text_string(out, "  \"seconds\": {");
    for (int64_t i = 0; i < count; i++)
        if (chapters[i].made) {
            dgmi_text_format(out, "%s\n    \"%s\": %.3f", between, chapters[i].plan->part.name,
                             seconds_of(&chapters[i], earlier));
            between = ",";
        }
    dgmi_text_string(out, "\n  }\n");
}

dgm_status dgmi_reproduce_run_write(dgm_context *ctx, const dgm_reproduce_options *options,
                                    const dgmi_reproduce_chapter *chapters, int64_t count) {
    json_t *earlier;
    dgmi_text out;
    dgm_status status = read_earlier(ctx, &earlier);
    if (status != DGM_OK)
        return status;
    dgmi_text_init(&out, ctx);
    dgmi_text_string(&out, "{\n  ");
    put_text(&out, "version", dgm_version());
    dgmi_text_format(&out, ",\n  \"seed\": %lld,\n  \"quick\": %s,\n", (long long)options->seed,
                     options->quick ? "true" : "false");
    put_machine(&out, ctx);
    put_seconds(&out, chapters, count, earlier);
    dgmi_text_string(&out, "}\n");
    json_decref(earlier);
    status = out.status;
    if (status == DGM_OK)
        status = dgmi_bytes_output_save(ctx, "run.json", out.data, (size_t)out.length);
    dgmi_text_free(&out);
    return status;
}
