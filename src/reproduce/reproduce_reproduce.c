/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the parts one after the other and writes the report after each, so that an interrupted run
 * leaves a report of what it has, and the next run goes on there. */
#include "dgm/reproduce.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base_clock.h"
#include "base_context.h"
#include "base_memory.h"
#include "base_option.h"
#include "reproduce_report.h"
#include "reproduce_run.h"

const char *dgm_verdict_words(dgm_verdict verdict) {
    static const char *const words[] = {"holds", "holds in part", "does not hold", "not made"};
    return words[verdict];
}

const dgm_option_table *dgm_reproduce_option_table(void) {
    static const dgm_option options[] = {
        {.name = "only",
         .kind = DGM_OPTION_TEXT,
         .offset = offsetof(dgm_reproduce_options, only),
         .default_text = "all",
         .argument = "PART[,PART...]",
         .help = "make only these parts: fig1 to fig10, prop41, table1-dd, ...; a word that is no "
                 "part's name stands for all that begin with it: fig, claim, table1"},
        {.name = "quick",
         .kind = DGM_OPTION_FLAG,
         .offset = offsetof(dgm_reproduce_options, quick),
         .help = "leave out what takes long: of table 1 one set and one fold, nothing beyond the "
                 "paper"},
        {.name = "fresh",
         .kind = DGM_OPTION_FLAG,
         .offset = offsetof(dgm_reproduce_options, fresh),
         .help = "make parts again that an earlier run has made"},
        DGMI_SEED_OPTION(offsetof(dgm_reproduce_options, seed)),
    };
    static const dgm_option_table table = {"Reproducing", options,
                                           sizeof options / sizeof *options};
    return &table;
}

/* ---- which parts ---- */

/* Tells whether a word of some length is the whole name of a part. */
static bool is_part(const char *word, size_t length) {
    const dgm_reproduce_part *part;
    for (size_t i = 0; (part = dgm_reproduce_part_at(i)); i++)
        if (strlen(part->name) == length && strncmp(word, part->name, length) == 0)
            return true;
    return false;
}

/* A word that is the name of a part stands for this part alone: "fig1" is not figure 10. Any other
 * stands for all parts whose names begin with it: "table1" for all parts of table 1. */
static bool names_part(const char *word, size_t length, const char *name) {
    if (length == 0 || strncmp(word, name, length) != 0)
        return false;
    return name[length] == '\0' || !is_part(word, length);
}

/* Tells whether a list, with commas between its words, names the part. */
static bool lists(const char *list, const char *name) {
    for (const char *at = list, *end; at; at = *end ? end + 1 : NULL) {
        end = at + strcspn(at, ",");
        if (names_part(at, (size_t)(end - at), name))
            return true;
    }
    return false;
}

static bool is_wanted(const dgm_reproduce_options *options, const dgm_reproduce_part *part) {
    if (options->only)
        return lists(options->only, part->name);
    return part->quick || !options->quick;
}

/* Fails at the first word that names no part. */
static dgm_status check_names(dgm_context *ctx, const char *only) {
    const char *names[64] = {NULL};
    char name[64];
    int count = 0;
    for (const dgm_reproduce_part *part; (part = dgm_reproduce_part_at((size_t)count));)
        names[count++] = part->name;
    for (const char *at = only, *end; at; at = *end ? end + 1 : NULL) {
        end = at + strcspn(at, ",");
        snprintf(name, sizeof name, "%.*s", (int)(end - at), at);
        bool known = false;
        for (int i = 0; i < count; i++)
            known |= names_part(name, strlen(name), names[i]);
        if (known)
            continue;
        const char *near = dgm_name_nearest(name, names);
        if (near)
            return dgmi_fail(ctx, DGM_ERROR_USAGE,
                             DGMI_NAMED("only") ": there is no part '%s'; did you mean '%s'?", name,
                             near);
        return dgmi_fail(ctx, DGM_ERROR_USAGE,
                         DGMI_NAMED("only") ": there is no part '%s'; the first is '%s'", name,
                         names[0]);
    }
    return DGM_OK;
}

dgm_status dgm_reproduce_check(dgm_context *ctx, const dgm_reproduce_options *given) {
    dgm_reproduce_options options = DGM_REPRODUCE_OPTIONS_INIT;
    dgm_status status = DGMI_OPTIONS_TAKE(ctx, dgm_reproduce_options, user, given, &options);
    if (status == DGM_OK && !options.command)
        status = dgmi_fail(ctx, DGM_ERROR_USAGE, "nobody runs the commands");
    return status == DGM_OK ? check_names(ctx, options.only) : status;
}

/* ---- files that are not made twice ---- */

/* A file counts as made if the command that made it is noted beside it (dgmi_reproduce_need), so a
 * fresh run takes these notes away. They lie in "tables" and in the folders of parts. */
static dgm_status forget_files(dgm_context *ctx, const char *name) {
    DIR *folder = opendir(name);
    char path[512];
    if (!folder)
        return dgmi_fail_at(ctx, DGM_ERROR_FILE, name, 0, -1, "%s", strerror(errno));
    for (const struct dirent *entry; (entry = readdir(folder));) {
        size_t length = strlen(entry->d_name);
        if (length < 5 || strcmp(entry->d_name + length - 5, ".made") != 0)
            continue;
        snprintf(path, sizeof path, "%s/%s", name, entry->d_name);
        unlink(path);
    }
    closedir(folder);
    return DGM_OK;
}

/* ---- one part ---- */

static dgm_status make_folder(dgm_context *ctx, const char *name) {
    if (mkdir(name, 0777) == 0 || errno == EEXIST)
        return DGM_OK;
    return dgmi_fail_at(ctx, DGM_ERROR_FILE, name, 0, -1, "%s", strerror(errno));
}

/* The first of the part's data sets that is not there, or NULL. */
static const char *find_missing(const dgmi_reproduce_plan *plan) {
    char path[128];
    for (const char *const *name = plan->data; *name; name++) {
        snprintf(path, sizeof path, "data/%s", *name);
        if (access(path, R_OK) != 0)
            return *name;
    }
    return NULL;
}

/* What decides a record besides the data: two runs with one key would write the same. */
static void write_key(const dgm_reproduce_options *options, char key[128]) {
    snprintf(key, 128, "dgm %s, seed %lld%s", dgm_version(), (long long)options->seed,
             options->quick ? ", quick" : "");
}

static dgm_status run_part(dgm_context *ctx, const dgm_reproduce_options *options,
                           dgmi_reproduce_chapter *chapter) {
    const char *name = chapter->plan->part.name;
    dgmi_reproduce_making making = {ctx, options, name, &chapter->record};
    const char *missing = find_missing(chapter->plan);
    if (missing)
        return dgmi_fail(ctx, DGM_ERROR_FILE, "the data set '%s' is not there", missing);
    dgm_status status = make_folder(ctx, name);
    if (status == DGM_OK && options->fresh)
        status = forget_files(ctx, name);
    if (status == DGM_OK)
        status = chapter->plan->make(&making);
    return status == DGM_OK ? chapter->record.status : status;
}

/* Makes the part and keeps its record. A part that cannot be made says why in the report. */
static dgm_status make_part(dgm_context *ctx, const dgm_reproduce_options *options,
                            const char *path, const char *key, dgmi_reproduce_chapter *chapter) {
    double began = dgmi_seconds();
    dgm_status status = run_part(ctx, options, chapter);
    chapter->record.seconds = dgmi_seconds() - began;
    if (status == DGM_OK)
        status = dgmi_reproduce_record_save(&chapter->record, path, key);
    if (status == DGM_OK) {
        chapter->made = true;
        return DGM_OK;
    }
    if (status == DGM_ERROR_CANCELLED || status == DGM_ERROR_MEMORY)
        return status;
    chapter->why = dgmi_strdup(ctx, dgm_context_error(ctx));
    dgmi_reproduce_record_free(&chapter->record);
    return chapter->why ? DGM_OK : DGM_ERROR_MEMORY;
}

static dgm_status keep_or_make(dgm_context *ctx, const dgm_reproduce_options *options,
                               dgmi_reproduce_chapter *chapter) {
    char path[128], key[128];
    bool wanted = is_wanted(options, &chapter->plan->part), found = false;
    dgm_status status = DGM_OK;
    snprintf(path, sizeof path, "%s/record.json", chapter->plan->part.name);
    write_key(options, key);
    if (!wanted || !options->fresh)
        status = dgmi_reproduce_record_load(&chapter->record, path, key, &found);
    chapter->made = chapter->kept = found;
    if (status == DGM_OK && wanted && !found)
        status = make_part(ctx, options, path, key, chapter);
    return status;
}

static void tell(const dgm_reproduce_options *options, const dgmi_reproduce_chapter *chapter) {
    dgm_reproduce_outcome outcome = {.part = &chapter->plan->part,
                                     .kept = chapter->kept,
                                     .seconds = chapter->record.seconds,
                                     .why = chapter->why};
    outcome.verdict = dgmi_reproduce_chapter_verdict(chapter, &outcome.checks, &outcome.holding);
    if (options->outcome && is_wanted(options, outcome.part))
        options->outcome(options->user, &outcome);
}

/* ---- all of them ---- */

static dgm_status make_chapters(dgm_context *ctx, const dgm_reproduce_options *options,
                                dgmi_reproduce_chapter *chapters, int64_t count) {
    dgm_status status = make_folder(ctx, "tables");
    if (status == DGM_OK && options->fresh)
        status = forget_files(ctx, "tables");
    for (int64_t i = 0; status == DGM_OK && i < count; i++) {
        status = keep_or_make(ctx, options, &chapters[i]);
        if (status == DGM_OK)
            tell(options, &chapters[i]);
        if (status == DGM_OK && !chapters[i].kept && is_wanted(options, &chapters[i].plan->part))
            status = dgmi_reproduce_report_write(ctx, options, chapters, count);
    }
    return status;
}

static dgm_reproduce_counts count_chapters(const dgm_reproduce_options *options,
                                           const dgmi_reproduce_chapter *chapters, int64_t count) {
    dgm_reproduce_counts counts = {0, 0, 0};
    for (int64_t i = 0; i < count; i++)
        if (is_wanted(options, &chapters[i].plan->part)) {
            counts.made += chapters[i].made && !chapters[i].kept;
            counts.kept += chapters[i].kept;
            counts.not_made += !chapters[i].made;
        }
    return counts;
}

dgm_status dgm_reproduce_run(dgm_context *ctx, const dgm_reproduce_options *given,
                             dgm_reproduce_counts *counts) {
    dgm_reproduce_options options = DGM_REPRODUCE_OPTIONS_INIT;
    int64_t count = 0;
    dgm_status status = dgm_reproduce_check(ctx, given);
    if (status == DGM_OK)
        status = DGMI_OPTIONS_TAKE(ctx, dgm_reproduce_options, user, given, &options);
    if (status != DGM_OK)
        return status;
    while (dgmi_reproduce_plan_at((size_t)count))
        count++;
    dgmi_reproduce_chapter *chapters = dgmi_alloc_zero(ctx, count, sizeof *chapters);
    if (!chapters)
        return DGM_ERROR_MEMORY;
    for (int64_t i = 0; i < count; i++) {
        chapters[i].plan = dgmi_reproduce_plan_at((size_t)i);
        dgmi_reproduce_record_init(&chapters[i].record, ctx);
    }
    status = make_chapters(ctx, &options, chapters, count);
    if (status == DGM_OK)
        status = dgmi_reproduce_report_write(ctx, &options, chapters, count);
    if (status == DGM_OK)
        status = dgmi_reproduce_run_write(ctx, &options, chapters, count);
    *counts = count_chapters(&options, chapters, count);
    for (int64_t i = 0; i < count; i++) {
        dgmi_reproduce_record_free(&chapters[i].record);
        dgmi_free(ctx, chapters[i].why);
    }
    dgmi_free(ctx, chapters);
    return status;
}
