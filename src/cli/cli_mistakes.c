/* SPDX-License-Identifier: Apache-2.0 */
/* A classifier's mistakes, in clusters and among the nodes left out, on the terminal and as JSON.
 */
#include "cli_mistakes.h"

#include "cli_text.h"

static double percent(dgm_judged judged) {
    return judged.judged ? 100 * (double)judged.mistakes / (double)judged.judged : 0;
}

static void say_judged(cli_session *session, const char *name, dgm_judged covered,
                       dgm_judged left_out) {
    char a[CLI_COUNT_SPACE], b[CLI_NOUN_SPACE], c[CLI_COUNT_SPACE], d[CLI_COUNT_SPACE];
    if (covered.judged + left_out.judged == 0)
        return;
    cli_say(session, name, "%s of %s in clusters (%.1f%%), %s of %s left out (%.1f%%)",
            cli_count(covered.mistakes, a), cli_count_of(covered.judged, "node", b),
            percent(covered), cli_count(left_out.mistakes, c), cli_count(left_out.judged, d),
            percent(left_out));
}

void cli_say_mistakes(cli_session *session, const dgm_summary_mistakes *mistakes) {
    static const struct {
        dgm_split part;
        const char *name;
    } parts[] = {{DGM_SPLIT_TEST, "  test"},
                 {DGM_SPLIT_VALIDATION, "  valid"},
                 {DGM_SPLIT_TRAIN, "  train"},
                 {DGM_SPLIT_NONE, "  rest"}};
    if (!mistakes->known)
        return;
    say_judged(session, "mistakes", dgm_judged_sum(mistakes->covered),
               dgm_judged_sum(mistakes->left_out));
    for (size_t i = 0; mistakes->split && i < sizeof parts / sizeof *parts; i++)
        say_judged(session, parts[i].name, mistakes->covered[parts[i].part],
                   mistakes->left_out[parts[i].part]);
}

static void print_judged(cli_json *json, dgm_judged covered, dgm_judged left_out) {
    cli_json_integer(json, "judged", covered.judged);
    cli_json_integer(json, "judged_left_out", left_out.judged);
    cli_json_integer(json, "mistakes", covered.mistakes);
    cli_json_integer(json, "mistakes_left_out", left_out.mistakes);
}

void cli_json_mistakes(cli_json *json, const dgm_summary_mistakes *mistakes) {
    static const dgm_split order[] = {DGM_SPLIT_TRAIN, DGM_SPLIT_VALIDATION, DGM_SPLIT_TEST,
                                      DGM_SPLIT_NONE};
    if (!mistakes->known)
        return;
    print_judged(json, dgm_judged_sum(mistakes->covered), dgm_judged_sum(mistakes->left_out));
    if (!mistakes->split)
        return;
    cli_json_open(json, "by_split", '{');
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        dgm_judged covered = mistakes->covered[order[i]], left_out = mistakes->left_out[order[i]];
        if (covered.judged + left_out.judged == 0)
            continue;
        cli_json_open(json, dgm_split_names()[order[i]], '{');
        print_judged(json, covered, left_out);
        cli_json_close(json, '}');
    }
    cli_json_close(json, '}');
}
