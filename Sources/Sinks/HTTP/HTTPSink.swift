// SPDX-License-Identifier: Apache-2.0

import HTTPClient
import LocationModel
import ServiceContract

// Theory
// ======
//
// A batch is cut into parcels of as many deliveries as the format takes at once. A parcel is one or more
// requests, and is there when each of them was taken. The first that is not ends the batch, and what was there
// before it is not sent again. Only of a parcel of several that is called bad is it found out which of them it
// is: they go one by one, from the first.
//
//     parcel 1 ─ taken ─ parcel 2 ─ taken ─ parcel 3 ─ 422 ─ its first ─ taken ─ its second ─ 422: bad
//
// Requests are made of nothing but the delivery and the settings, so what is sent again is the same to the
// byte, and servers know it.

/// How a format over HTTP writes deliveries and reads answers.
protocol HTTPFormat: Sendable {
  /// Deliveries that one parcel holds at most.
  var parcel: Int { get }

  /// What is sent of a parcel, in order; nothing where the format has no words for what it tells.
  func requests(for deliveries: ArraySlice<PendingDelivery>, with secrets: Secrets) -> [HTTPRequest]

  /// Why a request is not taken whose status says that it was; `nil` where it is.
  func fault(inReceipt answer: HTTPAnswer, at place: String) -> SinkError?

  /// What an answer means, where that is not what it means for everybody.
  func fault(of answer: HTTPAnswer, at place: String) -> SinkError?

  /// What the other side asks for in the answer to a request that it took.
  func commands(in answer: HTTPAnswer, with secrets: Secrets) -> [SinkRequest]

  /// What is worth to be said once of deliveries that were taken, for people.
  func notes(on deliveries: [PendingDelivery], at place: String) -> [String]

  /// What is said behind a batch that was taken; `nil` where that is nothing.
  func epilogue(with secrets: Secrets) -> HTTPEpilogue?

  /// The regions of which the other side may know.
  func monitors(_ regions: [MonitoredRegion])

  /// Whether a connection that is closed twice without an answer, while the probe is answered, means a message
  /// that the other side cannot read. Only where the probe goes the way of a message: what stands before a server
  /// that is away may answer others.
  var isSilentAboutBadMessages: Bool { get }

  /// What messages are encrypted with; `nil` of formats that do not.
  func key() throws(SinkError) -> OwnTracksKey?

  /// Finds out whether positions would be taken, and says what it saw.
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

/// Something to say that is no delivery: whether it is taken changes nothing for the deliveries before it.
struct HTTPEpilogue: Sendable {
  let request: HTTPRequest
  /// To be called when it was taken; else it is said again behind the next batch.
  let wasTaken: @Sendable () -> Void
}

/// Sends deliveries to a server over HTTP.
struct HTTPSink: RegionSink {
  let endpoint: Endpoint
  let login: Login
  let format: any HTTPFormat
  /// Whether a position is left out where a newer one of the same batch follows: for servers that show where
  /// something is, and keep no history. What happened at regions and places is always told.
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
    do throws(SinkError) {
      _ = try secrets()
    } catch {
      return error.message
    }
    return login.fault()
  }

  func monitors(_ regions: [MonitoredRegion]) { format.monitors(regions) }

  func take(_ deliveries: [PendingDelivery]) async throws(SinkError) -> SinkReceipt {
    let secrets = try secrets()
    let wanted = onlyNewest ? Self.newest(of: deliveries) : deliveries
    let (outcome, traffic) = try await run { session in
      var parcels = Parcels(format: format, secrets: secrets, place: endpoint.place)
      do throws(SinkError) {
        try parcels.send(wanted[...], over: session)
        return .success(parcels.asked)
      } catch {
        return .failure(error)
      }
    }
    switch outcome {
    case .success(let asked):
      let notes = format.notes(on: wanted, at: endpoint.place)
      return SinkReceipt(traffic: traffic, requests: asked, notes: notes)
    case .failure(var error):
      error.traffic = traffic
      // The bad one is the first that was sent and not taken: what was left out before it is not bad.
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
    let (outcome, traffic) = try await run { session in
      do throws(SinkError) {
        return .success(try format.probe(session, with: secrets, at: endpoint.place))
      } catch {
        return .failure(error)
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
    _ work: @escaping @Sendable (borrowing HTTPSession) -> Result<Answer, SinkError>
  ) async throws(SinkError) -> (Result<Answer, SinkError>, SinkTraffic) {
    do throws(HTTPFailure) {
      let (outcome, traffic) = try await client.run(work)
      return (outcome, SinkTraffic(up: traffic.up, down: traffic.down))
    } catch {
      throw AnswerMeaning.fault(of: error, at: endpoint.place)
    }
  }

  private func secrets() throws(SinkError) -> Secrets {
    try Secrets(reading: login, for: endpoint, key: format.key())
  }

  /// All that tells of a region or a place, and the newest position; the last delivery is always among them, so
  /// that all are taken when it is.
  static func newest(of deliveries: [PendingDelivery]) -> [PendingDelivery] {
    deliveries.enumerated().filter { index, pending in
      pending.delivery.event != nil || index == deliveries.count - 1
    }.map(\.element)
  }
}
