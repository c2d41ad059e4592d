/* SPDX-License-Identifier: Apache-2.0 */
/* GPX by libxml2's SAX interface, fed piece by piece. */
#include "gpx_points.h"
#include <libxml/parser.h>

static void open_element(void *user, const xmlChar *name, const xmlChar **attributes) {
    (void)user;
    opened_element((const char *)name);
    for (; attributes != NULL && *attributes != NULL; attributes += 2)
        attribute((const char *)attributes[0], (const char *)attributes[1]);
}

static void close_element(void *user, const xmlChar *name) {
    (void)user;
    closed_element((const char *)name);
}

static void characters(void *user, const xmlChar *piece, int size) {
    (void)user;
    collected((const char *)piece, size);
}

int main(int count, char **words) {
    static char piece[PIECE];
    FILE *file = opened(count, words);
    xmlSAXHandler handler = {0};
    handler.startElement = open_element;
    handler.endElement = close_element;
    handler.characters = characters;
    xmlParserCtxtPtr parser = xmlCreatePushParserCtxt(&handler, NULL, NULL, 0, NULL);
    size_t got;
    while ((got = fread(piece, 1, PIECE, file)) > 0) xmlParseChunk(parser, piece, (int)got, 0);
    xmlParseChunk(parser, piece, 0, 1);
    return told();
}
