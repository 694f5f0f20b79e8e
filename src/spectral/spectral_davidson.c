/* SPDX-License-Identifier: Apache-2.0 */
/* The smallest eigenpairs of a Laplacian by a generalised Davidson method with thick, locally
 * optimal restarts (GD+k: Stathopoulos and Saad 1998; Stathopoulos 2007).
 *
 * The search space V is orthonormal and orthogonal to the known null vector. Each step takes the
 * Ritz pairs (theta, x) of V'NV, extends V by T (Nx - theta x) for the first pairs that have not
 * converged, and when V is full keeps the best Ritz vectors and those of the step before, which
 * makes a short basis nearly as good as the whole history. T is first the inverse of the diagonal,
 * so that on a normalised Laplacian this is a restarted Lanczos method: some ten products on graphs
 * that mix well. Where that is slow (webs, roads, long paths: eigenvalues crowd at 0), T becomes an
 * approximate elimination of L, and the steps no longer depend on how small the eigenvalues are.
 * Where it is slow because the wanted eigenvalue lies at the edge of a crowd (preferential
 * attachment), no method of products needs far fewer of them: T becomes a polynomial, which makes
 * two dozen products in a row in single precision and without the work on V between them.
 */
#include "spectral_laplacian.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base_context.h"
#include "base_memory.h"
#include "base_parallel.h"
#include "base_random.h"
#include "spectral_basis.h"
#include "spectral_dense.h"
#include "spectral_elimination.h"
#include "spectral_filter.h"

enum {
    GRAIN = 1 << 12,
    SMALL = 160,     /* rows of a matrix that is taken as dense */
    BLOCK = 4,       /* pairs improved in one step, at most */
    TRAIL = 32,      /* steps over which the speed of convergence is judged */
    SOON = 16,       /* the same where steps are dear beside an inverse: there is a core */
    FILL = 12,       /* entries of the inverse for each of the matrix, at most */
    WHOLE = 1 << 24, /* entries of a matrix whose inverse is made of all of them, at most */
    CORE = 16,       /* of a larger one only one entry in so many is listed, those of a core not */
    SLOW = 64,       /* steps ahead from which a filter pays */
};
/* Eigenvalues that are a smaller share of the diagonal than this come sooner with an inverse;
 * others lie in a crowd that no inverse thins out. */
static const double LOW = 0.2;
/* The shift of an inverse as a share of the lowest Ritz value, which lies above its eigenvalue. */
static const double SHIFT = 0.9;

typedef struct {
    dgm_context *ctx;
    const dgmi_spectral_laplacian *laplacian;
    const dgmi_spectral_eigen_request *request;
    dgmi_spectral_eigen_report *report;
    int64_t rows, wanted, block;
    int64_t keep, most, room;   /* columns: kept by a restart, at most, and there is space for */
    dgmi_spectral_basis whole;  /* the null vector, then `search` */
    dgmi_spectral_basis search; /* V */
    dgmi_spectral_basis images; /* N V */
    dgmi_spectral_basis corrections;
    int64_t width;     /* of V */
    double *projected; /* V'NV, rows of `room` */
    double *compact, *space;
    double *values, *weights; /* Ritz pairs: weights[i * width ..] */
    double *previous;         /* weights of the pairs improved in the last step, rows of `room` */
    int64_t previous_count, previous_width;
    double *diagonal; /* of N */
    bool uneven;      /* its entries differ */
    bool filterable;  /* single precision will do for N */
    double norm;      /* bound of N's */
    double *scaled;   /* space for a vector that the columns point into */
    dgmi_spectral_elimination inverse;
    bool inverted;
    int64_t core_from; /* entries above which a matrix has a core */
    int64_t judged;    /* steps over which the speed is judged */
    int64_t listed;    /* entries that an inverse is made of; -1: not counted yet */
    dgmi_spectral_filter filter;
    bool filtered;
    int64_t settled;         /* the first pairs, which have converged */
    int64_t improving;       /* pairs whose residuals are in `corrections` */
    int64_t targets[BLOCK];  /* which they are */
    double residuals[BLOCK]; /* theirs */
    double start;            /* the first residual of all */
    double trail[TRAIL];
    int64_t trail_length;
    double fraction;
    uint64_t draws;
} davidson;

static void multiply(davidson *d, const double *x, double *image) {
    dgmi_spectral_laplacian_product(d->ctx, d->laplacian, x, image, d->scaled);
    d->report->products++;
}

/* What a residual must reach; products carry rounding errors of some units in the last place. */
static double goal(const davidson *d, double value) {
    return fmax(d->request->tolerance * fabs(value), 16 * DBL_EPSILON * d->norm);
}

/* ---- the search space ---- */

/* Makes x orthogonal to the null vector and the search space, of unit length; false if nothing of
 * it is left. Twice is enough (Kahan, Parlett), unless rounding is all there was. */
static bool orthonormalise(davidson *d, double *x) {
    double dots[DGMI_SPECTRAL_BASIS_MOST + 1];
    int64_t count = d->width + 1;
    double before = dgmi_spectral_basis_dots(d->ctx, &d->whole, count, x, dots), whole = before;
    double after = dgmi_spectral_basis_subtract(d->ctx, &d->whole, count, dots, 1, x, dots);
    for (int pass = 0; pass < 2; pass++) {
        /* What the next subtraction will leave, so that it can scale as well. */
        double left = before = after;
        for (int64_t c = 0; c < count; c++)
            left -= dots[c] * dots[c];
        if (!(left > whole * DBL_EPSILON * DBL_EPSILON * 100))
            return false;
        whole /= left;
        after = dgmi_spectral_basis_subtract(d->ctx, &d->whole, count, dots, 1 / sqrt(left), x,
                                             left > before / 2 ? NULL : dots);
        if (left > before / 2)
            return true;
    }
    return false;
}

/* The last row and column of V'NV. */
static void project_column(davidson *d, int64_t column) {
    double dots[DGMI_SPECTRAL_BASIS_MOST];
    dgmi_spectral_basis_dots(d->ctx, &d->search, column + 1,
                             dgmi_spectral_basis_column(&d->images, column), dots);
    for (int64_t c = 0; c <= column; c++)
        d->projected[column * d->room + c] = d->projected[c * d->room + column] = dots[c];
}

static bool extend(davidson *d, const double *x) {
    double *column = dgmi_spectral_basis_column(&d->search, d->width);
    memcpy(column, x, (size_t)d->rows * sizeof *x);
    if (!orthonormalise(d, column))
        return false;
    multiply(d, column, dgmi_spectral_basis_column(&d->images, d->width));
    project_column(d, d->width++);
    return true;
}

typedef struct {
    davidson *d;
    double *x;
    uint64_t stream;
} random_job;

static void random_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    const random_job *job = argument;
    int64_t begin, end;
    dgmi_chunk(job->d->rows, GRAIN, chunk, &begin, &end);
    for (int64_t i = begin; i < end; i++)
        job->x[i] = dgmi_random_unit(job->d->request->seed, job->stream, (uint64_t)i) - 0.5;
}

static void extend_randomly(davidson *d) {
    double *x = dgmi_spectral_basis_column(&d->corrections, 0);
    random_job job = {d, x, d->draws++};
    dgmi_parallel(d->ctx, dgmi_chunks(d->rows, GRAIN), random_chunk, &job);
    extend(d, x);
}

/* Rounding errors of the restarts gather in the images; this starts them afresh. */
static void refresh_images(davidson *d) {
    for (int64_t c = 0; c < d->width; c++)
        multiply(d, dgmi_spectral_basis_column(&d->search, c),
                 dgmi_spectral_basis_column(&d->images, c));
    for (int64_t c = 0; c < d->width; c++)
        project_column(d, c);
}

/* ---- Ritz pairs ---- */

static dgm_status find_ritz_pairs(davidson *d) {
    int64_t n = d->width;
    for (int64_t i = 0; i < n; i++)
        memcpy(d->compact + i * n, d->projected + i * d->room, (size_t)n * sizeof(double));
    if (!dgmi_spectral_dense_eigen(n, d->compact, d->values, d->weights, d->space))
        return dgmi_fail(d->ctx, DGM_ERROR_DATA,
                         "the eigenvectors' iteration met a value that is no number; are the "
                         "weights too large?");
    d->filter.top = fmax(d->filter.top, d->values[n - 1]); /* no Ritz value lies above the top */
    return DGM_OK;
}

/* Residuals of the first pairs that have not converged, into the corrections. */
static void measure(davidson *d) {
    int64_t settled = d->settled;
    d->improving = 0;
    for (int64_t i = settled; i < d->wanted && d->improving < d->block; i++) {
        double *x = dgmi_spectral_basis_column(&d->corrections, d->improving);
        double residual = sqrt(dgmi_spectral_basis_residual(
            d->ctx, &d->search, &d->images, d->width, d->weights + i * d->width, d->values[i], x));
        if (residual <= goal(d, d->values[i])) {
            if (i == d->settled)
                d->settled++;
            continue;
        }
        d->residuals[d->improving] = residual;
        d->targets[d->improving++] = i;
    }
    if (d->settled != settled)
        d->trail_length = 0;
    if (d->improving == 0)
        return;
    if (d->start == 0)
        d->start = d->residuals[0];
    d->trail[d->trail_length++ % TRAIL] = log(d->residuals[0]);
}

/* Weights of the last step's Ritz vectors, orthonormal to the first `kept` and to each other,
 * behind those; returns how many there are then. */
static int64_t keep_previous(davidson *d, int64_t kept) {
    int64_t n = d->width;
    for (int64_t i = 0; i < d->previous_count; i++) {
        double *row =
            d->weights + kept * n; /* the Ritz vectors behind `keep` are not needed any more */
        memcpy(row, d->previous + i * d->room, (size_t)d->previous_width * sizeof *row);
        memset(row + d->previous_width, 0, (size_t)(n - d->previous_width) * sizeof *row);
        double length = 0;
        for (int pass = 0; pass < 2; pass++) {
            for (int64_t k = 0; k < kept; k++) {
                double dot = 0;
                for (int64_t c = 0; c < n; c++)
                    dot += d->weights[k * n + c] * row[c];
                for (int64_t c = 0; c < n; c++)
                    row[c] -= dot * d->weights[k * n + c];
            }
            length = 0;
            for (int64_t c = 0; c < n; c++)
                length += row[c] * row[c];
            length = sqrt(length);
            if (length < 1e-10)
                break;
            for (int64_t c = 0; c < n; c++)
                row[c] /= length;
        }
        if (length >= 1e-10)
            kept++;
    }
    return kept;
}

/* projected <- C' projected C for the `kept` weights C. */
static void project_again(davidson *d, int64_t kept) {
    int64_t n = d->width;
    for (int64_t i = 0; i < kept; i++)
        for (int64_t c = 0; c < n; c++) {
            double sum = 0;
            for (int64_t k = 0; k < n; k++)
                sum += d->weights[i * n + k] * d->projected[k * d->room + c];
            d->compact[i * n + c] = sum;
        }
    for (int64_t i = 0; i < kept; i++)
        for (int64_t j = 0; j < kept; j++) {
            double sum = 0;
            for (int64_t c = 0; c < n; c++)
                sum += d->compact[i * n + c] * d->weights[j * n + c];
            d->projected[i * d->room + j] = sum;
        }
}

static void restart(davidson *d) {
    int64_t kept = keep_previous(d, d->keep);
    project_again(d, kept);
    dgmi_spectral_basis_combine(d->ctx, &d->search, 0, d->width, d->weights, kept);
    dgmi_spectral_basis_combine(d->ctx, &d->images, 0, d->width, d->weights, kept);
    d->width = kept;
    /* The Ritz vectors are the first columns now. */
    memset(d->weights, 0, (size_t)(kept * kept) * sizeof *d->weights);
    for (int64_t i = 0; i < kept; i++)
        d->weights[i * kept + i] = 1;
}

/* ---- improving them ---- */

/* Steps that the present speed needs for what is left. */
static double steps_ahead(const davidson *d) {
    double last = log(d->residuals[0]), target = log(goal(d, d->values[d->targets[0]]));
    double before = d->trail[(d->trail_length - d->judged) % TRAIL];
    double speed = (before - last) / (double)(d->judged - 1);
    double pairs = ceil((double)(d->wanted - d->settled) / (double)d->block);
    return speed > 0 ? (last - target) / speed * pairs : INFINITY;
}

/* What is eliminated of a large graph is small beside the graph, in time and memory. */
static int64_t ends_to_list(const dgmi_spectral_adjacency *graph, int64_t whole) {
    int64_t entries = dgmi_spectral_adjacency_entries(graph);
    if (entries <= whole)
        return entries;
    return entries / CORE > whole / 4 ? entries / CORE : whole / 4;
}

/* The steps that an inverse costs, made and used: measured, an entry of the matrix takes 350 times
 * as long to eliminate as to multiply, and a row of a step some 15 times as long. */
static double price_of_inverse(davidson *d) {
    double entries = (double)dgmi_spectral_adjacency_entries(&d->laplacian->graph),
           rows = (double)d->rows;
    if (d->listed < 0)
        d->listed = dgmi_spectral_elimination_listed(
            &d->laplacian->graph, ends_to_list(&d->laplacian->graph, d->core_from));
    return 60 + 350 * (double)d->listed / (entries + 15 * rows);
}

/* The inverse of a small matrix may take what it likes; that of a large one takes a few times as
 * much as it is made of. */
static int64_t most_fill(const davidson *d) {
    int64_t entries = dgmi_spectral_adjacency_entries(&d->laplacian->graph);
    int64_t bound = FILL / 3 * (d->listed > d->core_from ? d->listed : d->core_from);
    return FILL * entries < bound ? FILL * entries : bound;
}

/* Whether the first target's eigenvalue is low beside the diagonal as its vector x weighs it: theta
 * against the sum of N_ii x_i^2. */
static bool is_low(davidson *d) {
    double *x = d->scaled, minus[DGMI_SPECTRAL_BASIS_MOST], mean = 0;
    const double *weights = d->weights + d->targets[0] * d->width;
    for (int64_t c = 0; c < d->width; c++)
        minus[c] = -weights[c];
    memset(x, 0, (size_t)d->rows * sizeof *x);
    dgmi_spectral_basis_subtract(d->ctx, &d->search, d->width, minus, 1, x, NULL);
    for (int64_t i = 0; i < d->rows; i++)
        mean += d->diagonal[i] * x[i] * x[i];
    return d->values[d->targets[0]] < LOW * mean;
}

/* Short while steps are cheap, longer where each brings a solution: room for what is kept, for the
 * step before, and for some more. */
static void set_room(davidson *d, bool inverted) {
    d->keep = d->wanted + d->wanted / 4 + (inverted ? 3 : 1);
    d->most = d->keep + 3 * d->block + (inverted ? 3 : 0);
}

/* An elimination of the tails of a core is about exact, so a shift up to the wanted eigenvalue
 * makes it tell that one from its neighbours, of which there are many: each tail has its own. */
static dgm_status make_inverse(davidson *d) {
    const dgmi_spectral_adjacency *graph = &d->laplacian->graph;
    bool core = d->listed < dgmi_spectral_adjacency_entries(graph);
    double shift = core && !d->inverted ? SHIFT * d->values[d->targets[0]] : 0;
    dgmi_spectral_elimination_free(&d->inverse);
    dgm_status status = dgmi_spectral_elimination_create(
        d->ctx, d->laplacian, shift, d->request->seed, ends_to_list(graph, d->core_from),
        most_fill(d), &d->inverse);
    d->inverted = status == DGM_OK;
    d->filtered = false;
    d->report->fill = d->inverse.entries;
    *(d->inverse.shift > 0 ? &d->report->shifted_at : &d->report->inverted_at) = d->report->steps;
    d->trail_length = 0;
    set_room(d, true);
    return status;
}

static dgm_status make_filter(davidson *d) {
    dgm_status status = dgmi_spectral_filter_create(
        d->ctx, d->laplacian, d->norm / 2, d->request->seed, &d->filter, &d->report->products);
    d->filtered = status == DGM_OK;
    d->trail_length = 0;
    return status;
}

/* Slow convergence has two cures: an inverse where the eigenvalues are low, a filter where they lie
 * at the edge of a crowd. A step with a filter takes as long as half its products without. A shift
 * that does not help is taken back. */
static dgm_status choose_help(davidson *d) {
    if ((d->inverted && d->inverse.shift == 0) || d->trail_length < d->judged)
        return DGM_OK;
    double ahead = steps_ahead(d) * (d->filtered ? DGMI_SPECTRAL_FILTER_DEGREE / 2 : 1);
    bool unhelped = d->filterable && !d->filtered && !d->inverted && d->trail_length % 8 == 0;
    if (ahead >= price_of_inverse(d) && (d->inverted || is_low(d)))
        return make_inverse(d);
    if (unhelped && ahead >= SLOW && !is_low(d))
        return make_filter(d);
    return DGM_OK;
}

typedef struct {
    int64_t rows;
    const double *factor, *divisor;
    double *x;
} scale_job;

static void scale_chunk(void *argument, int64_t chunk, int thread) {
    (void)thread;
    const scale_job *job = argument;
    int64_t begin, end;
    dgmi_chunk(job->rows, GRAIN, chunk, &begin, &end);
    for (int64_t i = begin; job->factor && i < end; i++)
        job->x[i] *= job->factor[i];
    for (int64_t i = begin; job->divisor && i < end; i++)
        job->x[i] /= job->divisor[i];
}

static void scale_rows(davidson *d, const double *factor, const double *divisor, double *x) {
    scale_job job = {d->rows, factor, divisor, x};
    if (factor || divisor)
        dgmi_parallel(d->ctx, dgmi_chunks(d->rows, GRAIN), scale_chunk, &job);
}

/* x <- T x, with T about N's inverse: B^1/2 L^-1 B^1/2. */
static void precondition(davidson *d, double *x) {
    const double *root = d->laplacian->root;
    if (!d->inverted) {
        scale_rows(d, NULL, d->uneven ? d->diagonal : NULL, x);
        return;
    }
    scale_rows(d, root, NULL, x);
    dgmi_spectral_elimination_solve(&d->inverse, x, d->scaled);
    scale_rows(d, root, NULL, x);
    d->report->solves++;
}

/* x <- q(N) x. The crowd begins at the first Ritz value that is not wanted. */
static void thin_out(davidson *d, int64_t target, double *x) {
    double shift = d->values[target], top = d->filter.top;
    double low = fmax(d->values[d->wanted], shift + 1e-4 * (top - shift));
    if (!(low < top))
        return;
    d->report->products +=
        dgmi_spectral_filter_apply(d->ctx, &d->filter, shift, low, d->values[0], x);
    d->report->filters++;
}

static void improve(davidson *d) {
    int64_t width = d->width;
    for (int64_t i = 0; i < d->improving; i++) {
        double *x = dgmi_spectral_basis_column(&d->corrections, i);
        if (d->filtered)
            thin_out(d, d->targets[i], x);
        else
            precondition(d, x);
    }
    for (int64_t i = 0; i < d->improving; i++)
        extend(d, dgmi_spectral_basis_column(&d->corrections, i));
    if (d->width == width)
        extend_randomly(d);
}

/* Before the space grows: the pairs as they are now, for the next restart. */
static void remember(davidson *d) {
    d->previous_count = d->improving;
    d->previous_width = d->width;
    for (int64_t i = 0; i < d->improving; i++)
        memcpy(d->previous + i * d->room, d->weights + d->targets[i] * d->width,
               (size_t)d->width * sizeof *d->previous);
}

/* Residuals fall about evenly on a logarithmic scale. */
static dgm_status report_progress(davidson *d) {
    double done = (double)d->settled;
    for (int64_t i = 0; i < d->improving; i++) {
        double whole = log(d->start / goal(d, d->values[d->targets[i]]));
        double part = log(d->start / d->residuals[i]);
        done += whole > 0 && part > 0 ? fmin(part / whole, 1) : 0;
    }
    d->fraction = fmax(d->fraction, fmin(done / (double)d->wanted, 1));
    return dgmi_progress(d->ctx, "computing eigenvectors", d->fraction);
}

/* Ritz vectors and their true residuals; whether all have converged. */
static bool conclude(davidson *d, double *vectors, double *values, double *residuals) {
    bool converged = true;
    for (int64_t i = 0; i < d->wanted; i++) {
        double *x = vectors + i * d->rows, *image = dgmi_spectral_basis_column(&d->corrections, 0);
        double minus[DGMI_SPECTRAL_BASIS_MOST], length, value;
        const dgmi_spectral_basis self = {d->rows, x, d->whole.partials};
        for (int64_t c = 0; c < d->width; c++)
            minus[c] = -d->weights[i * d->width + c];
        memset(x, 0, (size_t)d->rows * sizeof *x);
        length = dgmi_spectral_basis_subtract(d->ctx, &d->search, d->width, minus, 1, x, NULL);
        dgmi_spectral_basis_scale(d->ctx, d->rows, 1 / sqrt(length), x);
        multiply(d, x, image);
        dgmi_spectral_basis_dots(d->ctx, &self, 1, image, &value);
        values[i] = value;
        residuals[i] = sqrt(dgmi_spectral_basis_subtract(d->ctx, &self, 1, &value, 1, image, NULL));
        converged = converged && residuals[i] <= 1.25 * goal(d, value);
    }
    return converged;
}

static dgm_status iterate(davidson *d, double *vectors, double *values, double *residuals) {
    for (;; d->report->steps++) {
        dgm_status status = find_ritz_pairs(d);
        if (status != DGM_OK)
            return status;
        measure(d);
        bool last = d->report->steps >= d->request->steps;
        if (d->settled == d->wanted || last) {
            d->report->converged = conclude(d, vectors, values, residuals);
            if (d->report->converged || last)
                return DGM_OK;
            refresh_images(d);
            d->settled = d->trail_length = 0;
            d->previous_count = 0;
            continue;
        }
        status = report_progress(d);
        if (status == DGM_OK)
            status = choose_help(d);
        if (status != DGM_OK)
            return status;
        if (d->width + d->improving > d->most)
            restart(d);
        remember(d);
        improve(d);
    }
}

/* ---- beginning ---- */

static void set_null_vector(davidson *d) {
    double *x = dgmi_spectral_basis_column(&d->whole, 0), square;
    for (int64_t i = 0; i < d->rows; i++)
        x[i] = d->laplacian->root ? d->laplacian->root[i] : 1;
    dgmi_spectral_basis_dots(d->ctx, &d->whole, 1, x, &square);
    dgmi_spectral_basis_scale(d->ctx, d->rows, 1 / sqrt(square), x);
}

/* Its square, its inverse and its products with the like are numbers in single precision too. */
static bool is_moderate(double x) {
    return x > 1e-9 && x < 1e9;
}

static dgm_status prepare(davidson *d) {
    dgm_context *ctx = d->ctx;
    int64_t squares = d->room * d->room;
    if (dgmi_spectral_basis_create(ctx, d->rows, d->room + 1, &d->whole) != DGM_OK ||
        dgmi_spectral_basis_create(ctx, d->rows, d->room, &d->images) != DGM_OK ||
        dgmi_spectral_basis_create(ctx, d->rows, d->block, &d->corrections) != DGM_OK)
        return DGM_ERROR_MEMORY;
    d->search = (dgmi_spectral_basis){d->rows, d->whole.values + d->rows, d->whole.partials};
    d->projected = dgmi_scratch(ctx, squares, sizeof(double));
    d->compact = dgmi_scratch(ctx, squares, sizeof(double));
    d->weights = dgmi_scratch(ctx, squares, sizeof(double));
    d->values = dgmi_scratch(ctx, d->room, sizeof(double));
    d->space = dgmi_scratch(ctx, d->room, sizeof(double));
    d->previous = dgmi_scratch(ctx, BLOCK * d->room, sizeof(double));
    d->diagonal = dgmi_scratch(ctx, d->rows, sizeof(double));
    d->scaled =
        dgmi_scratch(ctx, dgmi_spectral_adjacency_numbers(&d->laplacian->graph), sizeof(double));
    if (!d->projected || !d->compact || !d->weights || !d->values || !d->space || !d->previous ||
        !d->diagonal || !d->scaled)
        return DGM_ERROR_MEMORY;
    d->norm = dgmi_spectral_laplacian_diagonal(ctx, d->laplacian, d->diagonal);
    for (int64_t i = 0; i < d->rows && !d->uneven; i++)
        d->uneven = d->diagonal[i] < d->norm / 2 * (1 - 1e-12);
    d->filterable = !d->uneven && is_moderate(d->norm);
    for (int64_t i = 0; d->laplacian->root && i < d->rows && d->filterable; i++)
        d->filterable = is_moderate(d->laplacian->root[i]);
    return DGM_OK;
}

static dgm_status solve_sparse(davidson *d, double *vectors, double *values, double *residuals) {
    dgmi_hold hold = dgmi_arena_hold(d->ctx);
    dgm_status status = prepare(d);
    if (status == DGM_OK) {
        set_null_vector(d);
        for (int64_t i = 0; i < d->wanted + 1; i++)
            extend_randomly(d);
        status = iterate(d, vectors, values, residuals);
    }
    dgmi_spectral_elimination_free(&d->inverse);
    dgmi_arena_release(d->ctx, hold);
    return status;
}

/* ---- the whole ---- */

static void set_size(davidson *d, int64_t wanted) {
    d->wanted = wanted;
    d->block = d->wanted < BLOCK ? d->wanted : BLOCK;
    set_room(d, true);
    d->room = d->most;
    set_room(d, false);
}

/* Columns are counted as far as they are written: a longer basis is for an inverse. */
void dgmi_spectral_laplacian_eigen_bytes(const dgmi_spectral_adjacency *graph, int64_t count,
                                         double *least, double *most) {
    double rows = (double)graph->rows, numbers = (double)dgmi_spectral_adjacency_numbers(graph);
    davidson d = {0};
    set_size(&d, count);
    *least = 8 * (rows * (double)(2 * d.most + 1 + d.block + 1) + numbers);
    *most = *least + 8 * rows * (double)(2 * (d.room - d.most)) +
            dgmi_spectral_elimination_bytes(graph, ends_to_list(graph, WHOLE));
}

dgm_status dgmi_spectral_laplacian_eigen(dgm_context *ctx, const dgmi_spectral_laplacian *laplacian,
                                         const dgmi_spectral_eigen_request *request,
                                         double *vectors, double *values, double *residuals,
                                         dgmi_spectral_eigen_report *report) {
    *report = (dgmi_spectral_eigen_report){.shifted_at = -1, .inverted_at = -1};
    davidson d = {.ctx = ctx,
                  .laplacian = laplacian,
                  .request = request,
                  .report = report,
                  .rows = laplacian->graph.rows,
                  .core_from = request->core_from > 0 ? request->core_from : WHOLE,
                  .listed = -1};
    d.judged = dgmi_spectral_adjacency_entries(&laplacian->graph) > d.core_from ? SOON : TRAIL;
    set_size(&d, request->count);
    if (d.rows <= SMALL || d.rows <= 2 * d.room) {
        report->converged = true;
        return dgmi_spectral_laplacian_eigen_few(ctx, laplacian, d.wanted, vectors, values,
                                                 residuals);
    }
    return solve_sparse(&d, vectors, values, residuals);
}
