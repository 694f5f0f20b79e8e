/* SPDX-License-Identifier: Apache-2.0 */
/* What a report is written with: headings, paragraphs, lists and tables, as Markdown or as plain
 * text, and numbers for people. */
#ifndef EXPORT_REPORT_H
#define EXPORT_REPORT_H

#include "dgm/report.h"

#include "export_formats.h"

/* Cells of a table, which is written when it is whole: its columns then stand under each other. */
enum { DGMI_EXPORT_MOST_COLUMNS = 8 };
typedef struct dgmi_export_grid {
    dgmi_text text; /* all cells, one after the other */
    int64_t *ends;  /* where each cell ends in `text`; owned */
    int64_t cells, capacity;
    int columns;
    bool right[DGMI_EXPORT_MOST_COLUMNS]; /* the column holds numbers */
} dgmi_export_grid;

typedef struct dgmi_export_page {
    dgmi_export *job;
    dgmi_text *to; /* where words go: the job's text, or the table at work */
    bool markdown;
    const dgm_report *report;
    dgm_report_totals totals;
    dgmi_export_grid grid;
} dgmi_export_page;

/* Words of our own, which hold no markup but **: in plain text it is left out. */
void dgmi_export_words(dgmi_export_page *page, const char *words);
/* Words of the data. What is longer than DGMI_EXPORT_NAME characters ends in "...". */
enum { DGMI_EXPORT_NAME = 80 };
void dgmi_export_data(dgmi_export_page *page, const char *text, size_t length);
/* A command, as code. */
void dgmi_export_code(dgmi_export_page *page, const char *text);

void dgmi_export_count(dgmi_export_page *page, int64_t number); /* "12,345" */
/* "node" or "nodes"; of "pair of pieces" the first word. */
void dgmi_export_noun(dgmi_export_page *page, int64_t number, const char *noun);
void dgmi_export_known(dgmi_export_page *page, int64_t number); /* "-" if it is negative */
/* "1 node", "12,345 nodes" */
void dgmi_export_count_of(dgmi_export_page *page, int64_t number, const char *noun);
/* Three digits: "0.0123", "45.6", "1993", "12,345", "1.23e-12" */
void dgmi_export_number(dgmi_export_page *page, double value);
/* A probability or a rate, two digits of it, or one and the power of ten: "0.017", "4e-6", "< 1e-12"
 */
void dgmi_export_chance(dgmi_export_page *page, double p);
void dgmi_export_decimals(dgmi_export_page *page, double value); /* two of them: "0.50" */
/* The same with its sign: "+0.63" */
void dgmi_export_signed(dgmi_export_page *page, double value);
void dgmi_export_percent(dgmi_export_page *page, double share); /* "94%" */

void dgmi_export_heading(dgmi_export_page *page, int level, const char *words);
void dgmi_export_paragraph_end(dgmi_export_page *page);
/* Begins an entry of a list, and ends it. */
void dgmi_export_item(dgmi_export_page *page);
void dgmi_export_item_end(dgmi_export_page *page);

/* Begins a table. The titles have '|' between them, and '>' before those of numbers. Then its cells
 * are filled row by row, and the table ends. */
void dgmi_export_grid_begin(dgmi_export_page *page, const char *titles);
void dgmi_export_cell_end(dgmi_export_page *page);
void dgmi_export_grid_end(dgmi_export_page *page);
void dgmi_export_grid_free(dgmi_export_page *page);

/* ---- export_report_words.c ---- */

void dgmi_export_name(dgmi_export_page *page, const char *name);
/* "Theory", or "class 7" if the name is a number */
void dgmi_export_class(dgmi_export_page *page, const char *name);
void dgmi_export_member(dgmi_export_page *page, const dgm_report_member *member);
/* "33, 0, 2 and 14 more" */
void dgmi_export_members(dgmi_export_page *page, const dgm_report_members *members);
/* ", q 0.003", or nothing if it is not known */
void dgmi_export_rate(dgmi_export_page *page, double q);
/* "Theory 13 of 14 (93%, 3.10 times chance, q 0.003); ..." */
void dgmi_export_classes(dgmi_export_page *page, const dgm_report_differences *classes);
/* The same in a cell of a table: "Theory (93%), Case_Based (5%)" */
void dgmi_export_class_cell(dgmi_export_page *page, const dgm_report_differences *classes);
/* Begins an entry of a list with its label: "- **Who**: " */
void dgmi_export_label(dgmi_export_page *page, const char *words);
/* Returns whether the nodes have classes. */
bool dgmi_export_has_classes(const dgmi_export_page *page);
/* "12 more clusters of at most 3 nodes are not listed here." `most` is 0 if they have no size. */
void dgmi_export_rest(dgmi_export_page *page, int64_t count, const char *noun, int64_t most,
                      const char *advice);
/* "3 (Theory), 7 (Theory)"; by_number NULL: "3, 7" */
void dgmi_export_cluster_list(dgmi_export_page *page, const uint32_t *clusters, int64_t count,
                              const dgm_report_cluster *const *by_number);

/* ---- sections; by_number has the clusters by their numbers ---- */

void dgmi_export_clusters(dgmi_export_page *page);
void dgmi_export_bridges(dgmi_export_page *page, const dgm_report_cluster *const *by_number);
void dgmi_export_loops(dgmi_export_page *page, const dgm_report_cluster *const *by_number);
void dgmi_export_branches(dgmi_export_page *page, const dgm_report_cluster *const *by_number);

#endif
