// SPDX-License-Identifier: Apache-2.0

/// Archives and binary track formats that name themselves in their first bytes, and what to do.
enum Container: CaseIterable {
  case gzip, zip, xz, zstandard, bzip2, sevenZip, fit, sqlite, pdf

  private var magic: (offset: Int, bytes: [UInt8]) {
    switch self {
    case .gzip: (0, [0x1F, 0x8B])
    case .zip: (0, [0x50, 0x4B, 0x03, 0x04])
    case .xz: (0, [0xFD, 0x37, 0x7A, 0x58, 0x5A])
    case .zstandard: (0, [0x28, 0xB5, 0x2F, 0xFD])
    case .bzip2: (0, [0x42, 0x5A, 0x68])
    case .sevenZip: (0, [0x37, 0x7A, 0xBC, 0xAF])
    case .fit: (8, Array(".FIT".utf8))
    case .sqlite: (0, Array("SQLite format 3".utf8))
    case .pdf: (0, Array("%PDF".utf8))
    }
  }

  var advice: String {
    switch self {
    case .gzip: "compressed with gzip; unpack it first: gunzip -c FILE | milepost info -"
    case .zip: "a zip archive; unpack it first and name the trace inside it"
    case .xz: "compressed with xz; unpack it first: xz -dc FILE | milepost info -"
    case .zstandard: "compressed with zstd; unpack it first: zstd -dc FILE | milepost info -"
    case .bzip2: "compressed with bzip2; unpack it first: bzip2 -dc FILE | milepost info -"
    case .sevenZip: "a 7z archive; unpack it first and name the trace inside it"
    case .fit:
      "a FIT activity; convert it to GPX first: gpsbabel -i garmin_fit -f FILE -o gpx -F trace.gpx"
    case .sqlite: "an SQLite database, not a trace; export a GPX or CSV file from it"
    case .pdf: "a PDF document, not a trace"
    }
  }

  static func recognise(_ prefix: borrowing Span<UInt8>) -> Container? {
    for container in allCases {
      let (offset, bytes) = container.magic
      guard prefix.count >= offset + bytes.count else { continue }
      var matches = true
      for index in bytes.indices where prefix[offset + index] != bytes[index] { matches = false }
      if matches { return container }
    }
    return nil
  }
}
