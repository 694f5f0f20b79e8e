/* SPDX-License-Identifier: Apache-2.0 */
/* Runs that go on from a checkpoint end in the same bytes; checkpoints of something else, damaged
 * ones and disks that are full. */
#include "nn_training.h"

#include <signal.h>
#include <sys/resource.h>

#include "bytes_safetensors.h"
#include "nn_checkpoint.h"

static const char path[] = "run.ckpt";

static dgm_gcn_options patient_gcn(void) {
    dgm_gcn_options options = DGM_GCN_OPTIONS_INIT;
    options.epochs = 24;
    options.patience = 6;
    options.rate = 0.2; /* so large that the validation loss goes up and down */
    return options;
}

static dgm_dgi_options small_dgi(void) {
    dgm_dgi_options options = DGM_DGI_OPTIONS_INIT;
    options.hidden = "20";
    options.epochs = 16;
    options.patience = 3;
    options.rate = 0.1;
    return options;
}

/* ---- going on ---- */

/* A run of the first k epochs leaves its state, as one that is killed does. */
static void a_gcn_goes_on_from_any_epoch_to_the_same_bytes(void **state) {
    (void)state;
    dgm_graph *graph = make_toy(TOY_SPARSE, 4);
    dgm_gcn_options options = patient_gcn();
    dgm_training_report whole, report;
    dgm_model *expected = train_gcn(graph, &options, NULL, &whole);
    assert_true(whole.epochs > 7 && whole.epochs < 24); /* patience has run out in between */
    for (int64_t k = 1; k <= whole.epochs; k++) {
        const dgm_checkpoint_options checkpoint = {sizeof(dgm_checkpoint_options), path, "1"};
        options.epochs = k;
        dgm_model_free(train_gcn(graph, &options, &checkpoint, NULL));
        options.epochs = 24;
        dgm_model *model = train_gcn(graph, &options, &checkpoint, &report);
        assert_true(are_same_weights(model, expected));
        assert_int_equal(report.epochs, whole.epochs);
        assert_true(report.loss == whole.loss && report.test_accuracy == whole.test_accuracy);
        dgm_model_free(model);
        dgm_training_report_free(&report);
        assert_int_equal(remove(path), 0);
    }
    dgm_training_report_free(&whole);
    dgm_model_free(expected);
    dgm_graph_free(graph);
}

static void dgi_goes_on_from_any_epoch_to_the_same_bytes(void **state) {
    (void)state;
    for (int kind = TOY_NONE; kind <= TOY_DENSE; kind++) {
        dgm_graph *graph = make_toy((toy_features)kind, 4);
        dgm_dgi_options options = small_dgi();
        dgm_training_report whole, report;
        dgm_model *expected = train_dgi(graph, &options, NULL, &whole);
        for (int64_t k = 1; k <= whole.epochs; k += kind == TOY_SPARSE ? 1 : 5) {
            const dgm_checkpoint_options checkpoint = {sizeof(dgm_checkpoint_options), path, "0s"};
            options.epochs = k;
            dgm_model_free(train_dgi(graph, &options, &checkpoint, NULL));
            options.epochs = 16;
            dgm_model *model = train_dgi(graph, &options, &checkpoint, &report);
            assert_true(are_same_weights(model, expected));
            assert_int_equal(report.epochs, whole.epochs);
            dgm_model_free(model);
            assert_int_equal(remove(path), 0);
        }
        dgm_model_free(expected);
        dgm_graph_free(graph);
    }
}

static void going_on_is_said(void **state) {
    (void)state;
    dgm_graph *graph = make_toy(TOY_SPARSE, 4);
    const dgm_checkpoint_options checkpoint = {sizeof(dgm_checkpoint_options), path, "2"};
    dgm_gcn_options options = DGM_GCN_OPTIONS_INIT;
    options.epochs = 5;
    dgm_model_free(train_gcn(graph, &options, &checkpoint, NULL));
    dgm_model_free(train_gcn(graph, &options, &checkpoint, NULL));
    assert_string_equal(last_note, "going on from run.ckpt after epoch 4");
    assert_int_equal(remove(path), 0);
    dgm_graph_free(graph);
}

/* ---- of something else ---- */

static void refuse(dgm_graph *graph, const dgm_gcn_options *options, const char *words) {
    const dgm_checkpoint_options checkpoint = {sizeof(dgm_checkpoint_options), path, "1"};
    dgm_model *model;
    assert_int_equal(dgm_gcn_train(ctx, graph, options, &checkpoint, &model, NULL, NULL),
                     DGM_ERROR_DATA);
    assert_null(model);
    if (!strstr(dgm_context_error(ctx), words) || !strstr(dgm_context_error(ctx), path))
        fail_msg("\"%s\" and the path are not in \"%s\"", words, dgm_context_error(ctx));
}

static void leave_checkpoint(dgm_graph *graph) {
    const dgm_checkpoint_options checkpoint = {sizeof(dgm_checkpoint_options), path, "1"};
    dgm_gcn_options options = DGM_GCN_OPTIONS_INIT;
    options.epochs = 3;
    dgm_model_free(train_gcn(graph, &options, &checkpoint, NULL));
}

static const char other_run[] = "a checkpoint of another graph, or of other options or another "
                                "seed; remove it or name another file";

static void a_checkpoint_of_other_options_is_refused(void **state) {
    (void)state;
    dgm_graph *graph = make_toy(TOY_SPARSE, 4);
    leave_checkpoint(graph);
    for (int change = 0; change < 9; change++) {
        dgm_gcn_options options = DGM_GCN_OPTIONS_INIT;
        options.preset = change == 0 ? DGM_GCN_REFERENCE : DGM_GCN_KIPF;
        options.hidden = change == 1 ? "17" : NULL;
        options.dropout = change == 2 ? 0.4 : -1;
        options.decay = change == 3 ? 0 : -1;
        options.patience = change == 4 ? 4 : -1;
        options.class_weights = change == 5 ? "balanced" : NULL;
        options.features = change == 6 ? DGM_FEATURES_DEGREE : DGM_FEATURES_AUTO;
        options.split = change == 7 ? "0.5,0.2" : NULL;
        options.seed = change == 8 ? 2 : 1;
        refuse(graph, &options, other_run);
    }
    const dgm_checkpoint_options checkpoint = {sizeof(dgm_checkpoint_options), path,
                                               "1"}; /* untouched by all that */
    dgm_model_free(train_gcn(graph, NULL, &checkpoint, NULL));
    assert_int_equal(remove(path), 0);
    dgm_graph_free(graph);
}

static void a_run_may_go_on_longer_and_at_another_rate(void **state) {
    (void)state;
    dgm_graph *graph = make_toy(TOY_SPARSE, 4);
    leave_checkpoint(graph);
    const dgm_checkpoint_options checkpoint = {sizeof(dgm_checkpoint_options), path, "1"};
    dgm_training_report report;
    dgm_gcn_options options = DGM_GCN_OPTIONS_INIT;
    options.epochs = 7;
    options.rate = 0.002;
    dgm_model_free(train_gcn(graph, &options, &checkpoint, &report));
    assert_int_equal(report.epochs, 7);
    dgm_training_report_free(&report);
    assert_int_equal(remove(path), 0);
    dgm_graph_free(graph);
}

static void a_checkpoint_of_another_graph_is_refused(void **state) {
    (void)state;
    static toy t;
    dgm_graph *graph = make_toy(TOY_SPARSE, 4);
    leave_checkpoint(graph);
    dgm_graph_free(graph);
    for (int change = 0; change < 6; change++) {
        draw_toy(&t, TOY_SPARSE, 4);
        t.ends[0] ^= change == 0;
        t.weights[5] += change == 1;
        t.labels[7] = change == 2 ? (t.labels[7] + 1) % 3 : t.labels[7];
        t.splits[9] = change == 3 ? DGM_SPLIT_NONE : t.splits[9];
        t.values[11] += (float)(change == 4);
        t.s.options.directed = change == 5;
        graph = build_sample(&t.s);
        refuse(graph, NULL, other_run);
        dgm_graph_free(graph);
    }
    assert_int_equal(remove(path), 0);
}

static void a_checkpoint_of_another_model_is_refused(void **state) {
    (void)state;
    dgm_graph *graph = make_toy(TOY_SPARSE, 4);
    const dgm_checkpoint_options checkpoint = {sizeof(dgm_checkpoint_options), path, "1"};
    dgm_dgi_options options = small_dgi();
    dgm_model *model = train_dgi(graph, &options, &checkpoint, NULL);
    refuse(graph, NULL, "a checkpoint of the model 'dgi', not of 'gcn'");
    assert_int_equal(dgm_model_write(ctx, model, path), DGM_OK);
    refuse(graph, NULL, "not a checkpoint of a training run; remove it or name another file");
    assert_int_equal(remove(path), 0);
    dgm_model_free(model);
    dgm_graph_free(graph);
}

static void a_checkpoint_of_another_version_is_refused(void **state) {
    (void)state;
    dgm_graph *graph = make_toy(TOY_SPARSE, 4);
    leave_checkpoint(graph);
    size_t size;
    char *bytes = file_bytes(path, &size);
    char *version = memmem(bytes, size, "\"version\":\"3\"", 13);
    assert_non_null(version);
    version[11] = '2';
    write_bytes(path, bytes, size);
    refuse(graph, NULL, "a checkpoint of version 2, and this program reads version 3; remove it");
    free(bytes);
    assert_int_equal(remove(path), 0);
    dgm_graph_free(graph);
}

/* Fewer epochs than were run already would give the weights of more. */
static void a_checkpoint_from_beyond_the_last_epoch_is_refused(void **state) {
    (void)state;
    dgm_graph *graph = make_toy(TOY_SPARSE, 4);
    leave_checkpoint(graph);
    dgm_gcn_options options = DGM_GCN_OPTIONS_INIT;
    options.epochs = 2;
    refuse(graph, &options, "a checkpoint after epoch 3 of a run of 2");
    assert_int_equal(remove(path), 0);
    dgm_graph_free(graph);
}

/* ---- damaged ---- */

static void a_cut_checkpoint_is_refused_wherever_it_is_cut(void **state) {
    (void)state;
    dgm_graph *graph = make_toy(TOY_SPARSE, 4);
    leave_checkpoint(graph);
    size_t size;
    char *bytes = file_bytes(path, &size);
    for (size_t length = 0; length < size; length += 1 + length / 4) {
        write_bytes(path, bytes, length);
        const dgm_checkpoint_options checkpoint = {sizeof(dgm_checkpoint_options), path, "1"};
        dgm_model *model;
        dgm_status status = dgm_gcn_train(ctx, graph, NULL, &checkpoint, &model, NULL, NULL);
        assert_true(status == DGM_ERROR_FORMAT || status == DGM_ERROR_DATA);
        assert_null(model);
        ASSERT_HAS(dgm_context_error(ctx), path);
    }
    free(bytes);
    assert_int_equal(remove(path), 0);
    dgm_graph_free(graph);
}

static dgm_status go_on(dgm_graph *graph, const char *model_path) {
    const dgm_checkpoint_options checkpoint = {sizeof(dgm_checkpoint_options), path, "1000"};
    dgm_gcn_options options = DGM_GCN_OPTIONS_INIT;
    dgm_model *model;
    options.epochs = 4;
    dgm_status status = dgm_gcn_train(ctx, graph, &options, &checkpoint, &model, NULL, NULL);
    if (status == DGM_OK)
        assert_int_equal(dgm_model_write(ctx, model, model_path), DGM_OK);
    dgm_model_free(model);
    return status;
}

/* Bits of the header, of the numbers and of every tensor: an error, or the same model. */
static void a_wrong_bit_of_a_checkpoint_ruins_no_model(void **state) {
    (void)state;
    dgm_graph *graph = make_toy(TOY_SPARSE, 4);
    leave_checkpoint(graph);
    size_t size, model_size, other_size, refused = 0, tried = 0;
    char *bytes = file_bytes(path, &size);
    assert_int_equal(go_on(graph, "good.safetensors"), DGM_OK);
    char *good = file_bytes("good.safetensors", &model_size);
    for (size_t bit = 0; bit < 8 * size; bit += 13, tried++) {
        bytes[bit / 8] ^= (char)(1 << bit % 8);
        write_bytes(path, bytes, size);
        bytes[bit / 8] ^= (char)(1 << bit % 8);
        if (go_on(graph, "other.safetensors") != DGM_OK) {
            refused++;
            continue;
        }
        char *other = file_bytes("other.safetensors", &other_size);
        if (other_size != model_size || memcmp(other, good, model_size) != 0)
            fail_msg("bit %zu of byte %zu gives another model", bit % 8, bit / 8);
        free(other);
    }
    print_message("# %zu of %zu bits refused\n", refused, tried);
    assert_true(refused > tried / 2);
    free(good);
    free(bytes);
    remove("other.safetensors");
    assert_int_equal(remove("good.safetensors"), 0);
    assert_int_equal(remove(path), 0);
    dgm_graph_free(graph);
}

static void bytes_that_are_no_checkpoint_are_refused(void **state) {
    (void)state;
    dgm_graph *graph = make_toy(TOY_SPARSE, 4);
    leave_checkpoint(graph);
    size_t size;
    char *bytes = file_bytes(path, &size);
    check_random random = check_random_case(1, 8, 0);
    for (int k = 0; k < 200; k++) { /* whatever a byte gives way to: an error, or a run */
        size_t at = (size_t)check_random_below(&random, k < 150 ? 700 : (int)size);
        char kept = bytes[at];
        bytes[at] = (char)check_random_below(&random, 256);
        write_bytes(path, bytes, size);
        bytes[at] = kept;
        const dgm_checkpoint_options checkpoint = {sizeof(dgm_checkpoint_options), path, "1000"};
        dgm_gcn_options options = DGM_GCN_OPTIONS_INIT;
        options.epochs = 4;
        dgm_model *model;
        dgm_status status = dgm_gcn_train(ctx, graph, &options, &checkpoint, &model, NULL, NULL);
        assert_true(status == DGM_OK || status == DGM_ERROR_FORMAT || status == DGM_ERROR_DATA);
        dgm_model_free(model);
    }
    free(bytes);
    assert_int_equal(remove(path), 0);
    dgm_graph_free(graph);
}

/* The file's numbers (epoch, best, since best, loss, steps), changed. */
static void numbers_that_make_no_sense_are_refused(void **state) {
    (void)state;
    static const struct {
        int at;
        double value;
    } cases[] = {{0, NAN}, {0, -1},  {0, 1e300}, {0, 2.5}, {1, NAN},      {2, -3},
                 {2, 1e9}, {3, NAN}, {4, NAN},   {5, 7},   {5, -INFINITY}};
    dgm_graph *graph = make_toy(TOY_SPARSE, 4);
    leave_checkpoint(graph);
    size_t size;
    char *bytes = file_bytes(path, &size);
    uint64_t header;
    memcpy(&header, bytes, 8);
    for (int i = 0; i < COUNT(cases); i++) {
        double kept; /* doubles are the widest and come first */
        char *place = bytes + 8 + header + cases[i].at * 8;
        memcpy(&kept, place, 8);
        memcpy(place, &cases[i].value, 8);
        write_bytes(path, bytes, size);
        refuse(graph, NULL, "a damaged checkpoint");
        memcpy(place, &kept, 8);
    }
    free(bytes);
    assert_int_equal(remove(path), 0);
    dgm_graph_free(graph);
}

/* Of a whole file with a checksum that fits, the numbers are looked at one by one. */
static void states_that_no_run_can_reach_are_refused(void **state) {
    (void)state;
    static const struct {
        int64_t epoch, since_best, steps;
        double best, loss, first_loss;
        bool good;
    } cases[] = {{4, 1, 4, 0.5, 0.4, 0.9, true},
                 {4, 4, 4, INFINITY, 0.4, 0.9, true}, /* nothing was best yet */
                 {0, 0, 0, 0.5, 0, 0, true},
                 {-1, 0, -1, 0.5, 0.4, 0.9, false},
                 {INT64_C(1) << 60, 0, INT64_C(1) << 60, 0.5, 0.4, 0.9, false},
                 {4, -1, 4, 0.5, 0.4, 0.9, false},
                 {4, 5, 4, 0.5, 0.4, 0.9, false},
                 {4, 1, 3, 0.5, 0.4, 0.9, false},
                 {4, 1, 4, NAN, 0.4, 0.9, false},
                 {4, 1, 4, 0.5, NAN, 0.9, false},
                 {4, 1, 4, 0.5, INFINITY, 0.9, false},
                 {4, 1, 4, 0.5, 0.4, NAN, false}};
    for (int i = 0; i < COUNT(cases); i++) {
        float values[4] = {0};
        dgmi_nn_weights weights = {.total = 1, .values = values};
        dgmi_nn_optimiser optimiser = {
            .steps = cases[i].steps, .first = values + 1, .second = values + 2};
        dgmi_nn_run_state run = {.epoch = cases[i].epoch,
                                 .best = cases[i].best,
                                 .since_best = cases[i].since_best,
                                 .loss = cases[i].loss,
                                 .first_loss = cases[i].first_loss,
                                 .weights = &weights,
                                 .optimiser = &optimiser};
        bool found;
        assert_int_equal(dgmi_nn_checkpoint_write(ctx, path, "gcn", 7, &run), DGM_OK);
        dgm_status status = dgmi_nn_checkpoint_read(ctx, path, "gcn", 7, &run, &found);
        assert_int_equal(status, cases[i].good ? DGM_OK : DGM_ERROR_DATA);
        assert_int_equal(found, cases[i].good);
        if (!cases[i].good)
            ASSERT_HAS(dgm_context_error(ctx),
                       "a damaged checkpoint: its numbers make no sense; remove it");
    }
    assert_int_equal(remove(path), 0);
}

/* ---- disks ---- */

static char noted[1024];

static void keep_first_note(void *user, const char *note) {
    (void)user;
    if (!noted[0])
        snprintf(noted, sizeof noted, "%s", note);
}

static void a_full_disk_stops_no_training_and_spoils_no_checkpoint(void **state) {
    (void)state;
    struct rlimit limit, small;
    dgm_graph *graph = make_toy(TOY_SPARSE, 4);
    dgm_gcn_options options = DGM_GCN_OPTIONS_INIT;
    options.epochs = 8;
    dgm_model *expected = train_gcn(graph, &options, NULL, NULL);
    leave_checkpoint(graph);
    size_t before, after;
    char *kept = file_bytes(path, &before), *now;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
    small = limit;
    small.rlim_cur = 512;
    void (*former)(int) = signal(SIGXFSZ, SIG_IGN);
    const dgm_checkpoint_options checkpoint = {sizeof(dgm_checkpoint_options), path, "1"};
    listen_to_notes();
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    dgm_model *model;
    dgm_status status = dgm_gcn_train(ctx, graph, &options, &checkpoint, &model, NULL, NULL);
    setrlimit(RLIMIT_FSIZE, &limit);
    signal(SIGXFSZ, former);
    assert_int_equal(status, DGM_OK);
    assert_same_weights(model, expected);
    assert_int_equal(note_count, 6); /* going on, and five epochs that could not be kept */
    ASSERT_HAS(last_note, "no checkpoint at epoch 8: run.ckpt: ");
    ASSERT_HAS(last_note, "; training goes on");
    now = file_bytes(path, &after);
    assert_int_equal(before, after);
    assert_memory_equal(kept, now, before);
    free(kept);
    free(now);
    assert_int_equal(remove(path), 0);
    dgm_graph_free(graph);
}

static void a_folder_that_is_not_there_is_noted_and_training_goes_on(void **state) {
    (void)state;
    dgm_graph *graph = make_toy(TOY_SPARSE, 4);
    const dgm_checkpoint_options checkpoint = {sizeof(dgm_checkpoint_options), "gone/run.ckpt",
                                               "1"};
    dgm_gcn_options options = DGM_GCN_OPTIONS_INIT;
    options.epochs = 2;
    dgm_context_set_notes(ctx, keep_first_note, NULL);
    dgm_model_free(train_gcn(graph, &options, &checkpoint, NULL));
    ASSERT_HAS(noted, "no checkpoint at epoch 1: gone/run.ckpt: ");
    listen_to_notes();
    dgm_graph_free(graph);
}

/* ---- faults ---- */

static dgm_status train_and_go_on(dgm_context *context, const dgm_graph *graph) {
    const dgm_checkpoint_options checkpoint = {sizeof(dgm_checkpoint_options), "faults.ckpt", "1"};
    dgm_gcn_options options = DGM_GCN_OPTIONS_INIT;
    dgm_model *model;
    remove("faults.ckpt");
    options.hidden = "3";
    options.patience = 5;
    options.epochs = 2;
    dgm_status status = dgm_gcn_train(context, graph, &options, &checkpoint, &model, NULL, NULL);
    dgm_model_free(model);
    options.epochs = 3;
    if (status == DGM_OK)
        status = dgm_gcn_train(context, graph, &options, &checkpoint, &model, NULL, NULL);
    if (status == DGM_OK)
        dgm_model_free(model);
    return status;
}

/* A checkpoint for which there is no memory is one that could not be written. */
static void any_allocation_may_fail(void **state) {
    (void)state;
    dgm_graph *graph = make_toy(TOY_SPARSE, 4);
    for (int k = 1;; k++) {
        check_memory memory = {0};
        dgm_allocator allocator = check_memory_allocator(&memory);
        dgm_context *context;
        assert_int_equal(dgm_context_create(&allocator, &context), DGM_OK);
        dgm_context_set_threads(context, 1);
        memory.fail_at = memory.calls + k;
        dgm_status status = train_and_go_on(context, graph);
        bool failed = memory.calls >= memory.fail_at;
        assert_true(status == DGM_OK || (failed && status == DGM_ERROR_MEMORY));
        dgm_context_free(context);
        assert_int_equal(memory.blocks, 0);
        if (!failed)
            break;
    }
    remove("faults.ckpt");
    dgm_graph_free(graph);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_gcn_goes_on_from_any_epoch_to_the_same_bytes),
        cmocka_unit_test(dgi_goes_on_from_any_epoch_to_the_same_bytes),
        cmocka_unit_test(going_on_is_said),
        cmocka_unit_test(a_checkpoint_of_other_options_is_refused),
        cmocka_unit_test(a_run_may_go_on_longer_and_at_another_rate),
        cmocka_unit_test(a_checkpoint_of_another_graph_is_refused),
        cmocka_unit_test(a_checkpoint_of_another_model_is_refused),
        cmocka_unit_test(a_checkpoint_of_another_version_is_refused),
        cmocka_unit_test(a_checkpoint_from_beyond_the_last_epoch_is_refused),
        cmocka_unit_test(a_cut_checkpoint_is_refused_wherever_it_is_cut),
        cmocka_unit_test(a_wrong_bit_of_a_checkpoint_ruins_no_model),
        cmocka_unit_test(bytes_that_are_no_checkpoint_are_refused),
        cmocka_unit_test(numbers_that_make_no_sense_are_refused),
        cmocka_unit_test(a_full_disk_stops_no_training_and_spoils_no_checkpoint),
        cmocka_unit_test(a_folder_that_is_not_there_is_noted_and_training_goes_on),
        cmocka_unit_test(any_allocation_may_fail),
        cmocka_unit_test(states_that_no_run_can_reach_are_refused),
    };
    return RUN_GROUP(tests, enter_folder, leave_folder);
}
