/* SPDX-License-Identifier: Apache-2.0 */
#include "cli_bits.h"

void cli_say_bits(cli_session *session, const dgm_bits *bits) {
    char words[DGM_BITS_WORDS];
    if (bits->known)
        cli_say(session, "found", "%s", dgm_bits_words(bits, words, sizeof words));
}

void cli_json_bits(cli_json *json, const dgm_bits *bits) {
    if (!bits->known)
        return;
    cli_json_open(json, "bits", '{');
    cli_json_integer(json, "blocks", bits->blocks);
    cli_json_integer(json, "edges", bits->edges);
    cli_json_integer(json, "inside", bits->inside);
    cli_json_real(json, "whole", bits->whole);
    cli_json_real(json, "gained", bits->gained);
    cli_json_real(json, "cost", bits->cost);
    cli_json_real(json, "told", bits->told);
    cli_json_real(json, "saved", bits->gained - bits->cost);
    if (bits->features >= 0)
        cli_json_real(json, "features", bits->features);
    if (bits->features_chance >= 0)
        cli_json_real(json, "features_chance", bits->features_chance);
    if (bits->runs > 0) {
        cli_json_open(json, "chance", '{');
        cli_json_integer(json, "runs", bits->runs);
        cli_json_real(json, "saved", bits->chance);
        cli_json_real(json, "most", bits->chance_most);
        cli_json_real(json, "spread", bits->spread);
        cli_json_real(json, "bare", bits->bare);
        cli_json_real(json, "bare_most", bits->bare_most);
        cli_json_real(json, "bare_spread", bits->bare_spread);
        cli_json_close(json, '}');
        cli_json_text(json, "verdict", dgm_finding_names()[dgm_bits_finding(bits)]);
    }
    cli_json_close(json, '}');
}
