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

/* Velickovic's and others', and those of the reference. */
static void presets_of_dgi_have_their_layers_and_patience(void **state) {
    (void)state;
    static const struct {
        int preset;
        const char *hidden;
        int64_t epochs, patience;
    } cases[] = {{DGM_DGI_DGI, "512", 1000, 20}, {DGM_DGI_REFERENCE, "32-64-512", 201, 0}};
    for (int i = 0; i < COUNT(cases); i++) {
        dgm_dgi_options options = DGM_DGI_OPTIONS_INIT, out;
        options.preset = cases[i].preset;
        assert_int_equal(dgmi_nn_dgi_resolve(ctx, &options, &out), DGM_OK);
        assert_string_equal(out.hidden, cases[i].hidden);
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(presets_have_their_epochs),
        cmocka_unit_test(presets_of_dgi_have_their_layers_and_patience),
        cmocka_unit_test(checkpoints_come_by_epochs_or_by_seconds),
    };
    return RUN_WITH_CONTEXT(tests);
}
