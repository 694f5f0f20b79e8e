/* SPDX-License-Identifier: Apache-2.0 */
/* Small TU folders in the scratch folder of a test. Included once a program, after io_scratch.h. */
#ifndef TU_SAMPLE_H
#define TU_SAMPLE_H

static int tu_folders;

/* Writes TOY_what.txt into the folder that was made last. */
static inline void tu_file(const char *what, const char *text) {
    char name[64];
    snprintf(name, sizeof name, "t%d/TOY_%s.txt", tu_folders, what);
    scratch_text(name, text);
}

static inline const char *tu_path(void) {
    char name[64];
    snprintf(name, sizeof name, "t%d", tu_folders);
    return scratch_path(name);
}

static inline void tu_remove(const char *what) {
    char name[64];
    snprintf(name, sizeof name, "t%d/TOY_%s.txt", tu_folders, what);
    assert_int_equal(remove(scratch_path(name)), 0);
}

/* A new folder of two graphs: a path 1 - 2 - 3 and an edge 4 - 5. */
static inline const char *tu_new_folder(void) {
    tu_folders++;
    tu_file("A", "1, 2\n2, 1\n2, 3\n3, 2\n4, 5\n5, 4\n");
    tu_file("graph_indicator", "1\n1\n1\n2\n2\n");
    tu_file("graph_labels", "-1\n1\n");
    return tu_path();
}

#endif
