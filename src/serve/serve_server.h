/* SPDX-License-Identifier: Apache-2.0 */
/* The inside of a server.
 *
 * Three threads work in it. The network's (libmicrohttpd's own) reads requests and writes responses,
 * and computes nothing. The asker takes tasks from a queue, one after another, and asks the explorer.
 * The looker computes lenses, which may take minutes, while the asker goes on with the lens before.
 * A request whose task is in the queue is suspended until it is done. */
#ifndef SERVE_SERVER_H
#define SERVE_SERVER_H

#include "dgm/serve.h"

#include <microhttpd.h>
#include <pthread.h>

#include "page_page.h"
#include "serve_guard.h"

enum {
    DGMI_SERVE_EVENTS = 64, /* events that are kept for slow readers */
    DGMI_SERVE_EVENT = 1024,
};

/* How much visitors may take. */
typedef struct dgmi_serve_limits {
    unsigned connections; /* that are open at a time; who comes later waits until one ends */
    unsigned patience;    /* seconds that a connection may be silent before it is closed */
    size_t body;          /* bytes of a question */
    size_t file;          /* bytes of a graph that is dropped on the page */
    size_t headers; /* bytes that a connection has for the line and the headers of a request, of
                             which libmicrohttpd takes a share for itself */
} dgmi_serve_limits;

/* A question on its way, and its answer. */
typedef struct dgmi_serve_task {
    struct MHD_Connection *connection;
    char question[32];
    char *body; /* the settings; never NULL once the task is in a queue */
    size_t length, capacity;
    struct dgmi_serve_upload *upload; /* a file in place of a body; NULL: it has none */
    bool queued;                      /* it counts among the unanswered ones of the server */
    bool done;
    bool stops;    /* the server ends when its response has been sent */
    unsigned code; /* the status of HTTP */
    char *answer;  /* from malloc */
    size_t answer_length;
    const char *type; /* the media type of the answer */
    const char *file; /* the name of a file that is downloaded; NULL: it is no file */
    struct dgmi_serve_task *next;
} dgmi_serve_task;

typedef struct dgmi_serve_queue {
    dgmi_serve_task *first, **last;
    pthread_cond_t filled;
} dgmi_serve_queue;

/* A page that listens to events. */
typedef struct dgmi_serve_listener {
    struct dgm_server *server;
    struct MHD_Connection *connection;
    uint64_t next; /* the event that it has not had yet */
    bool waits;    /* its connection is suspended */
    bool checked;  /* it gets a line that says nothing, to see whether it is still there */
    struct dgmi_serve_listener *beside;
} dgmi_serve_listener;

struct dgm_server {
    dgmi_serve_guard guard;
    char address[256];
    dgmi_serve_limits limits;
    struct MHD_Daemon *daemon;

    pthread_mutex_t lock; /* holds for all below it up to the next comment */
    dgmi_serve_queue questions, lenses;
    pthread_cond_t stopped;
    bool stopping;
    int64_t unanswered; /* questions whose responses have not been sent yet */
    uint64_t event_count;
    char events[DGMI_SERVE_EVENTS][DGMI_SERVE_EVENT]; /* event i is at i modulo their number */
    dgmi_serve_listener *listeners;
    bool looking;        /* a lens is being computed */
    bool changing;       /* the graph that is shown is about to change: no lens may be begun */
    bool uploading;      /* a file is on its way */
    pthread_cond_t idle; /* no lens is being computed any more */

    pthread_mutex_t at_explorer; /* holds for the explorers of the pages, their lenses and the
                                    context */
    dgm_context *ask_context;
    dgmi_page home;  /* the page of the graph that the server was started with */
    dgmi_page *page; /* the one that is shown: it, or `guest` */
    dgmi_page guest; /* that of a file, if one was opened */

    dgm_context *look_context; /* of the looker */
    double told;               /* when it has last told how far it is, in seconds */
    pthread_t asker, looker;
    bool asks, looks; /* these threads run */
};

/* ---- serve_server.c ---- */
/* The limits of a server in a process that may have that many files open. */
dgmi_serve_limits dgmi_serve_usual_limits(uint64_t files);
/* dgm_server_start with other limits than the usual ones. */
dgm_status dgmi_serve_start(dgm_context *ctx, const dgm_page_input *input,
                            const dgm_server_options *options, dgmi_serve_limits limits,
                            dgm_server **out);

/* ---- serve_http.c ---- */
enum MHD_Result dgmi_serve_handle(void *user, struct MHD_Connection *connection, const char *path,
                                  const char *method, const char *version, const char *data,
                                  size_t *size, void **state);
void dgmi_serve_forget(void *user, struct MHD_Connection *connection, void **state,
                       enum MHD_RequestTerminationCode code);

/* ---- serve_upload.c ---- */
/* Begins to take a file of that name, which may be anything; NULL: it cannot be kept. */
struct dgmi_serve_upload *dgmi_serve_upload_begin(dgm_server *server, const char *name);
/* Takes some of its bytes; false: there are too many, or they cannot be written. */
bool dgmi_serve_upload_take(struct dgmi_serve_upload *upload, const char *data, size_t size);
/* Ends it; NULL: something is missing. Otherwise the path of the file, which is deleted with the
 * upload. */
const char *dgmi_serve_upload_end(struct dgmi_serve_upload *upload);
void dgmi_serve_upload_free(struct dgmi_serve_upload *upload); /* NULL is fine */

/* ---- serve_tasks.c ---- */
/* Puts a task into its queue; its connection must be suspended. A newer picture or lens takes the
 * place of one that still waits, whose answer is stale. */
void dgmi_serve_enqueue(dgm_server *server, dgmi_serve_task *task);
/* Waits for a task; NULL: the server stops. */
dgmi_serve_task *dgmi_serve_next(dgm_server *server, dgmi_serve_queue *queue);
/* Tells all that wait that they are stale, with the lock held. */
void dgmi_serve_empty(dgmi_serve_queue *queue);
/* Lets the response go. */
void dgmi_serve_done(dgm_server *server, dgmi_serve_task *task);
/* The response has been sent, or its page has gone. */
void dgmi_serve_sent(dgm_server *server);
/* Makes the answer an error as JSON, of a status of the library. */
void dgmi_serve_fail(dgmi_serve_task *task, dgm_context *ctx, dgm_status status);
void *dgmi_serve_ask(void *user); /* the asker */
void dgmi_serve_task_free(dgmi_serve_task *task);

/* ---- serve_look.c ---- */
void *dgmi_serve_look(void *user); /* the looker */

/* ---- serve_events.c ---- */
/* Tells all pages that listen. The data is JSON on one line. */
void dgmi_serve_tell(dgm_server *server, const char *event, const char *data);
struct MHD_Response *dgmi_serve_listen(dgm_server *server, struct MHD_Connection *connection);
/* Tells all pages, and whoever waits for it, that this is the end. Only the first call does. */
void dgmi_serve_end(dgm_server *server);

#endif
