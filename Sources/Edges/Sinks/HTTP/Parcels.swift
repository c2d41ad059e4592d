// SPDX-License-Identifier: Apache-2.0

import LocationModel
import ServiceContract

/// The parcels of one batch under way.
struct Parcels {
  let format: any HTTPFormat
  let secrets: Secrets
  /// The other side's name in messages.
  let place: String
  private let recall: Recall
  /// The other side's requests, each once.
  private(set) var asked: [SinkRequest] = []
  /// All deliveries up to this number have arrived.
  private var passed: UInt64? {
    didSet { if let passed { arrived(passed) } }
  }
  private let arrived: @Sendable (UInt64) -> Void

  init(
    format: any HTTPFormat, secrets: Secrets, place: String, recall: Recall,
    arrived: @escaping @Sendable (UInt64) -> Void
  ) {
    self.format = format
    self.secrets = secrets
    self.place = place
    self.recall = recall
    self.arrived = arrived
  }

  /// Sends them in order. Throws at the first rejected or recalled one, with the number of the last accepted one.
  mutating func send(
    deliveries: ArraySlice<PendingDelivery>, over session: borrowing HTTPSession
  ) throws(SinkError) {
    var rest = deliveries
    while !rest.isEmpty {
      let parcel = rest.prefix(format.parcel)
      do throws(SinkError) {
        try sendOne(parcel, over: session)
      } catch {
        guard error.fault == .badMessage, parcel.count > 1 else { throw stopped(error) }
        try sendSingly(parcel, over: session)
      }
      passed = parcel.last?.delivery.sequence
      rest = rest.dropFirst(parcel.count)
    }
    conclude(over: session)
  }

  /// Sends the message after the batch.
  private mutating func conclude(over session: borrowing HTTPSession) {
    guard !recall.isOrdered, let epilogue = format.epilogue(with: secrets),
      let answer = try? session.send(request: epilogue.request),
      format.fault(of: answer, at: place) == nil,
      format.fault(inReceipt: answer, at: place) == nil
    else { return }
    epilogue.wasTaken()
    hear(answer: answer)
  }

  private mutating func hear(answer: HTTPAnswer) {
    for command in format.commands(in: answer, with: secrets) where !asked.contains(command) {
      asked.append(command)
    }
  }

  /// Sends deliveries one by one, to find the bad one.
  private mutating func sendSingly(
    _ parcel: ArraySlice<PendingDelivery>, over session: borrowing HTTPSession
  ) throws(SinkError) {
    for index in parcel.indices {
      do throws(SinkError) {
        try sendOne(parcel[index...index], over: session)
      } catch {
        throw stopped(error)
      }
      passed = parcel[index].delivery.sequence
    }
  }

  private func stopped(_ error: SinkError) -> SinkError {
    var error = error
    error.passed = passed
    return error
  }

  private mutating func sendOne(
    _ parcel: ArraySlice<PendingDelivery>, over session: borrowing HTTPSession
  ) throws(SinkError) {
    for request in format.requests(for: parcel, with: secrets) {
      let answer = try answer(to: request, over: session)
      if let fault = format.fault(of: answer, at: place) { throw fault }
      if let fault = format.fault(inReceipt: answer, at: place) { throw fault }
      hear(answer: answer)
    }
  }

  private func answer(
    to request: HTTPRequest, over session: borrowing HTTPSession
  ) throws(SinkError) -> HTTPAnswer {
    try recall.check()
    do throws(HTTPFailure) {
      return try session.send(request: request)
    } catch {
      guard error.kind == .silent, format.isSilentAboutBadMessages else {
        throw AnswerMeaning.fault(of: error, at: place)
      }
    }
    // A restarting server answers the second time, or does not answer the probe either.
    try recall.check()
    do throws(HTTPFailure) {
      return try session.send(request: request)
    } catch {
      var fault = AnswerMeaning.fault(of: error, at: place)
      if error.kind == .silent, (try? format.probe(session, with: secrets, at: place)) != nil {
        fault = SinkError(
          "\(place) answers, but closes the connection without an answer to this", .badMessage)
      }
      throw fault
    }
  }
}
