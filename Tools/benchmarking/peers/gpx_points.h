/* SPDX-License-Identifier: Apache-2.0 */
/* What both XML parsers' events become: track points with elevation and time, by the C library. */
#include "fixes.h"
#include <time.h>

static double latitude, longitude, altitude, second;
static char text[64];
static size_t length;
static int is_collecting;

static void attribute(const char *name, const char *value) {
    if (strcmp(name, "lat") == 0) latitude = strtod(value, NULL);
    if (strcmp(name, "lon") == 0) longitude = strtod(value, NULL);
}

static void opened_element(const char *name) {
    is_collecting = strcmp(name, "ele") == 0 || strcmp(name, "time") == 0;
    length = 0;
    if (strcmp(name, "trkpt") == 0) altitude = second = 0;
}

static void collected(const char *piece, int size) {
    if (!is_collecting || length + (size_t)size >= sizeof text) return;
    memcpy(text + length, piece, (size_t)size);
    length += (size_t)size;
    text[length] = 0;
}

static void closed_element(const char *name) {
    if (strcmp(name, "ele") == 0) {
        altitude = strtod(text, NULL);
    } else if (strcmp(name, "time") == 0) {
        struct tm moment = {0};
        char *at = text;
        moment.tm_year = (int)strtol(at, &at, 10) - 1900;
        moment.tm_mon = (int)strtol(at + 1, &at, 10) - 1;
        moment.tm_mday = (int)strtol(at + 1, &at, 10);
        moment.tm_hour = (int)strtol(at + 1, &at, 10);
        moment.tm_min = (int)strtol(at + 1, &at, 10);
        moment.tm_sec = (int)strtol(at + 1, &at, 10);
        second = (double)timegm(&moment);
    } else if (strcmp(name, "trkpt") == 0) {
        take(latitude, longitude, altitude, second);
    }
    is_collecting = 0;
}
