// SPDX-License-Identifier: Apache-2.0

import Glibc
import Host
import JSONText

/// Trips on standard input: for each a head as one line of JSON, and then so many bytes.
///
///     {"name":"monday/trip.gpx","bytes":48211,"truth_bytes":912,"events_bytes":1330}
///
/// The last two may be missing: the truth, and the deliveries for `score`. Their bytes follow in this order. An empty
/// line asks for the sums so far.
struct TripFrames {
  struct Head {
    /// As the frame names it, and the last part of that: the name of its file.
    let name: String
    let file: String
    let trace: Int
    let truth: Int?
    let events: Int?

    private var stem: String {
      guard let dot = file.lastIndex(of: "."), dot != file.startIndex else { return file }
      return String(file[..<dot])
    }

    var truthFile: String { stem + ".truth.csv" }
    var eventsFile: String { stem + ".events.jsonl" }
  }

  enum Frame {
    case trip(Head)
    case sums
  }

  /// The most bytes of each part of a trip [ours].
  static let mostBytes = 1 << 30
  /// The most bytes of a head [ours].
  private static let longestHead = 65_536
  /// The most bytes of a file's name, with the ending of the others (limits.h, NAME_MAX).
  private static let longestName = 255 - ".events.jsonl".utf8.count

  private var number = 0
  private var buffer: [UInt8] = []
  private var place = 0

  /// The next frame's head, its parts unread; `nil` at the end.
  mutating func next() throws -> Frame? {
    guard let line = try nextLine() else { return nil }
    if line.isEmpty { return .sums }
    number += 1
    return .trip(try head(line))
  }

  private func complaint(_ words: String) -> Complaint {
    Complaint("standard input: frame \(number): \(words)")
  }

  private func head(_ line: [UInt8]) throws -> Head {
    guard let json = try? JSONValue.parse(line.span), let name = json["name"]?.string,
      json["bytes"] != nil
    else {
      throw complaint(
        #"no head of a trip; it is a line like {"name":"trip.gpx","bytes":48211}, before the bytes"#
      )
    }
    func length(_ key: String) throws -> Int? {
      guard let value = json[key] else { return nil }
      guard let number = value.number, let bytes = Int(exactly: number),
        (0...Self.mostBytes).contains(bytes)
      else {
        throw complaint(
          "\(Quoted.text(name)): \(key) is \(value.text), not a whole number from 0 to \(Self.mostBytes)"
        )
      }
      return bytes
    }
    let file = name.split(separator: "/").last.map(String.init) ?? ""
    guard !["", ".", ".."].contains(file), !file.utf8.contains(0),
      file.utf8.count <= Self.longestName
    else {
      throw complaint(
        "'\(Quoted.text(name))' names no file; a name has 1 to \(Self.longestName) bytes behind its last /"
      )
    }
    return Head(
      name: name, file: file, trace: try length("bytes") ?? 0, truth: try length("truth_bytes"),
      events: try length("events_bytes"))
  }

  /// Reads the bytes of a trip into files of a folder.
  mutating func readParts(of head: Head, into folder: TripFolder) throws {
    try readPart(head.trace, of: head, as: head.file, in: folder)
    if let truth = head.truth { try readPart(truth, of: head, as: head.truthFile, in: folder) }
    if let events = head.events { try readPart(events, of: head, as: head.eventsFile, in: folder) }
  }

  private mutating func readPart(
    _ length: Int, of head: Head, as name: String, in folder: TripFolder
  ) throws {
    let file = try folder.makeFile(name)
    defer { close(file) }
    var left = length
    while left > 0 {
      guard try fill() else {
        throw complaint(
          "\(Quoted.text(head.name)): ends after \(length - left) of \(length) bytes; hand it over again, whole"
        )
      }
      let chunk = buffer[place..<min(buffer.count, place + left)]
      if let error = WholeWrite.write(chunk, to: file).error {
        throw Complaint("\(folder.path(name)): \(SystemError.text(error))")
      }
      left -= chunk.count
      place += chunk.count
    }
  }

  /// The next line without its end; `nil` at the end of the stream.
  private mutating func nextLine() throws -> [UInt8]? {
    var line: [UInt8] = []
    while try fill() {
      let end = buffer[place...].firstIndex(of: UInt8(ascii: "\n"))
      line += buffer[place..<(end ?? buffer.count)]
      place = end.map { $0 + 1 } ?? buffer.count
      if end != nil { return line }
      guard line.count <= Self.longestHead else {
        number += 1
        throw complaint(
          "its head is longer than \(Self.longestHead) bytes; it ends with a line feed, and the trip's bytes follow"
        )
      }
    }
    return line.isEmpty ? nil : line
  }

  /// Whether there are bytes in the buffer; reads if it is used up.
  private mutating func fill() throws -> Bool {
    if place < buffer.count { return true }
    place = 0
    while true {
      let room = 1 << 18
      var bytes = [UInt8](repeating: 0, count: room)
      let count = bytes.withUnsafeMutableBytes { read(STDIN_FILENO, $0.baseAddress, room) }
      if count < 0 {
        if errno == EINTR { continue }
        throw Complaint("standard input: \(SystemError.reading())")
      }
      bytes.removeLast(room - count)
      buffer = bytes
      return count > 0
    }
  }
}
