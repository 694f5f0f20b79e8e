/* SPDX-License-Identifier: Apache-2.0 */
/* What presets of networks stand for, and how often checkpoints come. */
#include "unit_fixture.h"

#include "nn_options.h"

/* Kipf and Welling's, and those of the reference. */
static void presets_have_their_epochs(void **state) {
    (void)state;
    dgm_gcn_options options = DGM_GCN_OPTIONS_INIT, out;
    options.preset = DGM_GCN_KIPF;
    assert_int_equal(dgmi_nn_gcn_resolve(ctx, &options, &out), DGM_OK);
    assert_int_equal(out.epochs, 200);
    assert_string_equal(out.hidden, "16");
    options.preset = DGM_GCN_REFERENCE;
    assert_int_equal(dgmi_nn_gcn_resolve(ctx, &options, &out), DGM_OK);
    assert_int_equal(out.epochs, 81);
    assert_string_equal(out.hidden, "32-64-128-128");
    assert_near(out.rate, 1e-3, 0);
    assert_near(out.dropout, 0.5, 0);
    assert_near(out.decay, 0, 0);
    options.epochs = 7;
    assert_int_equal(dgmi_nn_gcn_resolve(ctx, &options, &out), DGM_OK);
    assert_int_equal(out.epochs, 7);
}

/* Every value of every preset; below 0 are those that depend on the graph. */
static void presets_of_gcn_have_their_values(void **state) {
    (void)state;
    static const struct {
        int preset;
        const char *hidden;
        double dropout, rate, decay;
        int64_t epochs, patience;
    } cases[] = {{DGM_GCN_KIPF, "16", 0.5, 0.01, 0.0005, 200, 0},
                 {DGM_GCN_REFERENCE, "32-64-128-128", 0.5, 0.001, 0, 81, 0},
                 {DGM_GCN_AUTO, NULL, 0.5, -1, -1, 1000, 40}};
    for (int i = 0; i < COUNT(cases); i++) {
        dgm_gcn_options options = DGM_GCN_OPTIONS_INIT, out;
        options.preset = cases[i].preset;
        assert_int_equal(dgmi_nn_gcn_resolve(ctx, &options, &out), DGM_OK);
        if (cases[i].hidden)
            assert_string_equal(out.hidden, cases[i].hidden);
        else
            assert_null(out.hidden);
        assert_true(out.dropout == cases[i].dropout && out.rate == cases[i].rate);
        assert_true(out.decay == cases[i].decay);
        assert_int_equal(out.epochs, cases[i].epochs);
        assert_int_equal(out.patience, cases[i].patience);
        assert_string_equal(out.class_weights, "none");
        options.dropout = options.decay = 0; /* nought is given, too */
        options.patience = 0;
        options.rate = 0.25;
        options.class_weights = "balanced";
        assert_int_equal(dgmi_nn_gcn_resolve(ctx, &options, &out), DGM_OK);
        assert_true(out.dropout == 0 && out.decay == 0 && out.rate == 0.25);
        assert_int_equal(out.patience, 0);
        assert_string_equal(out.class_weights, "balanced");
    }
}

static void values_out_of_bounds_are_refused(void **state) {
    (void)state;
    dgm_gcn_options options = DGM_GCN_OPTIONS_INIT, out;
    dgm_dgi_options others = DGM_DGI_OPTIONS_INIT, other;
    options.dropout = 1;
    ASSERT_FAILS(dgmi_nn_gcn_resolve(ctx, &options, &out), DGM_ERROR_USAGE,
                 "dropout takes a number from 0 to below 1, not '1'");
    options.dropout = 0.5;
    options.decay = 2e6;
    ASSERT_FAILS(dgmi_nn_gcn_resolve(ctx, &options, &out), DGM_ERROR_USAGE,
                 "decay takes a number from 0 to 1000000, not '2000000'");
    options.decay = 1e6;
    assert_int_equal(dgmi_nn_gcn_resolve(ctx, &options, &out), DGM_OK);
    for (int preset = -1; preset <= 3; preset += 4) {
        options.preset = others.preset = preset;
        assert_int_equal(dgmi_nn_gcn_resolve(ctx, &options, &out), DGM_ERROR_USAGE);
        assert_int_equal(dgmi_nn_dgi_resolve(ctx, &others, &other), DGM_ERROR_USAGE);
    }
}

static void a_split_is_two_shares_of_one_at_most(void **state) {
    (void)state;
    static const struct {
        const char *text;
        double train, validation;
    } good[] = {{NULL, 0, 0},
                {"1", 1, 0},
                {"0.5", 0.5, 0},
                {"0.5,0.5", 0.5, 0.5},
                {"0.25;0.5", 0.25, 0.5},
                {"0.25,0", 0.25, 0}};
    static const char *const bad[] = {"",          "0",     "-0.5",     "1.5",     "0.5,0.625",
                                      "0.5,-0.25", "0.5,",  ",0.5",     "x",       "nan",
                                      "0.5,nan",   "0,0.5", "0.5,0.1,", "0.5,0.1x"};
    double train, validation;
    for (int i = 0; i < COUNT(good); i++) {
        assert_int_equal(dgmi_nn_split_parse(ctx, good[i].text, &train, &validation), DGM_OK);
        assert_true(train == good[i].train && validation == good[i].validation);
    }
    for (int i = 0; i < COUNT(bad); i++)
        if (dgmi_nn_split_parse(ctx, bad[i], &train, &validation) != DGM_ERROR_USAGE)
            fail_msg("'%s' is a split", bad[i]);
}

/* Velickovic's and others', and those of the reference. */
static void presets_of_dgi_have_their_layers_and_patience(void **state) {
    (void)state;
    static const struct {
        int preset;
        const char *hidden;
        int64_t epochs, patience;
    } cases[] = {{DGM_DGI_DGI, "512", 1000, 20},
                 {DGM_DGI_REFERENCE, "32-64-512", 201, 0},
                 {DGM_DGI_AUTO, NULL, 1000, 30}};
    for (int i = 0; i < COUNT(cases); i++) {
        dgm_dgi_options options = DGM_DGI_OPTIONS_INIT, out;
        options.preset = cases[i].preset;
        assert_int_equal(dgmi_nn_dgi_resolve(ctx, &options, &out), DGM_OK);
        if (cases[i].hidden)
            assert_string_equal(out.hidden, cases[i].hidden);
        else
            assert_null(out.hidden);
        assert_true(out.rate == 0.001);
        assert_int_equal(out.epochs, cases[i].epochs);
        assert_int_equal(out.patience, cases[i].patience);
        options.hidden = "8";
        options.epochs = 3;
        options.patience = 2;
        assert_int_equal(dgmi_nn_dgi_resolve(ctx, &options, &out), DGM_OK);
        assert_string_equal(out.hidden, "8");
        assert_int_equal(out.epochs, 3);
        assert_int_equal(out.patience, 2);
    }
}

static void checkpoints_come_by_epochs_or_by_seconds(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int64_t epochs;
        double seconds;
    } good[] = {{NULL, 0, 60}, {"1", 1, 60},     {"250", 250, 60},  {"30s", 0, 30},
                {"0s", 0, 0},  {"0.5s", 0, 0.5}, {"1e3", 1000, 60}, {"1000000000s", 0, 1e9}};
    static const char *const bad[] = {"",           "s",    "0", "1.5",  "-1",  "-1s",
                                      "2000000000", "2e9s", "x", "3sec", "nan", "nans"};
    int64_t epochs;
    double seconds;
    for (int i = 0; i < COUNT(good); i++) {
        assert_int_equal(dgmi_nn_checkpoint_every(ctx, good[i].text, &epochs, &seconds), DGM_OK);
        assert_int_equal(epochs, good[i].epochs);
        assert_near(seconds, good[i].seconds, 0);
    }
    for (int i = 0; i < COUNT(bad); i++)
        if (dgmi_nn_checkpoint_every(ctx, bad[i], &epochs, &seconds) != DGM_ERROR_USAGE)
            fail_msg("checkpoints come every '%s'", bad[i]);
}

static void tables_have_their_options(void **state) {
    (void)state;
    const dgm_option_table *gcn = dgm_gcn_option_table(), *dgi = dgm_dgi_option_table();
    const dgm_option_table *checkpoints = dgm_checkpoint_option_table();
    assert_int_equal(gcn->count, 13);
    assert_int_equal(dgi->count, 10);
    assert_int_equal(checkpoints->count, 2);
    assert_non_null(dgm_option_find(gcn, "class-weights"));
    assert_null(dgm_option_find(dgi, "class-weights"));
    assert_non_null(dgm_option_find(dgi, "probe"));
    assert_non_null(dgm_option_find(checkpoints, "checkpoint-every"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_have_their_options),
        cmocka_unit_test(presets_have_their_epochs),
        cmocka_unit_test(presets_of_gcn_have_their_values),
        cmocka_unit_test(values_out_of_bounds_are_refused),
        cmocka_unit_test(a_split_is_two_shares_of_one_at_most),
        cmocka_unit_test(presets_of_dgi_have_their_layers_and_patience),
        cmocka_unit_test(checkpoints_come_by_epochs_or_by_seconds),
    };
    return RUN_WITH_CONTEXT(tests);
}
