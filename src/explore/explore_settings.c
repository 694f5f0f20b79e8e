/* SPDX-License-Identifier: Apache-2.0 */
/* The settings of an explorer: options of its workspace as texts, all of which change or none. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "explore_explorer.h"

/* ---- the list ---- */

static dgm_status add_setting(dgm_context *ctx, dgm_explorer *explorer,
                              const dgm_option_table *table, const dgm_option *option) {
    const char *text = option->default_text;
    if (!text)
        text = option->kind == DGM_OPTION_FLAG ? "false" : "";
    char *copy = dgmi_strdup(ctx, text);
    if (!copy)
        return DGM_ERROR_MEMORY;
    explorer->settings[explorer->setting_count++] =
        (dgmi_explore_setting){option, table->title, copy, NULL};
    return DGM_OK;
}

dgm_status dgmi_explore_settings_make(dgm_context *ctx, dgm_explorer *explorer) {
    const dgm_option_table *table;
    int64_t count = 0;
    for (size_t i = 0; (table = dgm_workspace_options_at(i)); i++)
        count += (int64_t)table->count;
    explorer->settings = dgmi_alloc_zero(ctx, count, sizeof *explorer->settings);
    dgm_status status = explorer->settings ? DGM_OK : DGM_ERROR_MEMORY;
    for (size_t i = 0; status == DGM_OK && (table = dgm_workspace_options_at(i)); i++)
        for (size_t k = 0; status == DGM_OK && k < table->count; k++)
            status = add_setting(ctx, explorer, table, &table->options[k]);
    return status;
}

void dgmi_explore_settings_free(dgm_explorer *explorer) {
    for (int i = 0; i < explorer->setting_count; i++) {
        dgmi_allocator_free(&explorer->allocator, explorer->settings[i].text);
        dgmi_allocator_free(&explorer->allocator, explorer->settings[i].first);
    }
    dgmi_allocator_free(&explorer->allocator, explorer->settings);
}

static dgmi_explore_setting *find_setting(const dgm_explorer *explorer, const char *name) {
    for (int i = 0; i < explorer->setting_count; i++)
        if (strcmp(explorer->settings[i].option->name, name) == 0)
            return &explorer->settings[i];
    return NULL;
}

/* ---- setting ---- */

/* Sets one, and keeps its old text in *before, which the caller frees; NULL: it is as it was. */
static dgm_status set_one(dgm_context *ctx, dgm_explorer *explorer, const char *name,
                          const char *value, char **before) {
    dgmi_explore_setting *setting = find_setting(explorer, name);
    *before = NULL;
    if (setting && strcmp(setting->text, value) == 0)
        return DGM_OK;
    dgm_status status = dgm_workspace_set(ctx, explorer->workspace, name, value);
    char *copy = status == DGM_OK ? dgmi_strdup(ctx, value) : NULL;
    if (status == DGM_OK && !copy)
        return DGM_ERROR_MEMORY;
    if (status == DGM_OK) {
        assert(setting); /* the workspace knows no others */
        *before = setting->text;
        setting->text = copy;
    }
    return status;
}

/* Puts an old text back. What the workspace took before, it takes again; one that was never set
 * stays as it is. */
static void put_back(dgm_context *ctx, dgm_explorer *explorer, const char *name, char *before) {
    dgmi_explore_setting *setting = find_setting(explorer, name);
    if (*before && dgm_workspace_set(ctx, explorer->workspace, name, before) == DGM_OK) {
        dgmi_free(ctx, setting->text);
        setting->text = before;
        return;
    }
    dgmi_free(ctx, before);
}

static bool is_among(const char *name, const char *const *names) {
    for (; *names; names++)
        if (strcmp(name, *names) == 0)
            return true;
    return false;
}

/* The error that is told is the one that was recorded, and not one of putting settings back. */
static void undo(dgm_context *ctx, dgm_explorer *explorer, dgmi_explore_change *change) {
    dgm_status status = ctx->status;
    char message[sizeof ctx->message], option[sizeof ctx->option];
    memcpy(message, ctx->message, sizeof message);
    memcpy(option, ctx->option, sizeof option);
    for (int i = change->query->count - 1; i >= 0; i--)
        if (change->before[i])
            put_back(ctx, explorer, change->query->names[i], change->before[i]);
    dgmi_fail(ctx, status, "%s", message);
    memcpy(ctx->option, option, sizeof option);
}

void dgmi_explore_settings_end(dgm_context *ctx, dgm_explorer *explorer,
                               dgmi_explore_change *change, bool keep) {
    if (!keep) {
        undo(ctx, explorer, change);
        return;
    }
    for (int i = 0; i < change->query->count; i++)
        dgmi_free(ctx, change->before[i]);
}

/* Sets what can be set, in the order of the query. An option may need another that comes later, as
 * a cover of balls needs `compat=gain`: those that are refused wait. Returns how many wait, with
 * the error of the last of them. */
static int set_some(dgm_context *ctx, dgm_explorer *explorer, dgmi_explore_change *change,
                    const char *const *others, bool *done, dgm_status *status) {
    const dgmi_explore_query *query = change->query;
    int waiting = 0;
    *status = DGM_OK;
    for (int i = 0; i < query->count; i++) {
        if (done[i] || is_among(query->names[i], others))
            continue;
        dgm_status one =
            set_one(ctx, explorer, query->names[i], query->values[i], &change->before[i]);
        done[i] = one == DGM_OK;
        waiting += one != DGM_OK;
        if (one != DGM_OK)
            *status = one;
        if (one == DGM_ERROR_MEMORY)
            break;
    }
    return waiting;
}

dgm_status dgmi_explore_settings_apply(dgm_context *ctx, dgm_explorer *explorer,
                                       const dgmi_explore_query *query, const char *const *others,
                                       dgmi_explore_change *change) {
    bool done[DGMI_EXPLORE_MOST_SETTINGS] = {false};
    dgm_status status;
    *change = (dgmi_explore_change){.query = query};
    int waiting = set_some(ctx, explorer, change, others, done, &status);
    for (int before = waiting + 1; waiting > 0 && waiting < before && status == DGM_ERROR_USAGE;) {
        before = waiting;
        waiting = set_some(ctx, explorer, change, others, done, &status);
    }
    if (waiting > 0)
        undo(ctx, explorer, change);
    return waiting > 0 ? status : DGM_OK;
}

/* ---- in words ---- */

dgm_status dgmi_explore_settings_begin(dgm_context *ctx, dgm_explorer *explorer) {
    for (int i = 0; i < explorer->setting_count; i++) {
        dgmi_explore_setting *setting = &explorer->settings[i];
        if (!setting->first)
            setting->first = dgmi_strdup(ctx, setting->text);
        if (!setting->first)
            return DGM_ERROR_MEMORY;
    }
    return DGM_OK;
}

void dgmi_explore_settings_renew(dgm_explorer *explorer) {
    for (int i = 0; i < explorer->setting_count; i++) {
        dgmi_allocator_free(&explorer->allocator, explorer->settings[i].first);
        explorer->settings[i].first = NULL;
    }
}

void dgmi_explore_settings_say(const dgm_explorer *explorer, bool first,
                               dgmi_explore_answer *answer) {
    dgmi_explore_open(answer, "settings", '{');
    for (int i = 0; i < explorer->setting_count; i++) {
        const dgmi_explore_setting *setting = &explorer->settings[i];
        dgmi_explore_text(answer, setting->option->name,
                          first && setting->first ? setting->first : setting->text);
    }
    dgmi_explore_close(answer, '{');
}

void dgmi_explore_option_say(dgmi_explore_answer *answer, const char *group,
                             const dgm_option *option) {
    static const char *const kinds[] = {"flag", "integer",  "real", "choice",
                                        "text", "integers", "reals"};
    bool number = option->kind != DGM_OPTION_FLAG && option->kind != DGM_OPTION_CHOICE &&
                  option->kind != DGM_OPTION_TEXT;
    dgmi_explore_open(answer, NULL, '{');
    dgmi_explore_text(answer, "group", group);
    dgmi_explore_text(answer, "name", option->name);
    dgmi_explore_text(answer, "kind", kinds[option->kind]);
    dgmi_explore_real(answer, "minimum", number ? option->minimum : NAN);
    dgmi_explore_real(answer, "maximum", number ? option->maximum : NAN);
    dgmi_explore_flag(answer, "open_maximum", option->open_maximum);
    if (option->choices) {
        dgmi_explore_open(answer, "choices", '[');
        for (const char *const *choice = option->choices; *choice; choice++)
            dgmi_explore_text(answer, NULL, *choice);
        dgmi_explore_close(answer, '[');
    } else {
        dgmi_explore_text(answer, "choices", NULL);
    }
    dgmi_explore_text(answer, "default", option->default_text);
    dgmi_explore_text(answer, "help", option->help);
    dgmi_explore_close(answer, '{');
}

void dgmi_explore_options_say(const dgm_explorer *explorer, dgmi_explore_answer *answer) {
    dgmi_explore_open(answer, "options", '[');
    for (int i = 0; i < explorer->setting_count; i++)
        dgmi_explore_option_say(answer, explorer->settings[i].group, explorer->settings[i].option);
    dgmi_explore_close(answer, '[');
}

/* ---- the command ---- */

void dgmi_explore_append_word(dgmi_text *text, const char *word) {
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=:,./@%";
    if (*word && word[strspn(word, plain)] == '\0') {
        dgmi_text_string(text, word);
        return;
    }
    dgmi_text_string(text, "'");
    for (; *word; word++)
        dgmi_text_append(text, *word == '\'' ? "'\\''" : word, *word == '\'' ? 4 : 1);
    dgmi_text_string(text, "'");
}

/* A setting is written if it is not the default, and those of the cover always are. */
static bool is_worth_writing(const dgmi_explore_setting *setting) {
    static const char *const always[] = {"cover", "intervals", "overlap", NULL};
    static const char *const never[] = {"transform", NULL}; /* it belongs to the lens */
    const char *name = setting->option->name, *usual = setting->option->default_text;
    if (is_among(name, never) || *setting->text == '\0')
        return false;
    if (is_among(name, always))
        return true;
    if (setting->option->kind == DGM_OPTION_FLAG)
        return strcmp(setting->text, "true") == 0;
    return !usual || strcmp(usual, setting->text) != 0;
}

static void append_setting(dgmi_text *text, const dgmi_explore_setting *setting) {
    dgmi_text_string(text, " --");
    dgmi_text_string(text, setting->option->name);
    if (setting->option->kind == DGM_OPTION_FLAG)
        return;
    dgmi_text_string(text, " ");
    dgmi_explore_append_word(text, setting->text);
}

/* A lens without a command is of a part of the graph, which no command makes: there is none then. */
static dgm_status write_command(dgm_context *ctx, const dgm_explorer *explorer, char **out) {
    dgmi_text text;
    *out = NULL;
    if (!*explorer->lens.command)
        return DGM_OK;
    dgmi_text_init(&text, ctx);
    dgmi_text_string(&text, explorer->lens.command);
    for (int i = 0; i < explorer->setting_count; i++)
        if (is_worth_writing(&explorer->settings[i]))
            append_setting(&text, &explorer->settings[i]);
    if (text.status == DGM_OK)
        *out = text.data;
    else
        dgmi_text_free(&text);
    return text.status;
}

dgm_status dgmi_explore_command_make(dgm_context *ctx, dgm_explorer *explorer) {
    dgm_provenance provenance = explorer->lens.provenance;
    char *command;
    dgm_status status = write_command(ctx, explorer, &command);
    if (status != DGM_OK)
        return status;
    dgmi_free(ctx, explorer->command);
    explorer->command = command;
    provenance.lens = explorer->lens.name;
    provenance.command = explorer->command;
    return dgm_workspace_set_provenance(ctx, explorer->workspace, &provenance);
}
