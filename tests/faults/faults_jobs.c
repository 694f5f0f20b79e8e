/* SPDX-License-Identifier: Apache-2.0 */
#include "faults_jobs.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_JOBS = 64, PATH_SPACE = 128 };

static char root[] = "/tmp/dgm-faults-XXXXXX";
static char in_folder[PATH_SPACE], out_folder[PATH_SPACE];
static char paths[128][PATH_SPACE];
static int path_count;
static char outputs[FAULTS_MAX_OUTPUTS][PATH_SPACE];
static const char *output_list[FAULTS_MAX_OUTPUTS];
static faults_job jobs[MAX_JOBS];
static int job_count;

/* ---- files ---- */

static const struct {
    const char *name, *text;
} inputs[] = {
    {"numbers.txt", "# a comment\n0 1\n1 2\n2 0\n2 3\n3 4\n4 5\n5 3\n6 6\n0 1\n"},
    {"names.csv",
     "source,target,weight\nana,bob,1\nbob,\"cy, jr\",2.5\n\"cy, jr\",ana,1\nbob,dee,3\n"},
    {"names.tsv", "id\theight\tage\ndee\t4\t1\nana\t1\t9\nbob\t2\t3\n\"cy, jr\"\t2.5\t5\n"},
    {"logits.tsv", "id a b c d\n0 1 2 3 4\n1 0 0 1 0\n2 5 0 0 0\n3 0 1 9 0\n4 0 0 0 1\n"
                   "5 1 1 1 2\n6 0 3 0 0\n"},
    {"nodes.csv", "id,height,town\nana,1,x\nbob,2,y\n\"cy, jr\",3,\ndee,4,z\n"},
    {"small.mtx", "%%MatrixMarket matrix coordinate real symmetric\n% a comment\n5 5 4\n"
                  "2 1 1.5\n3 2 1\n4 3 2\n5 5 1\n"},
    {"small.metis", "% a comment\n4 4\n2 3\n1 3\n1 2 4\n3\n"},
    {"small.graphml",
     "<?xml version=\"1.0\"?>\n<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">"
     "<key id=\"h\" for=\"node\" attr.name=\"height\" attr.type=\"double\"/>"
     "<graph edgedefault=\"undirected\"><node id=\"a\"><data key=\"h\">1</data></node>"
     "<node id=\"b\"><data key=\"h\">2</data></node><node id=\"c\"><data key=\"h\">3</data></node>"
     "<edge source=\"a\" target=\"b\"/><edge source=\"b\" target=\"c\"/></graph></graphml>\n"},
    {"small.gexf",
     "<?xml version=\"1.0\"?>\n<gexf xmlns=\"http://gexf.net/1.3\" version=\"1.3\">"
     "<graph defaultedgetype=\"undirected\"><nodes><node id=\"a\" label=\"A\"/><node id=\"b\"/>"
     "<node id=\"c\"/></nodes><edges><edge id=\"0\" source=\"a\" target=\"b\" weight=\"2\"/>"
     "<edge id=\"1\" source=\"b\" target=\"c\"/></edges></graph></gexf>\n"},
    {"small.gml",
     "graph [\n directed 0\n node [ id 1 label \"a\" height 1.5 ]\n node [ id 2 label \"b\" "
     "height 2 ]\n node [ id 3 label \"c\" height 0 ]\n edge [ source 1 target 2 ]\n"
     " edge [ source 2 target 3 ]\n]\n"},
    {"small.json",
     "{\"directed\": false, \"nodes\": [{\"id\": \"a\", \"height\": 1}, {\"id\": \"b\", "
     "\"height\": 2}, {\"id\": \"c\", \"height\": 3}], \"links\": [{\"source\": \"a\", "
     "\"target\": \"b\"}, {\"source\": \"b\", \"target\": \"c\", \"weight\": 2}]}\n"},
    {"folder/edges.tsv", "0\t1\n1\t2\n2\t3\n3\t0\n3\t4\n"},
    {"folder/labels.txt", "0\n1\n1\n0\n2\n-1\n"},
    {"folder/features.mtx", "%%MatrixMarket matrix coordinate real general\n6 3 4\n1 1 1\n2 3 0.5\n"
                            "4 2 2\n6 1 1\n"},
    {"folder/train.txt", "0\n1\n"},
    {"folder/val.txt", "2\n"},
    {"folder/test.txt", "3\n4\n"},
    {"folder/meta.json", "{\"classes\": [\"red\", \"green\", \"blue\"], \"nodes\": 6}\n"},
    {"TOY/TOY_A.txt", "1, 2\n2, 1\n2, 3\n3, 2\n4, 5\n5, 4\n"},
    {"TOY/TOY_graph_indicator.txt", "1\n1\n1\n2\n2\n"},
    {"TOY/TOY_graph_labels.txt", "0\n1\n"},
    {"TOY/TOY_node_labels.txt", "0\n1\n0\n1\n1\n"},
};

static const char *input_path(const char *name) {
    char *path = paths[path_count++];
    snprintf(path, PATH_SPACE, "%.60s/%.60s", in_folder, name);
    return path;
}

static bool write_input(const char *name, const char *text) {
    FILE *file = fopen(input_path(name), "w");
    bool good = file && fputs(text, file) >= 0;
    return file && fclose(file) == 0 && good;
}

/* Formats that are no text are written by the library itself, from the text edge list. */
static bool write_binary(const char *name) {
    dgm_context *ctx = NULL;
    dgm_graph *graph = NULL;
    dgm_status status = dgm_context_create(NULL, &ctx);
    if (status == DGM_OK)
        status =
            dgm_graph_read(ctx, input_path("numbers.txt"), DGM_FORMAT_AUTO, NULL, NULL, &graph);
    if (status == DGM_OK)
        status = dgm_graph_write(ctx, graph, input_path(name), DGM_FORMAT_AUTO);
    if (status != DGM_OK)
        fprintf(stderr, "%s: %s\n", name, ctx ? dgm_context_error(ctx) : "no context");
    dgm_graph_free(graph);
    dgm_context_free(ctx);
    return status == DGM_OK;
}

/* A network of karate, trained for a moment. */
static bool write_model(const char *name) {
    dgm_context *ctx = NULL;
    dgm_graph *graph = NULL;
    dgm_model *model = NULL;
    dgm_gcn_options options = DGM_GCN_OPTIONS_INIT;
    options.epochs = 2;
    options.hidden = "3";
    options.split = "0.5";
    dgm_status status = dgm_context_create(NULL, &ctx);
    if (status == DGM_OK)
        status = dgm_graph_open(ctx, "karate", DGM_FORMAT_AUTO, NULL, NULL, 1, &graph);
    if (status == DGM_OK)
        status = dgm_gcn_train(ctx, graph, &options, NULL, &model, NULL, NULL);
    if (status == DGM_OK)
        status = dgm_model_write(ctx, model, input_path(name));
    dgm_model_free(model);
    dgm_graph_free(graph);
    dgm_context_free(ctx);
    return status == DGM_OK;
}

static bool write_inputs(void) {
    static const char *const folders[] = {"folder", "TOY"};
    static const char *const binaries[] = {"edges.npy", "edges.npz", "edges.txt.gz", "edges.txt.xz",
                                           "edges.txt.zst"};
    for (int i = 0; i < 2; i++)
        if (mkdir(input_path(folders[i]), 0700))
            return false;
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++)
        if (!write_input(inputs[i].name, inputs[i].text))
            return false;
    for (size_t i = 0; i < sizeof binaries / sizeof *binaries; i++)
        if (!write_binary(binaries[i]))
            return false;
    return write_model("karate.safetensors");
}

/* ---- jobs ---- */

static faults_job *add_job(const char *name, const char *graph, const char *lens) {
    faults_job *job = &jobs[job_count++];
    job->name = name;
    dgm_job_init(&job->job);
    job->job.graph = graph;
    job->job.lenses[0] = lens;
    job->job.lens_count = lens ? 1 : 0;
    memcpy(job->job.outputs, output_list, sizeof output_list);
    job->job.output_count = 1;
    job->job.mapper.intervals[0] = 3;
    job->job.command = "a test";
    return job;
}

static const dgm_interval given[] = {{-INFINITY, 4}, {3, 100}};

static void add_built_in_jobs(void) {
    faults_job *job = add_job("karate, three lenses, every output", "karate", "pagerank:alpha=0.5");
    job->job.lenses[1] = "degree";
    job->job.lenses[2] = "labels";
    job->job.lens_count = 3;
    job->job.output_count = FAULTS_MAX_OUTPUTS;
    job = add_job("karate, sampled betweenness, transforms", "karate",
                  "betweenness:budget=9,samples=9");
    job->job.lenses[1] = "clustering";
    job->job.lenses[2] = "core";
    job->job.lens_count = 3;
    job->job.transforms[0] = DGM_TRANSFORM_RANK;
    job->job.transforms[1] = DGM_TRANSFORM_LOG;
    job->job.transforms[2] = DGM_TRANSFORM_ZSCORE;
    job->job.transform_count = 3;
    job = add_job("karate, louvain, quantile, structural", "karate", NULL);
    job->job.mapper.cover = DGM_COVER_QUANTILE;
    job->job.mapper.cluster = DGM_CLUSTER_LOUVAIN;
    job->job.mapper.edges = DGM_EDGES_STRUCTURAL;
    job->job.mapper.strength = DGM_STRENGTH_SAS;
    job = add_job("karate, label propagation, filters", "karate", "degree");
    job->job.mapper.cluster = DGM_CLUSTER_LABELPROP;
    job->job.mapper.overlap[0] = 0.5;
    job->job.mapper.min_size = 2;
    job->job.mapper.min_component = 4;
    job = add_job("karate, given intervals", "karate", "degree");
    job->job.mapper.cover = DGM_COVER_INTERVALS;
    job->job.mapper.given = given;
    job->job.mapper.given_count = 2;
    job = add_job("karate, adaptive", "karate", "pagerank");
    job->job.mapper.cover = DGM_COVER_ADAPTIVE;
    job->job.mapper.cell_size = 6;
    job = add_job("karate, balls", "karate", "pagerank");
    job->job.mapper.cover = DGM_COVER_BALLS;
    job->job.mapper.radius = 0.02;
    job = add_job("karate, landmarks", "karate", "degree");
    job->job.lenses[1] = "pagerank";
    job->job.lens_count = 2;
    job->job.mapper.cover = DGM_COVER_LANDMARKS;
    job->job.mapper.landmarks = 5;
    job->job.mapper.metric = DGM_METRIC_COSINE;
    job = add_job("karate, gmeans", "karate", "pagerank");
    job->job.mapper.cover = DGM_COVER_GMEANS;
    job->job.mapper.critical = 1;
    job = add_job("karate, cmo", "karate", "pagerank");
    job->job.mapper.cover = DGM_COVER_CMO;
    job = add_job("karate, single linkage", "karate", "pagerank");
    job->job.mapper.cluster = DGM_CLUSTER_SINGLE;
    job = add_job("karate, dbscan", "karate", "degree");
    job->job.mapper.cluster = DGM_CLUSTER_DBSCAN;
    job->job.mapper.metric = DGM_METRIC_COSINE;
    job->job.mapper.reach = 0.5;
    job = add_job("karate, weights", "karate", "pagerank");
    job->job.mapper.weights = DGM_WEIGHTS_GAUSSIAN;
    job = add_job("karate, simplex of four axes", "karate", "degree");
    for (job->job.lens_count = 0; job->job.lens_count < 4; job->job.lens_count++)
        job->job.lenses[job->job.lens_count] = job->job.lens_count ? "labels" : "pagerank";
    job->job.reduce = "none";
    job->job.mapper.cover = DGM_COVER_SIMPLEX;
    job->job.mapper.cluster = DGM_CLUSTER_NONE;
    job = add_job("spam, every output", "spam", "pagerank");
    job->job.output_count = FAULTS_MAX_OUTPUTS;
    job->large = true;
    job = add_job("spam, louvain, many cells", "spam", "pagerank");
    job->job.lenses[1] = "degree";
    job->job.lens_count = 2;
    job->job.mapper.intervals[0] = 12;
    job->job.mapper.overlap[0] = 0.5;
    job->job.mapper.cluster = DGM_CLUSTER_LOUVAIN;
    job->large = true;
}

static void add_file_jobs(void) {
    static const struct {
        const char *file, *lens;
    } files[] = {
        {"numbers.txt", "degree"},        {"small.mtx", "degree"},    {"small.metis", "degree"},
        {"small.graphml", "attr:height"}, {"small.gexf", "degree"},   {"small.gml", "attr:height"},
        {"small.json", "attr:height"},    {"edges.npy", "degree"},    {"edges.npz", "degree"},
        {"edges.txt.gz", "degree"},       {"edges.txt.xz", "degree"}, {"edges.txt.zst", "degree"},
        {"folder", "pagerank"},           {"TOY", "degree"},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        add_job(files[i].file, input_path(files[i].file), files[i].lens);
    faults_job *job = add_job("names.csv with a lens file", input_path("names.csv"), NULL);
    job->job.lens_file = input_path("names.tsv");
    job->job.output_count = FAULTS_MAX_OUTPUTS;
    job = add_job("names.csv directed, lengths, triangles", input_path("names.csv"),
                  "betweenness:weighted");
    job->job.lenses[1] = "triangles";
    job->job.lenses[2] = "strength";
    job->job.lens_count = 3;
    job->job.graph_options.directed = true;
    job = add_job("names.csv with a node table", input_path("names.csv"), "attr:height");
    job->job.nodes_table = input_path("nodes.csv");
    job->job.graph_options.directed = true;
}

static void add_neural_jobs(void) {
    faults_job *job =
        add_job("karate, a gcn that trains", "karate", "gcn:epochs=2,hidden=3,split=0.5;0.2");
    job->timed = true;
    job = add_job("folder, a gcn of many layers, class weights", input_path("folder"),
                  "gcn:preset=reference,hidden=2-3,epochs=2,patience=2,class-weights=balanced");
    job->job.reduce = "none";
    job->timed = true;
    job = add_job("folder, dgi of sparse features", input_path("folder"), "dgi:hidden=2,epochs=2");
    job->timed = true;
    job = add_job("karate, dgi of one-hot features", "karate",
                  "dgi:preset=reference,hidden=4-2,epochs=2");
    job->timed = true;
    job = add_job("karate, a network from a file", "karate", "gcn");
    job->job.model = input_path("karate.safetensors");
}

static void add_reduce_jobs(void) {
    faults_job *job =
        add_job("karate, eigenvectors to principal components", "karate", "eigen:k=5");
    job->job.reduce = "pca";
    job = add_job("numbers.txt, the probability of a class", input_path("numbers.txt"), NULL);
    job->job.lens_file = input_path("logits.tsv");
    job->job.reduce = "prob:class=1";
}

bool faults_setup(void) {
    static const char *const extensions[] = {"json", "csv", "graphml", "gexf", "dot"};
    if (!mkdtemp(root))
        return false;
    snprintf(in_folder, sizeof in_folder, "%s/in", root);
    snprintf(out_folder, sizeof out_folder, "%s/out", root);
    if (mkdir(in_folder, 0700) || mkdir(out_folder, 0700))
        return false;
    for (int i = 0; i < FAULTS_MAX_OUTPUTS; i++) {
        snprintf(outputs[i], sizeof outputs[i], "%.60s/s.%s", out_folder, extensions[i]);
        output_list[i] = outputs[i];
    }
    if (!write_inputs())
        return false;
    add_built_in_jobs();
    add_file_jobs();
    add_neural_jobs();
    add_reduce_jobs();
    return true;
}

const faults_job *faults_jobs(int *count) {
    *count = job_count;
    return jobs;
}

int faults_expected_outputs(const faults_job *job) {
    int csv = job->job.output_count > 1; /* the csv has two more files beside it */
    return job->job.output_count + 2 * csv;
}

/* ---- folders ---- */

/* Removes what is in the folder, sub-folders too, and returns how many files that were. */
static int empty_folder(const char *folder, bool remove_them) {
    int count = 0;
    DIR *stream = opendir(folder);
    for (struct dirent *entry; stream && (entry = readdir(stream));) {
        char path[512];
        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
            continue;
        count++;
        snprintf(path, sizeof path, "%.200s/%.255s", folder, entry->d_name);
        if (remove_them && unlink(path)) {
            empty_folder(path, true);
            rmdir(path);
        }
    }
    if (stream)
        closedir(stream);
    return count;
}

int faults_count_outputs(void) {
    return empty_folder(out_folder, false);
}

/* FNV-1a over bytes, going on from `hash`. */
static uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t size) {
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ ((const unsigned char *)bytes)[i]) * UINT64_C(1099511628211);
    return hash;
}

uint64_t faults_hash_outputs(void) {
    struct dirent **entries;
    int count = scandir(out_folder, &entries, NULL, alphasort);
    uint64_t hash = UINT64_C(14695981039346656037);
    for (int i = 0; i < count; i++) {
        char path[2 * PATH_SPACE + 256], block[1 << 14];
        snprintf(path, sizeof path, "%s/%s", out_folder, entries[i]->d_name);
        hash = hash_bytes(hash, entries[i]->d_name, strlen(entries[i]->d_name) + 1);
        FILE *file = entries[i]->d_name[0] == '.' ? NULL : fopen(path, "rb");
        for (size_t got; file && (got = fread(block, 1, sizeof block, file)) > 0;)
            hash = hash_bytes(hash, block, got);
        if (file)
            fclose(file);
        free(entries[i]);
    }
    free(entries);
    return hash;
}

void faults_clear_outputs(void) {
    empty_folder(out_folder, true);
}

void faults_teardown(void) {
    empty_folder(root, true);
    rmdir(root);
}
