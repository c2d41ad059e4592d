// SPDX-License-Identifier: Apache-2.0

import LocationModel

/// What the exact sums of the parts are restored to, from `zero`.
func total<Part>(
  of parts: [Part], from zero: Part, walk: (inout Part, inout SumWalk) -> Void
) -> Part {
  var sums: ExactSums?
  for var part in parts {
    var own = SumWalk()
    walk(&part, &own)
    if sums == nil { sums = own.sums } else { sums? += own.sums }
  }
  var (restoring, total) = (SumWalk(restoring: sums ?? ExactSums()), zero)
  walk(&total, &restoring)
  return total
}
