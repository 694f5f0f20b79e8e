/* SPDX-License-Identifier: Apache-2.0 */
/* Colour and size of clusters, for the formats that carry looks. */
#include "export_formats.h"

#include <math.h>

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

/* Where the range is no range (one cluster, a constant lens) everything has the middle colour.
 * Halves, so that a range beyond the largest double is still one. */
dgmi_colour dgmi_export_colour(const dgmi_export *job, int64_t cluster) {
    double place = 0.5, range = job->mean_high / 2 - job->mean_low / 2;
    if (range > 0 && isfinite(range))
        place =
            (job->clusters.lens[cluster * job->clusters.dimension] / 2 - job->mean_low / 2) / range;
    return dgmi_colormap_at(DGMI_MAP_VIRIDIS, place);
}

double dgmi_export_scale(const dgmi_export *job, int64_t cluster) {
    return sqrt((double)dgmi_export_size(job, cluster) / (double)job->largest);
}
