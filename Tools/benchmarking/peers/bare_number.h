/* SPDX-License-Identifier: Apache-2.0 */
/* What both bare loops read a number by: digits up to whatever is none, without a look at what it is. */
#include "fixes.h"

static double number(const char *text) {
    long whole = 0, scale = 1;
    int sign = *text == '-' ? (text++, -1) : 1, is_behind = 0;
    for (;; text++) {
        unsigned digit = (unsigned)(*text - '0');
        if (digit < 10) {
            whole = whole * 10 + digit;
            scale *= is_behind ? 10 : 1;
        } else if (*text == '.') {
            is_behind = 1;
        } else {
            return sign * ((double)whole / (double)scale);
        }
    }
}
