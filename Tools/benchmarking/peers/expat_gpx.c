/* SPDX-License-Identifier: Apache-2.0 */
/* GPX by expat. */
#include "gpx_points.h"
#include <expat.h>

static void open_element(void *user, const char *name, const char **attributes) {
    (void)user;
    opened_element(name);
    for (; *attributes != NULL; attributes += 2) attribute(attributes[0], attributes[1]);
}

static void close_element(void *user, const char *name) {
    (void)user;
    closed_element(name);
}

static void characters(void *user, const char *piece, int size) {
    (void)user;
    collected(piece, size);
}

int main(int count, char **words) {
    static char piece[PIECE];
    FILE *file = opened(count, words);
    XML_Parser parser = XML_ParserCreate(NULL);
    XML_SetElementHandler(parser, open_element, close_element);
    XML_SetCharacterDataHandler(parser, characters);
    size_t got;
    do {
        got = fread(piece, 1, PIECE, file);
        if (XML_Parse(parser, piece, (int)got, got == 0) != XML_STATUS_OK) return 2;
    } while (got > 0);
    return told();
}
