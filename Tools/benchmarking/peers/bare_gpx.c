/* SPDX-License-Identifier: Apache-2.0 */
/* GPX by a bare loop that searches for the words it knows: no XML at all, no care for anything else.
   It is the floor, not a decoder. The whole file is read first. */
#include "bare_number.h"

static long two(const char *text) { return (text[0] - '0') * 10 + text[1] - '0'; }

static double instant(const char *text) {
    long year = two(text) * 100 + two(text + 2), month = two(text + 5), day = two(text + 8);
    year -= month <= 2;
    long era = year / 400, of_era = year - era * 400;
    long of_year = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
    long days = era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
    return (double)(days * 86400 + two(text + 11) * 3600 + two(text + 14) * 60 + two(text + 17));
}

int main(int count, char **words) {
    FILE *file = opened(count, words);
    fseek(file, 0, SEEK_END);
    size_t size = (size_t)ftell(file);
    char *text = malloc(size + 64);
    rewind(file);
    if (text == NULL || fread(text, 1, size, file) != size) return 2;
    memset(text + size, 0, 64);
    double latitude = 0, longitude = 0, altitude = 0, second = 0;
    for (char *tag = text; (tag = memchr(tag, '<', (size_t)(text + size - tag))) != NULL; tag++) {
        if (memcmp(tag, "<trkpt lat=\"", 12) == 0) {
            latitude = number(tag + 12);
            char *next = memchr(tag + 12, '"', (size_t)(text + size - tag - 12));
            if (next != NULL && memcmp(next, "\" lon=\"", 7) == 0) longitude = number(next + 7);
            altitude = second = 0;
        } else if (memcmp(tag, "<ele>", 5) == 0) {
            altitude = number(tag + 5);
        } else if (memcmp(tag, "<time>", 6) == 0) {
            second = instant(tag + 6);
        } else if (memcmp(tag, "</trkpt>", 8) == 0) {
            take(latitude, longitude, altitude, second);
        }
    }
    return told();
}
