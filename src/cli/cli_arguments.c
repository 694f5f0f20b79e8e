/* SPDX-License-Identifier: Apache-2.0 */
#include "cli_arguments.h"

#include <stdlib.h>
#include <string.h>

#include "cli_text.h"

enum { MOST_SETTINGS = 16 }; /* options of a recipe */

/* One pass over the words of the command line. */
typedef struct parser {
    cli_session *session;
    const cli_command *command;
    cli_request *request;
    char **words;
    int count, next;
    FILE *record;      /* the command as provenance keeps it */
    bool dashes;       /* "--" was read: what follows is no option */
    const char *after; /* the operand that followed it, or NULL */
} parser;

bool cli_request_init(cli_request *request, int words) {
    *request = (cli_request){.common = {.unpack_limit = DGM_UNPACK_LIMIT},
                             .generate = DGM_GENERATE_OPTIONS_INIT,
                             .gcn = DGM_GCN_OPTIONS_INIT,
                             .dgi = DGM_DGI_OPTIONS_INIT,
                             .checkpoint = DGM_CHECKPOINT_OPTIONS_INIT,
                             .knn = DGM_KNN_OPTIONS_INIT,
                             .sweep = {{5, 10, 20, DGM_SAME}, {0.2, 0.4, DGM_SAME}},
                             .suggesting = {.most = 8},
                             .server = DGM_SERVER_OPTIONS_INIT,
                             .reproduce = DGM_REPRODUCE_OPTIONS_INIT};
    dgm_job_init(&request->job);
    dgm_classify_options_init(&request->classify);
    request->gcn.preset = DGM_GCN_AUTO; /* as in a lens that is named by a text */
    request->dgi.preset = DGM_DGI_AUTO;
    request->knn.k = 0;
    request->job.layout.layout = -1;
    request->output.files.items = calloc((size_t)words + 1, sizeof(char *));
    request->given.items = calloc((size_t)words + MOST_SETTINGS, sizeof(char *));
    request->values.items = calloc((size_t)words + MOST_SETTINGS, sizeof(char *));
    return request->output.files.items && request->given.items && request->values.items;
}

void cli_request_free(cli_request *request) {
    free(request->output.files.items);
    free(request->given.items);
    free(request->values.items);
    free(request->command);
}

bool cli_is_given(const cli_request *request, const char *name) {
    for (int i = 0; i < request->given.count; i++)
        if (strcmp(request->given.items[i], name) == 0)
            return true;
    return false;
}

static void keep_given(parser *p, const char *name, const char *value) {
    p->request->given.items[p->request->given.count++] = name;
    p->request->values.items[p->request->values.count++] = value;
}

static void keep_on_record(parser *p, const char *word) {
    putc(' ', p->record);
    cli_shell_quote(p->record, word);
}

static bool is_alias(const char *option_name, const char *name) {
    const char *alias = cli_trait_of(option_name)->alias;
    return alias && strcmp(alias, name) == 0;
}

static const dgm_option *find_option(const parser *p, const char *name) {
    cli_cursor cursor = {.variant = p->request->variant};
    const dgm_option *option;
    while ((option = cli_next_option(p->command->groups, &cursor)))
        if (strcmp(option->name, name) == 0 || is_alias(option->name, name))
            return option;
    return NULL;
}

static const dgm_option *find_letter(const parser *p, char letter) {
    cli_cursor cursor = {.variant = p->request->variant};
    const dgm_option *option;
    while ((option = cli_next_option(p->command->groups, &cursor)))
        if (cli_trait_of(option->name)->letter == letter)
            return option;
    return NULL;
}

/* The other variant that has an option of that name, or NULL. */
static const char *variant_with(const cli_command *command, const char *name) {
    for (const cli_group *group = command->groups; group->table; group++)
        if (group->only && dgm_option_find(group->table(), name))
            return group->only;
    return NULL;
}

/* Words of other programs and of everyday speech, for options that map and its like have. */
static const char *find_synonym(const char *name) {
    static const char *const pairs[][2] = {
        {"gain", "overlap"},          {"perc-overlap", "overlap"},  {"resolution", "intervals"},
        {"n-cubes", "intervals"},     {"n-intervals", "intervals"}, {"cubes", "intervals"},
        {"filter", "lens"},           {"filter-file", "lens-file"}, {"embedding", "lens-file"},
        {"clusterer", "cluster"},     {"projection", "reduce"},     {"out", "output"},
        {"attributes", "nodes-table"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (strcmp(pairs[i][0], name) == 0)
            return pairs[i][1];
    return NULL;
}

/* The first lens that has a key of that name, where the command computes lenses; or NULL. */
static const char *lens_with(const cli_command *command, const char *name) {
    const dgm_lens_kind *kind;
    for (size_t i = 0; command->lists_lenses && (kind = dgm_lens_kind_at(i)); i++)
        if (kind->options && dgm_option_find(kind->options, name))
            return kind->name;
    return NULL;
}

/* Likewise the first reduction. */
static const char *reduction_with(const cli_command *command, const char *name) {
    const dgm_reduce_kind *kind;
    for (size_t i = 0; command->lists_reductions && (kind = dgm_reduce_kind_at(i)); i++)
        if (kind->options && dgm_option_find(kind->options, name))
            return kind->name;
    return NULL;
}

/* Likewise the first pooling. */
static const char *pooling_with(const cli_command *command, const char *name) {
    const dgm_pool_kind *kind;
    for (size_t i = 0; command->lists_poolings && (kind = dgm_pool_kind_at(i)); i++)
        if (kind->options && dgm_option_find(kind->options, name))
            return kind->name;
    return NULL;
}

/* "'dgm map', 'dgm lens'": other commands that have an option of that name; "" if none has. */
static void list_commands_with(const cli_command *command, const char *name, char *list,
                               size_t size) {
    *list = '\0';
    for (int i = 0; cli_commands[i]; i++) {
        cli_cursor cursor = {0};
        const dgm_option *option;
        bool has = false;
        while (cli_commands[i] != command && !has &&
               (option = cli_next_option(cli_commands[i]->groups, &cursor)))
            has = strcmp(option->name, name) == 0;
        size_t used = strlen(list);
        if (has)
            snprintf(list + used, size - used, "%s'dgm %s'", used ? ", " : "",
                     cli_commands[i]->name);
    }
}

/* Where the option is to be found, if not here. Returns false if nobody knows it. */
static bool fail_elsewhere(parser *p, const char *word, const char *name, int *code) {
    const char *command = p->command->name, *lens = lens_with(p->command, name);
    const char *reduction = reduction_with(p->command, name), *synonym = find_synonym(name);
    const char *reduce = find_option(p, "reduce") ? "reduce" : "method";
    const char *pooling = pooling_with(p->command, name);
    const char *pool = find_option(p, "pool") ? "pool" : "method";
    char commands[256];
    list_commands_with(p->command, name, commands, sizeof commands);
    if (synonym && find_option(p, synonym))
        *code =
            cli_fail(p->session, CLI_WRONG_USAGE,
                     "%s has no option '%.200s'; it is called '--%s' here", command, word, synonym);
    else if (lens)
        *code = cli_fail(p->session, CLI_WRONG_USAGE,
                         "%s has no option '%.200s'; it is a key of a lens: --lens %s:%s=VALUE",
                         command, word, lens, name);
    else if (reduction)
        *code = cli_fail(p->session, CLI_WRONG_USAGE,
                         "%s has no option '%.200s'; it is a key of a reduction: --%s %s:%s=VALUE",
                         command, word, reduce, reduction, name);
    else if (pooling)
        *code = cli_fail(p->session, CLI_WRONG_USAGE,
                         "%s has no option '%.200s'; it is a key of a pooling: --%s %s:%s=VALUE",
                         command, word, pool, pooling, name);
    else if (*commands)
        *code = cli_fail(p->session, CLI_WRONG_USAGE, "%s has no option '%.200s'; it belongs to %s",
                         command, word, commands);
    else
        return false;
    return true;
}

static int fail_unknown_option(parser *p, const char *word, const char *name) {
    enum { MOST = 64 };
    int code;
    const char *other = variant_with(p->command, name);
    if (other)
        return cli_fail(p->session, CLI_WRONG_USAGE, "'%.200s' is an option of %s, not of %s", word,
                        other, p->request->variant);
    if (fail_elsewhere(p, word, name, &code))
        return code;
    const char *names[MOST + 1];
    int count = 0;
    cli_cursor cursor = {.variant = p->request->variant};
    const dgm_option *option;
    while (count < MOST && (option = cli_next_option(p->command->groups, &cursor)))
        names[count++] = option->name;
    names[count] = NULL;
    const char *near = dgm_name_nearest(name, names);
    if (near)
        return cli_fail(p->session, CLI_WRONG_USAGE,
                        "%s has no option '%.200s'; did you mean '--%s'?", p->command->name, word,
                        near);
    return cli_fail(p->session, CLI_WRONG_USAGE, "%s has no option '%.200s'; see 'dgm %s --help'",
                    p->command->name, word, p->command->name);
}

/* Stores the value in every group that has an option of that name. */
static int store(parser *p, const dgm_option *option, const char *value) {
    for (const cli_group *group = p->command->groups; group->table; group++) {
        const dgm_option *same = dgm_option_find(group->table(), option->name);
        if (!same || !cli_group_applies(group, p->request->variant))
            continue;
        char *target = (char *)p->request + group->offset;
        if (cli_trait_of(same->name)->repeats) {
            cli_list *list = (cli_list *)(void *)(target + same->offset);
            list->items[list->count++] = value;
        } else {
            dgm_status status = dgm_option_set(p->session->ctx, same, value, target);
            if (status != DGM_OK)
                return cli_fail_status(p->session, status);
        }
    }
    return CLI_DONE;
}

/* The next word, unless it is clearly the next option: "--lens --quiet" forgot a value. "-1" and
 * "-" are values. */
static int take_value(parser *p, const char *word, const dgm_option *option, const char **value) {
    const char *next = p->next < p->count ? p->words[p->next] : NULL;
    if (!next)
        return cli_fail(p->session, CLI_WRONG_USAGE, "%s needs a value: %s %s", word, word,
                        option->argument ? option->argument : "VALUE");
    if (strncmp(next, "--", 2) == 0 && find_option(p, next + 2))
        return cli_fail(p->session, CLI_WRONG_USAGE,
                        "%s needs a value, and '%s' is an option (write %s=%s if it is meant)",
                        word, next, word, next);
    *value = next;
    p->next++;
    return CLI_DONE;
}

/* `attached` is what stood behind "=" or behind the letter, or NULL. */
static int read_option(parser *p, const char *word, const dgm_option *option,
                       const char *attached) {
    const char *value = attached;
    int code = CLI_DONE;
    if (option->kind != DGM_OPTION_FLAG && !attached)
        code = take_value(p, word, option, &value);
    if (code == CLI_DONE)
        code = store(p, option, value);
    keep_given(p, option->name, value);
    if (code != CLI_DONE || cli_trait_of(option->name)->off_record)
        return code;
    keep_on_record(p, word);
    if (value && value != attached)
        keep_on_record(p, value);
    return CLI_DONE;
}

static int read_long(parser *p, const char *word) {
    char name[64];
    size_t length = strcspn(word + 2, "=");
    const char *attached = word[2 + length] == '=' ? word + 2 + length + 1 : NULL;
    snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : 63), word + 2);
    const dgm_option *option = length < sizeof name ? find_option(p, name) : NULL;
    if (!option)
        return fail_unknown_option(p, word, name);
    return read_option(p, word, option, attached);
}

static int read_short(parser *p, const char *word) {
    const dgm_option *option = find_letter(p, word[1]);
    bool flag = option && option->kind == DGM_OPTION_FLAG;
    if (!option || (flag && word[2]))
        return fail_unknown_option(p, word, word + 1);
    return read_option(p, word, option, word[2] ? word + 2 : NULL);
}

static int read_operand(parser *p, const char *word) {
    if (!p->command->operand)
        return cli_fail(p->session, CLI_WRONG_USAGE,
                        "%s takes options alone, and '%.200s' is none; see 'dgm %s --help'",
                        p->command->name, word, p->command->name);
    if (p->request->operand)
        return cli_fail(p->session, CLI_WRONG_USAGE, "%s takes one %s: '%.200s' is one too many",
                        p->command->name, p->command->operand, word);
    p->request->operand = word;
    if (p->dashes)
        p->after = word;
    else
        keep_on_record(p, word);
    return CLI_DONE;
}

/* "gcn or dgi": the variants' names. */
static void list_variants(const cli_command *command, char *list, size_t size) {
    for (int i = 0; command->variants()[i]; i++) {
        size_t used = strlen(list);
        snprintf(list + used, size - used, "%s%s", i ? " or " : "", command->variants()[i]);
    }
}

/* The word that comes before all options, because it says which there are. */
static int read_variant(parser *p) {
    const char *word = p->next < p->count ? p->words[p->next] : NULL;
    char list[128] = "";
    if (!p->command->variants || (word && (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)))
        return CLI_DONE;
    list_variants(p->command, list, sizeof list);
    for (int i = 0; word && p->command->variants()[i]; i++)
        if (strcmp(p->command->variants()[i], word) == 0)
            p->request->variant = p->command->variants()[i];
    if (!word || word[0] == '-')
        return cli_fail(p->session, CLI_WRONG_USAGE, "%s needs a first word: %s", p->command->name,
                        list);
    if (!p->request->variant)
        return cli_fail(p->session, CLI_WRONG_USAGE, "%s knows %s, not '%.200s'", p->command->name,
                        list, word);
    keep_on_record(p, word);
    p->next++;
    return CLI_DONE;
}

/* Help, version and the list of recipes are shown whatever else is missing. */
static bool wants_words_only(const cli_request *request) {
    const char *recipe = request->choosing.recipe;
    return request->common.help || request->common.version ||
           (recipe && strcmp(recipe, "list") == 0);
}

/* ---- recipes ---- */

static const dgm_recipe *find_recipe(const char *name) {
    const dgm_recipe *recipe = NULL;
    for (size_t i = 0; (recipe = dgm_recipe_at(i)) && strcmp(recipe->name, name) != 0; i++)
        ;
    return recipe;
}

static int fail_recipe(parser *p, const char *name) {
    enum { MOST = 16 };
    const char *names[MOST + 1] = {NULL};
    for (size_t i = 0; i < MOST && dgm_recipe_at(i); i++)
        names[i] = dgm_recipe_at(i)->name;
    const char *near = dgm_name_nearest(name, names);
    return cli_fail(p->session, CLI_WRONG_USAGE,
                    "there is no recipe '%.100s'%s%s%s '--recipe list' shows them", name,
                    near ? "; did you mean '" : ";", near ? near : "", near ? "'?" : "");
}

/* What the recipe says and the command line does not. The record has it as plain options. */
static int apply_recipe(parser *p) {
    const char *name = p->request->choosing.recipe;
    const dgm_recipe *recipe = name ? find_recipe(name) : NULL;
    int code = CLI_DONE;
    if (!name || strcmp(name, "list") == 0)
        return code;
    if (!recipe)
        return fail_recipe(p, name);
    for (int i = 0; code == CLI_DONE && recipe->settings[i][0]; i++) {
        const char *const *setting = recipe->settings[i];
        if (cli_is_given(p->request, setting[0]))
            continue;
        code = store(p, find_option(p, setting[0]), setting[1]);
        keep_given(p, setting[0], setting[1]);
        fprintf(p->record, " --%s", setting[0]);
        keep_on_record(p, setting[1]);
    }
    return code;
}

static int read_words(parser *p) {
    int code = read_variant(p);
    while (code == CLI_DONE && p->next < p->count && !wants_words_only(p->request)) {
        const char *word = p->words[p->next++];
        if (!p->dashes && strcmp(word, "--") == 0)
            p->dashes = true;
        else if (!p->dashes && strncmp(word, "--", 2) == 0)
            code = read_long(p, word);
        else if (!p->dashes && word[0] == '-' && word[1])
            code = read_short(p, word);
        else
            code = read_operand(p, word);
    }
    if (code == CLI_DONE && !p->request->operand && !p->command->operand_optional &&
        !wants_words_only(p->request))
        code = cli_fail(p->session, CLI_WRONG_USAGE, "%s needs a %s: %s", p->command->name,
                        p->command->operand, p->command->operand_help);
    return code;
}

/* "--" and what follows come last, so that options can be put before them. */
static void end_record(parser *p) {
    p->request->command_end = (size_t)ftell(p->record);
    if (p->dashes)
        keep_on_record(p, "--");
    if (p->after)
        keep_on_record(p, p->after);
}

int cli_arguments_parse(cli_session *session, const cli_command *command, int argc, char **argv,
                        int first, cli_request *request) {
    size_t length;
    parser p = {.session = session,
                .command = command,
                .request = request,
                .words = argv,
                .count = argc,
                .next = first};
    p.record = open_memstream(&request->command, &length);
    if (!p.record)
        return cli_fail_memory(session);
    fprintf(p.record, "dgm %s", command->name);
    int code = read_words(&p);
    if (code == CLI_DONE)
        code = apply_recipe(&p);
    end_record(&p);
    if (!cli_close_text(p.record, &request->command) && code == CLI_DONE)
        code = cli_fail_memory(session);
    return code;
}
