// SPDX-License-Identifier: Apache-2.0

import LocationModel
import ServiceContract

// Theory
// ======
//
// A batch is cut into parcels of as many deliveries as the format accepts at once. A parcel is one or more requests,
// and is delivered when each of them was accepted. The first rejected one ends the batch, and earlier ones are not sent
// again. If a parcel of several deliveries is called bad, the bad one is searched: they are sent one by one, from the
// first.
//
//     parcel 1 ─ taken ─ parcel 2 ─ taken ─ parcel 3 ─ 422 ─ its first ─ taken ─ its second ─ 422: bad
//
// Requests depend only on the delivery and the settings, so a repetition is identical to the byte, and servers
// recognize it.

/// The encoding of deliveries and the decoding of answers of a format over HTTP.
protocol HTTPFormat: Sendable {
  /// The maximum number of deliveries in one parcel.
  var parcel: Int { get }

  /// The requests of a parcel, in order; none if the format cannot express its content.
  func requests(for deliveries: ArraySlice<PendingDelivery>, with secrets: Secrets) -> [HTTPRequest]

  /// The reason why a request was rejected although its status says otherwise; `nil` if it was accepted.
  func fault(inReceipt answer: HTTPAnswer, at place: String) -> SinkError?

  /// The meaning of an answer that differs from the general one.
  func fault(of answer: HTTPAnswer, at place: String) -> SinkError?

  /// The other side's requests in the answer to an accepted request.
  func commands(in answer: HTTPAnswer, with secrets: Secrets) -> [SinkRequest]

  /// Remarks on accepted deliveries to be reported once, for people.
  func notes(on deliveries: [PendingDelivery], at place: String) -> [String]

  /// The message after an accepted batch; `nil` if there is none.
  func epilogue(with secrets: Secrets) -> HTTPEpilogue?

  /// Sets the regions of which the other side may know.
  func monitors(_ regions: [MonitoredRegion])

  /// Whether a connection that is closed twice without an answer, although the probe is answered, means a message that
  /// the other side cannot read. Only if the probe takes the path of a message: a proxy before an absent server may
  /// answer others.
  var isSilentAboutBadMessages: Bool { get }

  /// The encryption key of messages; `nil` for formats without encryption.
  func key() throws(SinkError) -> OwnTracksKey?

  /// Checks whether positions would be accepted, and returns its observations.
  func probe(
    _ session: borrowing HTTPSession, with secrets: Secrets, at place: String
  ) throws(SinkError) -> String
}

extension HTTPFormat {
  var parcel: Int { 1 }
  func notes(on deliveries: [PendingDelivery], at place: String) -> [String] { [] }

  func epilogue(with secrets: Secrets) -> HTTPEpilogue? { nil }

  func monitors(_ regions: [MonitoredRegion]) {}

  func fault(inReceipt answer: HTTPAnswer, at place: String) -> SinkError? { nil }

  func fault(of answer: HTTPAnswer, at place: String) -> SinkError? {
    AnswerMeaning.fault(of: answer, at: place)
  }

  func commands(in answer: HTTPAnswer, with secrets: Secrets) -> [SinkRequest] { [] }

  func key() throws(SinkError) -> OwnTracksKey? { nil }
}

/// A message that is no delivery: its acceptance does not affect the deliveries before it.
struct HTTPEpilogue: Sendable {
  let request: HTTPRequest
  /// Called when it was accepted; otherwise it is sent again after the next batch.
  let wasTaken: @Sendable () -> Void
}

/// Sends deliveries to a server over HTTP.
struct HTTPSink: RegionSink {
  let endpoint: Endpoint
  let login: Login
  let format: any HTTPFormat
  /// Whether a position is left out if a newer one of the same batch follows: for servers that show the current
  /// position, and keep no history. Events at regions and places are always sent.
  let onlyNewest: Bool
  private let client: HTTPClient

  init(_ endpoint: Endpoint, login: Login, onlyNewest: Bool, format: any HTTPFormat) {
    self.endpoint = endpoint
    self.login = login
    self.format = format
    self.onlyNewest = onlyNewest
    client = HTTPClient(
      HTTPClient.Settings(
        userAgent: "milepost/\(Release.version)", authorities: login.authorities,
        certificate: login.certificate.map {
          HTTPClient.Certificate(file: $0.certificate, key: $0.key)
        }, proxy: login.proxy?.text))
  }

  func fault() -> String? {
    SinkError.message { () throws(SinkError) in _ = try secrets() } ?? login.fault()
  }

  func monitors(_ regions: [MonitoredRegion]) { format.monitors(regions) }

  func send(
    deliveries: [PendingDelivery], arrived: @escaping @Sendable (UInt64) -> Void
  ) async throws(SinkError) -> SinkReceipt {
    let secrets = try secrets()
    let wanted = onlyNewest ? Self.newest(of: deliveries) : deliveries
    let (outcome, traffic) = try await run { session, recall in
      var parcels = Parcels(
        format: format, secrets: secrets, place: endpoint.place, recall: recall, arrived: arrived)
      return Result { () throws(SinkError) in
        try parcels.send(deliveries: wanted[...], over: session)
        return parcels.asked
      }
    }
    switch outcome {
    case .success(let asked):
      let notes = format.notes(on: wanted, at: endpoint.place)
      return SinkReceipt(traffic: traffic, requests: asked, notes: notes)
    case .failure(var error):
      error.traffic = traffic
      // The bad one is the first that was sent and rejected: deliveries left out before it are not bad.
      if error.fault == .badMessage,
        let bad = wanted.first(where: { $0.delivery.sequence > error.passed ?? 0 }),
        let before = deliveries.last(where: { $0.delivery.sequence < bad.delivery.sequence })
      {
        error.passed = before.delivery.sequence
      }
      throw error
    }
  }

  func probe() async throws(SinkError) -> String {
    let secrets = try secrets()
    let (outcome, traffic) = try await run { session, _ in
      Result { () throws(SinkError) in
        try format.probe(session, with: secrets, at: endpoint.place)
      }
    }
    switch outcome {
    case .success(let words): return words
    case .failure(var error):
      error.traffic = traffic
      throw error
    }
  }

  private func run<Answer: Sendable>(
    _ work: @escaping @Sendable (borrowing HTTPSession, Recall) -> Result<Answer, SinkError>
  ) async throws(SinkError) -> (Result<Answer, SinkError>, SinkTraffic) {
    let recall = Recall()
    let ended = await withTaskCancellationHandler {
      await outcome { session in work(session, recall) }
    } onCancel: {
      recall.order()
    }
    return try ended.get()
  }

  private func outcome<Answer: Sendable>(
    of work: @escaping @Sendable (borrowing HTTPSession) -> Result<Answer, SinkError>
  ) async -> Result<(Result<Answer, SinkError>, SinkTraffic), SinkError> {
    do throws(HTTPFailure) {
      let (outcome, traffic) = try await client.run(work)
      return .success((outcome, SinkTraffic(up: traffic.up, down: traffic.down)))
    } catch {
      return .failure(AnswerMeaning.fault(of: error, at: endpoint.place))
    }
  }

  private func secrets() throws(SinkError) -> Secrets {
    try Secrets(reading: login, for: endpoint, key: format.key())
  }

  /// All events of regions and places, and the newest position; the last delivery is always among them, so that its
  /// acceptance covers all.
  static func newest(of deliveries: [PendingDelivery]) -> [PendingDelivery] {
    deliveries.enumerated().filter { index, pending in
      pending.delivery.event != nil || index == deliveries.count - 1
    }.map(\.element)
  }
}
