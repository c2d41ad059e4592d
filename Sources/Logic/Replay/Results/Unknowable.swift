// SPDX-License-Identifier: Apache-2.0

package import LocationModel

/// A stretch of a trace in which nobody could know where the device was.
package struct UnknowableSpan: Sendable, Equatable {
  package enum Reason: String, Sendable, CaseIterable {
    /// The receiver saw no sky while the device moved on, as in a tunnel (`LostSky`).
    case noSky = "no_sky"
    /// The same before its first fix.
    case beforeFirstFix = "before_first_fix"
    /// The trace says nothing of it.
    case gap
  }

  package let reason: Reason
  package let start: UTCInstant
  package fileprivate(set) var end: UTCInstant
  /// The way made in it, metres; 0 for a gap, in which it is unknown.
  package fileprivate(set) var metres: Double

  package var seconds: Double { UTCInstant.seconds(from: start, to: end) }
}

/// What could not be known of a trace: no mode is judged by it.
package struct Unknowable: Sendable, Equatable {
  /// The most spans that are kept [ours]; of more, the first ones.
  package static let limit = 1_000

  package private(set) var spans: [UnknowableSpan] = []
  /// Seconds and metres of all of them that are no gaps.
  package private(set) var hiddenSeconds = 0.0
  package private(set) var hiddenMetres = 0.0
  private var isHidden = false
  private var sawSky = false
  private var latest: UTCInstant?

  package init() {}

  /// Advances the truth to a sample.
  mutating func pass(_ sample: WorldSample) {
    let truth = sample.truth
    defer { latest = truth.time }
    if sample.hasSky { sawSky = true }
    guard sample.isHidden else {
      isHidden = false
      return
    }
    hiddenSeconds += truth.elapsed
    hiddenMetres += truth.travelled
    if !isHidden {
      isHidden = true
      addSpan(
        UnknowableSpan(
          reason: sawSky ? .noSky : .beforeFirstFix,
          start: truth.time.advanced(bySeconds: -truth.elapsed), end: truth.time, metres: 0))
    }
    guard let last = spans.indices.last, spans.count < Self.limit else { return }
    spans[last].end = truth.time
    spans[last].metres += truth.travelled
  }

  /// Takes a gap of the trace.
  mutating func addGap(_ gap: TruthSteps.Gap) {
    isHidden = false
    guard let latest, !gap.isLeftOut else { return }
    let end = latest.advanced(bySeconds: EngineInstant.seconds(from: gap.start, to: gap.end))
    addSpan(UnknowableSpan(reason: .gap, start: latest, end: end, metres: 0))
  }

  private mutating func addSpan(_ span: UnknowableSpan) {
    if spans.count < Self.limit { spans.append(span) }
  }

  /// Sums have no spans: those are of one trace.
  package mutating func walkSums(_ walk: inout SumWalk) {
    walk.quantity(&hiddenSeconds)
    walk.quantity(&hiddenMetres)
    spans = []
  }
}
