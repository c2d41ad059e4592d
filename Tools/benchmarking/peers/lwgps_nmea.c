/* SPDX-License-Identifier: Apache-2.0 */
/* NMEA 0183 by lwgps (https://github.com/MaJerle/lwgps), with its default options; a fix where a sentence
   changes the time of a valid position. */
#include "fixes.h"
#include <lwgps/lwgps.h>

static void changed(lwgps_t *gps, double *last) {
    double second = gps->hours * 3600.0 + gps->minutes * 60.0 + gps->seconds;
    if (!gps->is_valid || gps->fix == 0 || second == *last) return;
    *last = second;
    take(gps->latitude, gps->longitude, gps->altitude, second);
}

int main(int count, char **words) {
    static char piece[PIECE];
    static lwgps_t gps;
    FILE *file = opened(count, words);
    double last = -1;
    size_t got;
    lwgps_init(&gps);
    while ((got = fread(piece, 1, PIECE, file)) > 0) {
        /* A line at a time, as its state is of the last sentence only. */
        for (char *line = piece, *end = piece + got; line < end;) {
            char *stop = memchr(line, '\n', (size_t)(end - line));
            size_t size = (size_t)(stop != NULL ? stop + 1 - line : end - line);
            lwgps_process(&gps, line, size);
            changed(&gps, &last);
            line += size;
        }
    }
    return told();
}
