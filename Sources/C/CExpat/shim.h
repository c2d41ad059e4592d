// SPDX-License-Identifier: Apache-2.0
// The header of the system's expat, which Swift cannot include by itself.
#include <expat.h>

/// The 1-based line being parsed. Expat 2.9 has a function for it whose type is as wide everywhere, and warns of the old
/// one.
static inline unsigned long long XML_LineBeingParsed(XML_Parser parser) {
#if XML_MAJOR_VERSION > 2 || XML_MINOR_VERSION >= 9
  return XML_GetCurrentLineNumber64(parser);
#else
  return XML_GetCurrentLineNumber(parser);
#endif
}
