/* SPDX-License-Identifier: Apache-2.0 */
/* Recipes: settings by the question that they answer. */
#include "dgm/study.h"

static const char *const communities[][2] = {
    {"lens", "communities"}, {"cover", "parts"}, {"edges", "structural"}, {NULL, NULL}};
static const char *const centre[][2] = {{"lens", "density"}, {"transform", "rank"}, {NULL, NULL}};
static const char *const spectral[][2] = {
    {"lens", "eigen:k=2,laplacian=rw,outside=large"}, {"transform", "rank"}, {NULL, NULL}};
static const char *const network[][2] = {{"lens", "dgi"}, {NULL, NULL}};
static const char *const errors[][2] = {{"lens", "gcn"}, {"colour", "error"}, {NULL, NULL}};

static const dgm_recipe recipes[] = {
    {"communities", "the communities of the graph and the edges between them", communities},
    {"centre", "from the middle of the graph to its rim", centre},
    {"spectral", "the graph along the slowest directions of a random walk", spectral},
    {"network", "what Deep Graph Infomax learns of the nodes without labels", network},
    {"errors", "where a network that predicts labels is wrong", errors},
};

const dgm_recipe *dgm_recipe_at(size_t index) {
    return index < sizeof recipes / sizeof *recipes ? &recipes[index] : NULL;
}
