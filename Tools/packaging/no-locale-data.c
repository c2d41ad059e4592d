// SPDX-License-Identifier: Apache-2.0
//
// The data of ICU, which Foundation holds, with nothing in it: the 34 MB of locales, calendars and converters that no
// command of milepost asks for. What ICU knows of characters is in its code. ICU's own stubdata.cpp has the same
// content (unicode-org/icu, icu4c/source/stubdata); a caller gets U_MISSING_RESOURCE_ERROR.
// ENTRY is the symbol's name, which has ICU's version in it, behind what the linker's --wrap puts before it.

#include <stdint.h>

struct Header {
  uint16_t size;
  uint8_t magic[2];
  uint16_t info_size, info_reserved;
  uint8_t big_endian, charset, unit_size, unit_reserved;
  uint8_t format[4], format_version[4], data_version[4];
  uint8_t padding[8];
  uint32_t count, reserved;
  int32_t entry[4];
};

__attribute__((aligned(16), visibility("default"))) const struct Header ENTRY = {
    .size = 32,
    .magic = {0xda, 0x27},
    .info_size = 20,
    .big_endian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__,
    .unit_size = 2,
    .format = {'T', 'o', 'C', 'P'},
    .format_version = {1, 0, 0, 0},
};
