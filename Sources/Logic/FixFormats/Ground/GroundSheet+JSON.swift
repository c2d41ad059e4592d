// SPDX-License-Identifier: Apache-2.0

import JSONText

extension GroundSheet {
  /// The sheet for a page that draws and zooms it: credits, and things in drawing order, each with its kind, the
  /// coarsest and the finest map that shows it (metres a pixel; 0 and `null`: any), and its parts as longitude,
  /// latitude, longitude, … with five decimals (1 m).
  package var json: [UInt8] {
    var writer = JSONWriter()
    writer.object { json in
      json.key("credits")
      json.array { json in for source in sources { json.string(source.credit) } }
      json.key("things")
      json.array { json in
        let order = Dictionary(uniqueKeysWithValues: zip(GroundKind.allCases, 0...))
        let sorted = features.indices.sorted {
          // The largest place last: names are set from there on.
          (order[features[$0].kind] ?? 0, features[$0].tags.population, $0)
            < (order[features[$1].kind] ?? 0, features[$1].tags.population, $1)
        }
        for index in sorted { Self.write(feature: features[index], into: &json) }
      }
    }
    return writer.bytes
  }

  private static func write(feature: GroundFeature, into json: inout JSONWriter) {
    json.object { json in
      json.key("kind")
      json.string(feature.kind.rawValue)
      if let name = feature.tags.name {
        json.key("name")
        json.string(name)
      }
      json.key("coarsest")
      json.number(feature.kind.coarsest, decimals: 0)
      json.key("finest")
      json.number(feature.tags.finest, decimals: 0)
      json.key("parts")
      json.array { json in
        for part in feature.parts {
          json.array { json in
            for point in part {
              json.number(point.longitude, decimals: 5)
              json.number(point.latitude, decimals: 5)
            }
          }
        }
      }
    }
  }
}
