/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a fuzz target on every file of the folders given, as libFuzzer would and then whole: the
 * corpora in the normal test run, without libFuzzer. */
#include "fuzz_common.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int replay_file(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END) != 0)
        return 1;
    long size = ftell(file);
    rewind(file);
    uint8_t *data =
        malloc(size > 0 ? (size_t)size : 1); /* exact, so that ASan sees every byte too far */
    int failed = size < 0 || !data || fread(data, 1, (size_t)size, file) != (size_t)size;
    fclose(file);
    for (int whole = 0; whole < 2 && !failed; whole++) {
        fuzz_whole = whole;
        LLVMFuzzerTestOneInput(data, (size_t)size);
    }
    free(data);
    return failed;
}

int main(int count, char **folders) {
    int number = 0, failures = 0;
    for (int f = 1; f < count; f++) {
        struct dirent **entries;
        int found = scandir(folders[f], &entries, NULL, alphasort);
        for (int i = 0; i < found; i++) {
            char path[4096];
            snprintf(path, sizeof path, "%s/%s", folders[f], entries[i]->d_name);
            if (entries[i]->d_name[0] != '.') {
                /* Said before the call: an abort names its file. */
                printf("# %s\n", entries[i]->d_name);
                fflush(stdout);
                int failed = replay_file(path);
                printf("%sok %d - %s\n", failed ? "not " : "", ++number, entries[i]->d_name);
                failures += failed;
            }
            free(entries[i]);
        }
        if (found >= 0)
            free(entries);
    }
    printf("1..%d\n", number);
    return failures || number == 0;
}
