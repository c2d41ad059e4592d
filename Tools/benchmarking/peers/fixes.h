/* SPDX-License-Identifier: Apache-2.0 */
/* What the peers have in common: a file in pieces of 128 KiB, and what they print. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PIECE = 131072 };

/* Fixes, and sums over them that show that they were decoded. */
static long fixes;
static double latitudes, longitudes, altitudes, seconds;

static void take(double latitude, double longitude, double altitude, double second) {
    fixes += 1;
    latitudes += latitude;
    longitudes += longitude;
    altitudes += altitude;
    seconds += second;
}

static int told(void) {
    printf("%ld fixes, sums %.6f %.6f %.1f %.0f\n", fixes, latitudes, longitudes, altitudes, seconds);
    return fixes > 0 ? 0 : 1;
}

static FILE *opened(int count, char **words) {
    FILE *file = count == 2 ? fopen(words[1], "rb") : NULL;
    if (file == NULL) {
        fprintf(stderr, "usage: %s FILE\n", words[0]);
        exit(2);
    }
    setvbuf(file, NULL, _IONBF, 0);
    return file;
}
