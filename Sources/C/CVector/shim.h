// SPDX-License-Identifier: Apache-2.0
// A mask of bytes as bits: one instruction of x86-64 (pmovmskb), which Swift's vectors do not have.
#pragma once

#include <stdint.h>

typedef unsigned char sixteen_bytes __attribute__((ext_vector_type(16)));
typedef _Bool sixteen_bools __attribute__((ext_vector_type(16)));

/// Bit `n` tells whether byte `n` is other than 0.
static inline __attribute__((always_inline)) uint16_t bits_of(sixteen_bytes bytes) {
  return __builtin_bit_cast(uint16_t, __builtin_convertvector(bytes, sixteen_bools));
}
