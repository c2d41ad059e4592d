// SPDX-License-Identifier: Apache-2.0
// From libsodium: secretbox, and the random numbers for its nonces.
#pragma once

#include <sodium/core.h>
#include <sodium/crypto_secretbox.h>
#include <sodium/randombytes.h>
