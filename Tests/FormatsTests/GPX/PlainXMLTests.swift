// SPDX-License-Identifier: Apache-2.0

import FixFormats
import Foundation
import LocationModel
import Testing

/// The reading of a document, in a form that can be compared.
private struct Reading: Equatable {
  var events: [TraceEvent] = []
  var ledger: TraceLedger?
  var error: TraceError?
  /// Whether expat got none of it, except to confirm that it is whole.
  var isPlain = false

  init(_ bytes: [UInt8], chunk: Int, isExpatOnly: Bool, strict: Bool = false) {
    var options = DecodingOptions()
    options.strict = strict
    options.allowsUndated = true
    var decoder = GPXDecoder(options: options, isExpatOnly: isExpatOnly)
    do throws(TraceError) {
      var start = 0
      while start < bytes.count {
        let end = min(bytes.count, start + chunk)
        let piece = Array(bytes[start..<end])
        try decoder.decode(piece.span, into: &events)
        start = end
      }
      isPlain = decoder.isPlain
      try decoder.finish(into: &events)
      ledger = decoder.ledger
    } catch {
      self.error = error
    }
  }

  static func == (a: Self, b: Self) -> Bool {
    a.events == b.events && a.ledger == b.ledger && a.error == b.error
  }
}

/// Expects both readings of a document to be the same, in any pieces.
private func expectAgreement(
  _ bytes: [UInt8], chunks: [Int] = [.max, 997, 7, 1], _ comment: String
) {
  for strict in [false, true] {
    let oracle = Reading(bytes, chunk: .max, isExpatOnly: true, strict: strict)
    for chunk in chunks {
      let size = min(chunk, bytes.count + 1)
      let own = Reading(bytes, chunk: size, isExpatOnly: false, strict: strict)
      if own == oracle { continue }
      // Expat's judgement of damage may depend on the ends of its pieces.
      let pieces = Reading(bytes, chunk: size, isExpatOnly: true, strict: strict)
      #expect(own == pieces, "\(comment), in pieces of \(size), strict \(strict)")
    }
  }
}

private let point = """
  <trkpt lat="45.5" lon='13.25'><ele>100.5</ele><time>2026-05-04T07:08:09Z</time></trkpt>
  """

/// Documents that are plain, some that are not, and some that are invalid.
private let documents: [(name: String, text: String)] = [
  ("plain", track("\(point)\n\(point)")),
  ("one quote", "<gpx><trk><trkseg>\(point)</trkseg></trk></gpx>\n\n"),
  ("comments", "<!-- a - b --><gpx><!-- \u{E9} -->\(point)<!----></gpx><!-- c --> "),
  ("two hyphens", "<gpx><!-- a -- b -->\(point)</gpx>"),
  ("other declaration", "<?xml version='1.0' encoding='ISO-8859-1'?><gpx>\(point)</gpx>"),
  ("capitals", "<?xml version=\"1.0\" encoding=\"UTF-8\"?><gpx>\(point)</gpx>"),
  ("standalone", "<?xml version=\"1.0\" standalone=\"yes\"?><gpx>\(point)&a;</gpx>"),
  (
    "standalone, as Android writes it",
    "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>\n<gpx>\(point)&a;\(point)</gpx>"
  ),
  (
    "not standalone",
    "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\" ?><gpx>\(point)&a;\(point)</gpx>"
  ),
  (
    "standalone in capitals",
    "<?xml version='1.0' encoding='UTF-8' STANDALONE='yes'?><gpx>\(point)</gpx>"
  ),
  ("second declaration", "<!-- --><?xml version=\"1.0\"?><gpx>\(point)</gpx>"),
  ("blanks first", "\n \r\n<?xml version=\"1.0\"?>\n<gpx>\(point)</gpx>"),
  ("byte order mark", "\u{FEFF}<?xml version=\"1.0\"?>\n<gpx>\(point)</gpx>"),
  ("mark, then blank", "\u{FEFF}\n<?xml version=\"1.0\"?><gpx>\(point)</gpx>"),
  (
    "DOCTYPE",
    "<!DOCTYPE gpx [<!ENTITY e '12'>]><gpx><trkpt lat='1' lon='2'><ele>&e;</ele></trkpt></gpx>"
  ),
  ("unknown entity", "<gpx><name>&nbsp;&amp;&lt;</name>\(point)&nbsp;\(point)</gpx>"),
  (
    "reference in a field",
    "<gpx><trkpt lat='1' lon='2'><ele>1&#50;</ele><src>net&amp;work</src></trkpt></gpx>"
  ),
  ("reference in a coordinate", "<gpx><trkpt lat='4&#53;' lon='2'/></gpx>"),
  ("blank in a coordinate", "<gpx><trkpt lat='\n45\t' lon='2'/></gpx>"),
  (
    "CDATA",
    "<gpx><name><![CDATA[a <b> ]] c]]></name><trkpt lat='1' lon='2'><ele><![CDATA[12]]></ele></trkpt></gpx>"
  ),
  ("comment in a field", "<gpx><trkpt lat='1' lon='2'><ele>1<!-- x -->2</ele></trkpt></gpx>"),
  ("brackets in text", "<gpx><name>a ]]&gt; b</name>\(point)<name>]]></name>\(point)</gpx>"),
  ("letters beyond ASCII", "<gpx><name>M\u{FC}nchen \u{1F6B2}</name><a b='\u{E9}'/>\(point)</gpx>"),
  ("names beyond ASCII", "<gpx><h\u{F6}he>1</h\u{F6}he>\(point)</gpx>"),
  ("no character", "<gpx><name>\u{FFFF}</name>\(point)</gpx>"),
  ("control", "<gpx>\(point)<name>\u{1}</name>\(point)</gpx>"),
  ("CR LF", track("\(point)\n\(point)").replacingOccurrences(of: "\n", with: "\r\n")),
  ("CR", track("\(point)\n<trkpt lat='x'/>\(point)").replacingOccurrences(of: "\n", with: "\r")),
  ("CR in a field", "<gpx><trkpt lat='1' lon='2'><time>\r\nyester\r\nday</time></trkpt></gpx>"),
  (
    "tag over lines",
    "<gpx\n a='1'\n\tb='2'>\n<trkpt\nlat='91'\nlon='2'\n/>\n<trkpt lat='x'/></gpx>"
  ),
  ("blanks around =", "<gpx><trkpt lat = '1' lon= '2'/></gpx>"),
  ("blank in an end tag", "<gpx>\(point)</gpx\n>"),
  ("no blank between", "<gpx><trkpt lat='1'lon='2'/></gpx>"),
  ("attribute twice", "<gpx><trkpt lat='1' lat='2'/></gpx>"),
  ("lon first, both bad", "<gpx><trkpt lon='x' lat='y'/></gpx>"),
  (
    "many attributes",
    "<gpx \((0..<40).map { "a\($0)='x<'" }.joined(separator: " "))>\(point)</gpx>"
  ),
  ("long names", "<gpx><\(String(repeating: "n", count: 33))/>\(point)</gpx>"),
  (
    "names of 8, 16, 24, 32",
    "<gpx>\([8, 16, 24, 32].map { "<\(String(repeating: "n", count: $0))>1</\(String(repeating: "n", count: $0))>" }.joined())\(point)</gpx>"
  ),
  (
    "known names",
    "<gpx><trkpt lat='1' lon='2'><x:h_Acc>3</x:h_Acc><hacc>4</hacc><a:b:speed>5</a:b:speed><Course>6</Course></trkpt></gpx>"
  ),
  ("wrong end", "<gpx><trk>\(point)</trkseg></gpx>"),
  (
    "nested points",
    "<gpx><trkpt lat='1' lon='2'><wpt lat='3' lon='4'><ele>5</ele></wpt></trkpt></gpx>"
  ),
  ("processing", "<?xml-stylesheet href='a'?><gpx>\(point)<?p q?>\(point)</gpx>"),
  ("another root", "<trkpt lat='1' lon='2'/>"),
  ("what follows", "<gpx>\(point)</gpx><gpx/>"),
  ("text follows", "<gpx>\(point)</gpx> x"),
  ("declaration follows", "<gpx>\(point)</gpx><?xml version='1.0'?>"),
  ("another root", "<kml>\(point)</kml>"),
  ("empty root", "<gpx/>"),
  ("cut in a tag", "<gpx>\(point)<trkpt lat="),
  ("cut in text", "<gpx>\(point)<name>abc"),
  ("cut in a comment", "<gpx>\(point)<!-- abc"),
  ("cut behind the root", "<gpx>\(point)</gpx><!-"),
  ("a long name", "<gpx><name>\(String(repeating: "long ", count: 20_000))</name>\(point)</gpx>"),
  (
    "a long value",
    "<gpx><trkpt lat='1' lon='2'><ele>\(String(repeating: "1", count: 5_000))</ele></trkpt></gpx>"
  ),
  ("nothing", ""), ("blanks", " \n"), ("no XML", "hello"), ("a mark", "\u{FEFF}"), ("<", "<"),
]

struct PlainXMLTests {
  @Test(arguments: documents)
  func expatSaysTheSameOfEachKindOfDocument(document: (name: String, text: String)) {
    expectAgreement(Array(document.text.utf8), document.name)
  }

  @Test(arguments: ["car-commute.gpx", "train.gpx", "flight-antimeridian.gpx"])
  func ourTracesAreReadAsPlainAndExpatSaysTheSame(name: String) throws {
    let bytes = Array(try Data(contentsOf: Repository.traces.appending(path: name)))
    #expect(Reading(bytes, chunk: 65_536, isExpatOnly: false).isPlain)
    expectAgreement(bytes, chunks: [997], name)
  }

  @Test(
    .enabled(if: GPXCorpus.folder != nil, "the corpus of real traces is not here"),
    arguments: corpusFiles)
  func expatSaysTheSameOfRealTraces(name: String) throws {
    expectAgreement(try GPXCorpus.bytes(name), chunks: [997], name)
  }

  @Test(arguments: 0..<40)
  func expatSaysTheSameOfDocumentsWithWrongBytes(seed: Int) {
    var dice = SplitMix64(seed: UInt64(seed))
    let pieces = [
      "<", ">", "/", "=", "\"", "'", "&", ";", "]]>", "<!--", "-->", "<![CDATA[", "<?", "?>", "\r",
      "\n", " ", "\u{0}", "\u{1F}", "\u{FC}", "&amp;", "&#9;", "<ele>", "</ele>", "</trkpt>",
      "<trkpt lat='1' lon='2'>", "lat=\"3\"", "<gpx>", "</gpx>", "<!DOCTYPE gpx>", "x",
    ].map { Array($0.utf8) }
    for _ in 0..<25 {
      var bytes = Array(documents[Int(dice.next() % 46)].text.utf8.prefix(2_000))
      for _ in 0...Int(dice.next() % 4) where !bytes.isEmpty {
        let place = Int(dice.next() % UInt64(bytes.count))
        switch dice.next() % 4 {
        case 0: bytes[place] = UInt8(truncatingIfNeeded: dice.next())
        case 1: bytes.insert(contentsOf: pieces[Int(dice.next() % UInt64(pieces.count))], at: place)
        case 2: bytes.removeSubrange(place..<min(bytes.count, place + 1 + Int(dice.next() % 9)))
        default: bytes.removeSubrange(place...)
        }
      }
      let text = String(decoding: bytes, as: UTF8.self)
      expectAgreement(bytes, chunks: [.max, 1 + Int(dice.next() % 40)], "seed \(seed): \(text)")
    }
  }

  @Test func expatSaysTheSameOfBytesByChance() {
    var dice = SplitMix64(seed: 18)
    for round in 0..<200 {
      let bytes = Array("<gpx>".utf8) + (0..<64).map { _ in UInt8(truncatingIfNeeded: dice.next()) }
      expectAgreement(bytes, chunks: [.max, 5], "round \(round)")
    }
  }
}

private let corpusFiles: [String] = {
  guard let folder = GPXCorpus.folder else { return [] }
  let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
  return (names ?? []).filter { $0.hasSuffix(".gpx") }.sorted()
}()

/// The path of the project's own traces.
private enum Repository {
  static let traces = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Traces")
}
