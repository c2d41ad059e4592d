// SPDX-License-Identifier: Apache-2.0

import RadioPower
import Testing

struct ProfileTests {
  private func text(_ name: String) throws -> String {
    String(decoding: try #require(ProfileLibrary.file(named: name)), as: UTF8.self)
  }

  private func errors(_ text: String, name: String = "phone-2021-lte") -> [String] {
    let bytes = Array(text.utf8)
    do {
      _ = try DeviceProfile.parse(bytes.span, name: name)
      return []
    } catch {
      return error.errors.map(\.description)
    }
  }

  @Test func `Every built-in profile is complete`() throws {
    #expect(ProfileLibrary.devices.count == 24)
    for name in ProfileLibrary.networks { #expect(try network(name).name == name) }
    for name in ProfileLibrary.devices {
      let profile = try device(name)
      #expect(ProfileLibrary.networks.contains(profile.network))
    }
    let wanted = [
      "lte-2012-huang", "3g-2012-huang", "wifi-2012-huang", "lte-aro", "3g-aro-i997",
      "3g-aro-captivate", "3g-tailender", "gsm-tailender", "lte-2021-verizon", "lte-2021-tmobile",
      "ltem-nrf9160",
    ]
    #expect(Set(wanted).isSubset(of: Set(ProfileLibrary.networks)))
    #expect(try ProfileLibrary.device(named: "nokia-3310") == nil)
  }

  @Test func `All errors come at once, with line, key and what is allowed`() throws {
    let broken = try text("phone-2021-lte")
      .replacing("gnss_when_off,backup", with: "gnss_when_off,standby")
      .replacing("78.81,40,120,mW,read", with: "78.81,90,120,mW,read")
      .replacing("105.82,50,200,mW", with: "105.82,50,200,W")
      .replacing("soc,wake,duration", with: "soc,wakeup,duration")
      .replacing("0.003,0.001,0.01,J,estimate", with: "0.003,0.001,0.01,J,guess")
    #expect(
      errors(broken) == [
        "line 8: profile,gnss_when_off: the value \"standby\" is not known; allowed: backup, "
          + "usb_idle, vbus_off",
        "line 22: gnss,track_good,power: low ≤ nominal ≤ high does not hold for 90, 78.81, 120",
        "line 37: soc,awake_idle,power: the unit \"W\" is not the one of this row; allowed: mW",
        "line 40: soc,wakeup,duration: the state \"wakeup\" is not known here; allowed: "
          + "awake_idle, active, launch, wake, delivery, cell_wake, moving, locate",
        "line 49: flash,commit,energy: the confidence \"guess\" is not known; allowed: "
          + "measured, read, read-2nd, recalled, fit, calc, estimate",
        "soc,wake,duration: this row is missing (unit s)",
      ])
  }

  @Test func `A row that stands twice, has too few columns or no source is refused`() throws {
    let extra =
      try text("phone-2021-lte") + """
        flash,commit,energy,1,1,1,J,read,again
        gnss,linger,power,1,1
        gnss,linger,duration,1,1,1,s,read,
        profile,name
        """
    #expect(
      errors(extra) == [
        "line 51: flash,commit,energy: stands already in line 49",
        "line 52: gnss,linger,power,1,1: a row has the nine columns "
          + "component,state,quantity,nominal,low,high,unit,confidence,source, this one has 5",
        "line 53: gnss,linger,duration: the source is missing; say where it comes from",
        "line 54: profile,name: a text row is written \"profile,key,value\"",
      ])
  }

  @Test func `The name must be that of the file`() throws {
    #expect(
      errors(try text("phone-2021-lte"), name: "mine") == [
        "line 2: profile,name: the name \"phone-2021-lte\" is not that of the file; allowed: mine"
      ])
  }

  @Test func `A network profile names its kind of link`() throws {
    let bytes = Array(try text("lte-aro").replacing("lte_three_tails", with: "5g").utf8)
    let error = #expect(throws: ProfileErrors.self) {
      try NetworkProfile.parse(bytes.span, name: "lte-aro")
    }
    #expect(
      error?.errors.map(\.description) == [
        "line 4: profile,model: the value \"5g\" is not known; allowed: lte, lte_three_tails, 3g, "
          + "tailender, iot, lora, wifi"
      ])
  }

  @Test(arguments: ProfileLibrary.devices + ProfileLibrary.networks)
  func `A file is recognised as device or network by its content`(_ name: String) throws {
    let bytes = Array(try text(name).utf8)
    switch try ProfileFile.parse(bytes.span, name: name) {
    case .device(let profile): #expect(profile.name == name)
    case .network(let profile): #expect(profile.name == name)
    }
  }

  @Test func `A motion sensor is stated with what it feels, and none without one`() throws {
    // A movement is felt within half to one and a half of a window: Android allows 5 to 10 s.
    let phone = try #require(try device().motion)
    #expect(phone.window == Quantity(nominal: 10, low: 5, high: 15))
    for name in ProfileLibrary.devices {
      let device = try device(name)
      guard let motion = device.motion else {
        #expect(name.hasPrefix("pi"))
        continue
      }
      // A walk of three windows is missed less than once in a thousand.
      let missed = 1 - motion.steps.nominal
      #expect(missed * missed * missed < 0.001, "\(name)")
      #expect(motion.ride.nominal <= motion.steps.nominal)
      #expect(motion.falseAlarms.nominal * 24 == 6)
      var without = device
      without.hasMotionSensor = false
      #expect(without.motion == nil)
    }
  }

  @Test func `A profile with a motion sensor has to state it, in shares of 1`() throws {
    let broken = try text("phone-2021-lte")
      .replacing("sensor,motion,ride,0.9,0.6,1,share", with: "sensor,motion,ride,90,60,100,share")
      .replacing("sensor,motion,false_alarms", with: "# sensor,motion,false_alarms")
    #expect(
      errors(broken)
        == ["90", "60", "100"].enumerated().map {
          "line 46: sensor,motion,ride: \(["nominal", "low", "high"][$0.offset]) \"\($0.element)\" is not "
            + "0 or a number from 0.000000001 to 1"
        } + ["sensor,motion,false_alarms: this row is missing (unit 1/h)"])
    #expect(errors(try text("phone-2021-lte").replacing("motion,yes", with: "motion,no")) == [])
  }

  @Test func `Time to first fix is the field table scaled by the device's own hot start`() throws {
    // 6 s under open sky times 4/6 for phone-2021-lte, 17/6 for the Pi's dongle.
    let phone = try device()
    #expect(phone.timeToFirstFix(start: .hot, environment: .open).mean == 4)
    #expect(phone.timeToFirstFix(start: .hot, environment: .pocket).mean == 8)
    let pi = try device("pi-zero-ublox7")
    #expect(pi.timeToFirstFix(start: .cold, environment: .pocket).mean.isWithin(of: 141.667))
    let indoors = phone.timeToFirstFix(start: .cold, environment: .indoors)
    #expect(indoors.failureProbability == 1 && indoors.mean == phone.acquisitionTimeout.nominal)
  }

  @Test
  func
    `A phone has assistance at each start, a dongle what it heard, and nothing if it is unplugged`()
    throws
  {
    let phone = try device().starts
    let ages: [Double?] = [nil, 3_600, 5 * 3_600, 100 * 86_400]
    #expect(ages.map { phone.start(age: $0) } == [.assisted, .assisted, .assisted, .assisted])
    let dongle = try device("pi-zero-ublox7").starts
    #expect(ages.map { dongle.start(age: $0) } == [.cold, .hot, .warm, .cold])
    // Half-way between 2 and 4 h half of the draws are hot.
    #expect(dongle.start(age: 3 * 3_600, draw: 0.49) == .hot)
    #expect(dongle.start(age: 3 * 3_600, draw: 0.51) == .warm)
    let unplugged = ReceiverStarts(later: .nothing)
    #expect(ages.map { unplugged.start(age: $0) } == [.cold, .cold, .cold, .cold])
  }

  @Test(
    arguments: [
      ("78.81,40,120,mW", "1e300", "0 or a number from 0.000000001 to 1000000"),
      ("78.81,40,120,mW", "5e-324", "0 or a number from 0.000000001 to 1000000"),
    ])
  func `A number that no meter can calculate with is refused with its range`(
    row: String, value: String, range: String
  ) throws {
    let broken = try text("phone-2021-lte").replacing(
      row, with: [value, value, value, "mW"].joined(separator: ","))
    #expect(
      errors(broken)
        == ["nominal", "low", "high"].map {
          "line 22: gnss,track_good,power: \($0) \"\(value)\" is not \(range)"
        })
  }

  @Test(arguments: [
    ("setup", "1e19", "0 or a number from 0.000001 to 100000"),
    ("rate", "5e-324", "0 or a number from 0.00001 to 100000"),
    ("base", "1e300", "0 or a number from 0.000000001 to 1000000"),
  ])
  func `So is one of a network profile`(quantity: String, value: String, range: String) throws {
    let lines = try text("lte-2021-tmobile").split(
      separator: "\n", omittingEmptySubsequences: false)
    let broken = lines.map { line in
      var fields = line.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      guard fields.count > 8, fields[0...2] == ["cell", "active", quantity] else {
        return String(line)
      }
      fields.replaceSubrange(3...5, with: [value, value, value])
      return fields.joined(separator: ",")
    }.joined(separator: "\n")
    let bytes = Array(broken.utf8)
    #expect {
      _ = try NetworkProfile.parse(bytes.span, name: "lte-2021-tmobile")
    } throws: { error in
      let messages = (error as? ProfileErrors)?.errors.map(\.message)
      return messages
        == ["nominal", "low", "high"].map { "\($0) \"\(value)\" is not \(range)" }
    }
  }
}
