/* SPDX-License-Identifier: Apache-2.0 */
/* Worker threads that wait with a bounded spin and then sleep. Loops that follow each other closely
 * find them awake; when other work holds the cores they give way, and a loop never waits for a
 * worker that has not begun: it runs the chunks itself. The core, which has no threads, is built
 * with base_crew_serial.c in place of base_crew.c.
 */
#ifndef BASE_CREW_H
#define BASE_CREW_H

#include "base_parallel.h"

typedef struct dgmi_crew dgmi_crew;

/* Runs body(argument, c, t) for each chunk c on the calling thread (t = 0) and at most `helpers`
 * workers (t in 1 .. helpers). *crew is made when it is NULL and grown when it is too small; where
 * that fails, fewer threads do the work. A loop inside a body runs on the thread that asks for it,
 * under that thread's number; a forked child makes a crew of its own. */
void dgmi_crew_run(dgmi_crew **crew, const dgm_allocator *allocator, int helpers, int64_t chunks,
                   dgmi_chunk_fn body, void *argument);
void dgmi_crew_free(dgmi_crew *crew, const dgm_allocator *allocator);

#endif
