// SPDX-License-Identifier: Apache-2.0
// Only the header of the system's expat, which Swift cannot include by itself.
#include <expat.h>
