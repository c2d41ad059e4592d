// SPDX-License-Identifier: Apache-2.0
// Only what Swift cannot include by itself: the header of the system's expat.
#include <expat.h>
