/* SPDX-License-Identifier: Apache-2.0 */
/* NMEA 0183 by a bare loop: checksums of all lines, GGA and RMC to fixes, no care for anything else.
   It is the floor, not a decoder: no epochs, no dates, no damage, no account. */
#include "bare_number.h"

static int hexadecimal(char digit) {
    return digit <= '9' ? digit - '0' : (digit & 0x5F) - 'A' + 10;
}

static double degrees(const char *text, char hemisphere) {
    double value = number(text);
    long whole = (long)value / 100;
    value = (double)whole + (value - (double)whole * 100) / 60;
    return hemisphere == 'S' || hemisphere == 'W' ? -value : value;
}

static double of_day(const char *text) {
    double value = number(text);
    long whole = (long)value;
    return (double)(whole / 10000 * 3600 + whole / 100 % 100 * 60 + whole % 100) + value - (double)whole;
}

static double time_of_gga, altitude_of_gga;

static void sentence(const char *line, const char *end) {
    const char *star = end - 3;
    unsigned char sum = 0;
    if (end - line < 12 || *line != '$' || *star != '*') return;
    for (const char *byte = line + 1; byte < star; byte++) sum ^= (unsigned char)*byte;
    if (sum != (hexadecimal(star[1]) << 4 | hexadecimal(star[2]))) return;
    int is_gga = memcmp(line + 3, "GGA", 3) == 0;
    if (!is_gga && memcmp(line + 3, "RMC", 3) != 0) return;
    const char *fields[16];
    int count = 0;
    for (const char *byte = line; byte < star && count < 16; byte++)
        if (*byte == ',') fields[count++] = byte + 1;
    if (count < 9) return;
    double second = of_day(fields[0]);
    if (is_gga) {
        time_of_gga = second;
        altitude_of_gga = *fields[5] > '0' ? number(fields[8]) : 0;
    } else if (*fields[1] == 'A') {
        take(degrees(fields[2], *fields[3]), degrees(fields[4], *fields[5]),
             time_of_gga == second ? altitude_of_gga : 0, second);
    }
}

int main(int count, char **words) {
    static char piece[PIECE + 1024];
    FILE *file = opened(count, words);
    size_t kept = 0, got;
    while ((got = fread(piece + kept, 1, PIECE, file)) > 0) {
        char *line = piece, *end = piece + kept + got, *stop;
        while ((stop = memchr(line, '\n', (size_t)(end - line))) != NULL) {
            sentence(line, stop > line && stop[-1] == '\r' ? stop - 1 : stop);
            line = stop + 1;
        }
        kept = (size_t)(end - line);
        if (kept >= 1024) kept = 0;
        memmove(piece, line, kept);
    }
    return told();
}
