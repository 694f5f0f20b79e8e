/* SPDX-License-Identifier: Apache-2.0 */
/* The inside of an explorer, and the questions that it answers. */
#ifndef EXPLORE_EXPLORER_H
#define EXPLORE_EXPLORER_H

#include "dgm/explore.h"
#include "dgm/report.h"

#include "base_memory.h"
#include "explore_answer.h"
#include "explore_marks.h"
#include "explore_query.h"
#include "graph_simple.h"
#include "mapper_name.h"

/* An option of the workspace and what it is now. */
typedef struct dgmi_explore_setting {
    const dgm_option *option;
    const char *group; /* the title of its table */
    char *text;        /* its value; "": it was never set and has no default */
    char *first;       /* its value when the first picture was asked for; NULL: not yet */
} dgmi_explore_setting;

enum { DGMI_EXPLORE_LENS_TEXTS = 6 }; /* name, command, words, and three of the provenance */

struct dgm_explorer {
    dgm_allocator allocator;
    const dgm_graph *graph;
    dgmi_graph_simple_rows rows; /* of the graph, without directions and loops */
    dgmi_arena arena;            /* where these lie */
    dgm_workspace *workspace;
    dgmi_explore_setting *settings;
    int setting_count;

    dgm_explorer_lens lens;                    /* its texts are the explorer's own: */
    char *lens_texts[DGMI_EXPLORE_LENS_TEXTS]; /* all of them */
    char *command;                             /* what makes the last picture */
    char *start;  /* what the caller adds to every answer of `start`; NULL: nothing */
    char *choice; /* what it adds of the graph that is shown: why these settings; NULL likewise */

    int64_t serial;          /* the number of the last picture */
    dgmi_mapper_names names; /* what clusters are called in the picture `named`; empty: not yet */
    int64_t named;
    bool untimed; /* pictures say that they took no time: they go into a file */
    bool drawn;   /* there was a picture */
    double *node; /* x and y of each node in the last picture, NaN: it was in none; NULL likewise */
    uint32_t
        *mark; /* a mark of the last picture that each node was in, or DGMI_EXPLORE_NOWHERE; NULL
                       likewise */
    int64_t last_marks; /* the number of marks of the last picture */
    /* What sets of nodes are compared by; made when it is first asked for, NULL before. */
    dgm_comparison *comparison;
    struct dgmi_explore_columns *columns; /* likewise; they lie in an arena of their own */
    dgmi_arena column_arena;
    struct dgmi_explore_pin *pins; /* marks that stay where they were put; NULL: none */
    int64_t pin_count;

    /* A part of the graph that is mapped as its own graph has an explorer inside this one, to which
     * all questions go. NULL: there is none. */
    dgm_explorer *inner, *outer;

    /* What came out of a pack or of a larger graph; NULL: the caller has it. */
    struct {
        dgm_graph *graph;
        dgm_matrix *axes;
        dgm_predictions *predictions;
    } own;
};

#define DGMI_EXPLORE_NOWHERE UINT32_MAX

/* What the last picture shows. */
typedef struct dgmi_explore_shown {
    const dgm_summary *summary;
    const dgm_profile *profile;
    const dgm_view *view;
    dgm_summary_clusters clusters;
} dgmi_explore_shown;

/* Finds what is shown; DGM_ERROR_CANCELLED if `serial` in the query is that of another picture. */
dgm_status dgmi_explore_current(dgm_context *ctx, dgm_explorer *explorer,
                                const dgmi_explore_query *query, dgmi_explore_shown *out);
/* Reads the number of a cluster. */
dgm_status dgmi_explore_cluster_of(dgm_context *ctx, const dgmi_explore_shown *shown,
                                   const dgmi_explore_query *query, const char *name, int64_t *out);

/* ---- explore_settings.c ---- */

dgm_status dgmi_explore_settings_make(dgm_context *ctx, dgm_explorer *explorer);
void dgmi_explore_settings_free(dgm_explorer *explorer);
/* What a query changed: the texts before, which belong to it; NULL: as it was. */
typedef struct dgmi_explore_change {
    const dgmi_explore_query *query;
    char *before[DGMI_EXPLORE_MOST_SETTINGS];
} dgmi_explore_change;
/* Sets all that the query names, or nothing if one of them is wrong. Names in `others`, which ends
 * with NULL, are no settings. The caller ends a change that was made, and keeps it if what followed
 * from it went well; otherwise all settings are put back, and the error that was recorded stays. */
dgm_status dgmi_explore_settings_apply(dgm_context *ctx, dgm_explorer *explorer,
                                       const dgmi_explore_query *query, const char *const *others,
                                       dgmi_explore_change *change);
void dgmi_explore_settings_end(dgm_context *ctx, dgm_explorer *explorer,
                               dgmi_explore_change *change, bool keep);
/* Keeps the settings as what a page begins with, unless that was done before. */
dgm_status dgmi_explore_settings_begin(dgm_context *ctx, dgm_explorer *explorer);
/* Begins anew with the settings as they are now. */
void dgmi_explore_settings_renew(dgm_explorer *explorer);
/* Appends the settings as an object, as they are or as they were first, and the tables that they come
 * from as a list. */
void dgmi_explore_settings_say(const dgm_explorer *explorer, bool first,
                               dgmi_explore_answer *answer);
void dgmi_explore_options_say(const dgm_explorer *explorer, dgmi_explore_answer *answer);
/* Appends one option as an object. */
void dgmi_explore_option_say(dgmi_explore_answer *answer, const char *group,
                             const dgm_option *option);
/* Appends a word as a shell takes it: in single quotes unless it is plain. */
void dgmi_explore_append_word(dgmi_text *text, const char *word);
/* Writes the command that makes what is set, and tells it to the workspace. */
dgm_status dgmi_explore_command_make(dgm_context *ctx, dgm_explorer *explorer);

/* ---- explore_names.c: what nodes and clusters are called ---- */

enum { DGMI_EXPLORE_NAME = 256 };
/* The name of a node: `buffer` or the graph's own text. */
const char *dgmi_explore_node_name(const dgm_graph *graph, int64_t node,
                                   char buffer[DGMI_EXPLORE_NAME], size_t *length);
void dgmi_explore_say_node(dgmi_explore_answer *answer, const char *key, const dgm_graph *graph,
                           int64_t node);
/* Makes explorer->names for what is shown, if they are those of another picture. */
dgm_status dgmi_explore_name_clusters(dgm_context *ctx, dgm_explorer *explorer,
                                      const dgmi_explore_shown *shown);
/* Appends what a cluster is called, after the names were made. */
void dgmi_explore_say_cluster(dgmi_explore_answer *answer, const char *key,
                              const dgm_explorer *explorer, int64_t cluster);
/* Appends the range of each column of the axes as a list. */
void dgmi_explore_say_axes(const dgm_explorer *explorer, dgmi_explore_answer *answer);

/* ---- explore_picture.c ---- */

/* Keeps where the nodes stand, for the next picture to start from. */
dgm_status dgmi_explore_remember_places(dgm_context *ctx, dgm_explorer *explorer,
                                        const dgmi_explore_shown *shown);

/* ---- explore_levels.c ---- */

dgm_explorer *dgmi_explore_innermost(dgm_explorer *explorer);
const dgm_explorer *dgmi_explore_outermost(const dgm_explorer *explorer);
/* Numbers the pictures of one explorer on from those of another that was shown before, so that a
 * question about the one is none about the other. */
void dgmi_explore_follow(dgm_explorer *next, dgm_explorer *before);
/* Appends the list `levels`. */
void dgmi_explore_say_levels(const dgm_explorer *explorer, dgmi_explore_answer *answer);

/* ---- explore_pins.c ---- */

void dgmi_explore_pins_free(dgm_explorer *explorer);
/* Finds the cluster that each pin holds, or -1, in scratch memory. */
dgm_status dgmi_explore_pins_find(dgm_context *ctx, const dgm_explorer *explorer,
                                  const dgmi_explore_shown *shown, int64_t **out);
/* Puts these clusters where their pins are. */
dgm_status dgmi_explore_pins_hold(dgm_context *ctx, const dgm_explorer *explorer,
                                  const dgmi_explore_shown *shown);
/* Appends the array `pinned`. */
dgm_status dgmi_explore_put_pinned(dgm_context *ctx, const dgm_explorer *explorer,
                                   const dgmi_explore_shown *shown, const dgmi_explore_marks *m,
                                   dgmi_explore_answer *answer);

/* ---- the questions ---- */

typedef dgm_status dgmi_explore_question(dgm_context *ctx, dgm_explorer *explorer,
                                         const dgmi_explore_query *query,
                                         dgmi_explore_answer *answer);
dgmi_explore_question dgmi_explore_start, dgmi_explore_picture, dgmi_explore_cluster,
    dgmi_explore_members, dgmi_explore_edge, dgmi_explore_search, dgmi_explore_bridges,
    dgmi_explore_select, dgmi_explore_columns_ask, dgmi_explore_mistakes, dgmi_explore_lens_view,
    dgmi_explore_thumbnail, dgmi_explore_persistence, dgmi_explore_subgraph, dgmi_explore_focus,
    dgmi_explore_back, dgmi_explore_pin;

#endif
