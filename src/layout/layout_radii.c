/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the radii of discs from the numbers of members. */
#include <math.h>

#include "layout_layout.h"

#define PI       3.14159265358979323846
#define FILL     0.1        /* of the place by all discs together */
#define THINNEST (1.0 / 16) /* of the largest radius */

/* The root of size^power, without a power that differs between machines. */
static double root_of(int64_t size, double power) {
    double value = size > 0 ? (double)size : 0;
    if (power < 0.25)
        return 1;
    return power < 0.75 ? sqrt(sqrt(value)) : sqrt(value);
}

void dgmi_layout_radii(int64_t marks, const int64_t *size, double power, double *radius) {
    double largest = 0;
    for (int64_t m = 0; m < marks; m++) {
        radius[m] = root_of(size[m], power);
        largest = fmax(largest, radius[m]);
    }
    if (!(largest > 0))
        largest = 1; /* marks without members: all alike */
    for (int64_t m = 0; m < marks; m++)
        radius[m] = fmax(radius[m], THINNEST * largest);
    double factor = sqrt(FILL / PI) / dgmi_layout_usual(marks, radius);
    for (int64_t m = 0; m < marks; m++)
        radius[m] *= factor;
}

double dgmi_layout_usual(int64_t marks, const double *radius) {
    double squares = 0;
    for (int64_t m = 0; m < marks; m++)
        squares += radius[m] * radius[m];
    return marks > 0 ? sqrt(squares / (double)marks) : 0;
}

/* Half a unit more on each side: a straight piece takes place too. */
static double box_area(const uint32_t *members, int64_t count, const double *places) {
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (int64_t i = 0; i < count; i++)
        for (int a = 0; a < 2; a++) {
            low[a] = fmin(low[a], places[2 * (int64_t)members[i] + a]);
            high[a] = fmax(high[a], places[2 * (int64_t)members[i] + a]);
        }
    return (high[0] - low[0] + 1) * (high[1] - low[1] + 1);
}

double dgmi_layout_radii_factor(const dgmi_layout_sets *sets, const double *places) {
    double area = 0, marks = 0;
    for (int64_t p = 0; p < sets->pieces; p++) {
        int64_t count = sets->offsets[p + 1] - sets->offsets[p];
        if (count < 2)
            continue;
        area += box_area(sets->members + sets->offsets[p], count, places);
        marks += (double)count;
    }
    return area < marks ? sqrt(area / marks) : 1;
}
