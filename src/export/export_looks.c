/* SPDX-License-Identifier: Apache-2.0 */
/* Colour and size of clusters, for the formats that carry looks. */
#include "export_formats.h"

#include <math.h>

/* Every fifteenth colour of viridis, the map of van der Walt and Smith (2015, public domain). */
static const unsigned char viridis[][3] = {
    {0x44, 0x01, 0x54}, {0x48, 0x17, 0x69}, {0x47, 0x2A, 0x7A}, {0x43, 0x3D, 0x84},
    {0x3D, 0x4E, 0x8A}, {0x35, 0x5E, 0x8D}, {0x2E, 0x6D, 0x8E}, {0x29, 0x7B, 0x8E},
    {0x23, 0x89, 0x8E}, {0x1F, 0x97, 0x8B}, {0x21, 0xA5, 0x85}, {0x2E, 0xB3, 0x7C},
    {0x46, 0xC0, 0x6F}, {0x65, 0xCB, 0x5E}, {0x89, 0xD5, 0x48}, {0xB0, 0xDD, 0x2F},
    {0xD8, 0xE2, 0x19}, {0xFD, 0xE7, 0x25},
};
enum { LAST = sizeof viridis / sizeof *viridis - 1 };

void dgmi_export_looks_open(dgmi_export *job) {
    const dgm_summary_clusters *clusters = &job->clusters;
    job->mean_low = INFINITY;
    job->mean_high = -INFINITY;
    for (int64_t c = 0; c < clusters->count; c++) {
        if (dgmi_export_size(job, c) > job->largest)
            job->largest = dgmi_export_size(job, c);
        if (clusters->dimension == 0)
            continue;
        double mean = clusters->lens[c * clusters->dimension];
        job->mean_low = fmin(job->mean_low, mean);
        job->mean_high = fmax(job->mean_high, mean);
    }
}

static int blend(int low, int high, double share) {
    return (int)lround(low + (high - low) * share);
}

/* Where the range is no range (one cluster, a constant lens) everything has the middle colour.
 * Halves, so that a range beyond the largest double is still one. */
dgmi_colour dgmi_export_colour(const dgmi_export *job, int64_t cluster) {
    double place = 0.5, range = job->mean_high / 2 - job->mean_low / 2;
    if (range > 0 && isfinite(range))
        place =
            (job->clusters.lens[cluster * job->clusters.dimension] / 2 - job->mean_low / 2) / range;
    int point = (int)fmin(floor(place * LAST), LAST - 1);
    double share = place * LAST - point;
    const unsigned char *low = viridis[point], *high = viridis[point + 1];
    return (dgmi_colour){blend(low[0], high[0], share), blend(low[1], high[1], share),
                         blend(low[2], high[2], share)};
}

double dgmi_export_scale(const dgmi_export *job, int64_t cluster) {
    return sqrt((double)dgmi_export_size(job, cluster) / (double)job->largest);
}
