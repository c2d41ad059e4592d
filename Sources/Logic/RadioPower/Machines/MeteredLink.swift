// SPDX-License-Identifier: Apache-2.0

/// A link with its numbers' three lanes, and what its times with other numbers follow from.
struct MeteredLink: Sendable, Equatable {
  private var lanes: [RadioLink]
  private var use = LinkUsage()

  init(_ shape: LinkShape, component: String, _ numbers: ProfileNumbers) {
    lanes = Lane.allCases.map {
      RadioLink(LinkTable(shape, component: component, lane: $0, numbers))
    }
  }

  mutating func advance(to instant: Int64) {
    for lane in lanes.indices { lanes[lane].advance(to: instant) }
  }

  mutating func transfer(at instant: Int64, upload: Int, download: Int, rate: Double?) {
    advance(to: instant)
    if let gap = lanes[0].gap { use.add(gap: gap, isLast: false) }
    use.starts = 1
    use.count += 1
    use.kilobytes += Double(upload + download) / 1024
    for lane in lanes.indices {
      lanes[lane].transfer(at: instant, upload: upload, download: download, rate: rate)
    }
  }

  func timeToIdle(at instant: Int64) -> Int64 { lanes[0].timeToIdle(at: instant) }

  /// What it did until now, with the durations of a lane.
  func usage(in lane: Lane) -> LinkUsage {
    var use = use
    if let gap = lanes[0].gap { use.add(gap: gap, isLast: true) }
    let link = lanes[lane.rawValue]
    use.seconds = link.time.map { Double($0) / 1e6 }
    use.megabits = link.carried * 1e-6
    return use
  }
}
