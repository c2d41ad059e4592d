/* SPDX-License-Identifier: Apache-2.0 */
/* NMEA 0183 by minmea (https://github.com/kosma/minmea): checksums of all lines, and the sentences that
   Milepost reads. */
#include "fixes.h"
#include <minmea.h>

static double altitude;

static void sentence(const char *line) {
    switch (minmea_sentence_id(line, true)) {
    case MINMEA_SENTENCE_RMC: {
        struct minmea_sentence_rmc rmc;
        if (!minmea_parse_rmc(&rmc, line) || !rmc.valid) return;
        take(minmea_tocoord(&rmc.latitude), minmea_tocoord(&rmc.longitude), altitude,
             rmc.time.hours * 3600.0 + rmc.time.minutes * 60.0 + rmc.time.seconds);
        return;
    }
    case MINMEA_SENTENCE_GGA: {
        struct minmea_sentence_gga gga;
        if (minmea_parse_gga(&gga, line)) altitude = gga.fix_quality > 0 ? minmea_tofloat(&gga.altitude) : 0;
        return;
    }
    case MINMEA_SENTENCE_GSA: {
        struct minmea_sentence_gsa gsa;
        (void)minmea_parse_gsa(&gsa, line);
        return;
    }
    case MINMEA_SENTENCE_GSV: {
        struct minmea_sentence_gsv gsv;
        (void)minmea_parse_gsv(&gsv, line);
        return;
    }
    case MINMEA_SENTENCE_VTG: {
        struct minmea_sentence_vtg vtg;
        (void)minmea_parse_vtg(&vtg, line);
        return;
    }
    default: return;
    }
}

int main(int count, char **words) {
    static char piece[PIECE + 1024];
    FILE *file = opened(count, words);
    size_t kept = 0, got;
    while ((got = fread(piece + kept, 1, PIECE, file)) > 0) {
        char *line = piece, *end = piece + kept + got, *stop;
        while ((stop = memchr(line, '\n', (size_t)(end - line))) != NULL) {
            *stop = 0;
            sentence(line);
            line = stop + 1;
        }
        kept = (size_t)(end - line);
        if (kept >= 1024) kept = 0;
        memmove(piece, line, kept);
    }
    return told();
}
