// SPDX-License-Identifier: Apache-2.0

import ServiceContract

extension Diagnosis {
  /// Says of each receiver that reports what becomes of it between two looks: gpsd's kind of it decides, and the rights
  /// on gpsd's control socket.
  mutating func judgeRest(_ facts: DoctorFacts) {
    guard DoctorFacts.isHere(facts.host), !facts.isAlwaysOpen else { return }
    for device in facts.devices
    where device.reports > 0 && device.path.hasPrefix("/") && device.identity.driver != nil {
      judge(restOf: device.path, device.identity, facts)
    }
  }

  private mutating func judge(
    restOf path: String, _ identity: ReceiverIdentity, _ facts: DoctorFacts
  ) {
    switch identity.rest(by: .always) {
    case .goesOn(let reason):
      noteFinding(.goesOn, "\(path) goes on at full power between looks, for \(reason)")
    case .sleeps(let family):
      let isUsual = identity.rest(by: .timed) == .sleeps(family)
      let wish = isUsual ? nil : "say receiver_sleep: always in milepostd.yaml"
      let way = facts.control?.isWritable == true ? nil : "gpsd_control"
      noteFinding(
        .sleeps,
        "\(path) is a \(family.title): it can sleep between looks (\(family.command)), and starts hot "
          + "from it" + (way.map { "; \($0) is needed for it" } ?? ""),
        advice: wish)
    }
  }
}
