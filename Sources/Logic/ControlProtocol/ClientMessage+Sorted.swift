// SPDX-License-Identifier: Apache-2.0

package import LocationModel

// A message is written as what it says, and sorted here: `.done`, for `.app(.done)`.

extension ClientMessage {
  package static func start(_ value: ServiceRequest) -> Self { .app(.start(value)) }
  package static func stop(_ value: Service) -> Self { .app(.stop(value)) }
  package static func requestLocation(accuracy: Double = -1) -> Self {
    .app(.requestLocation(accuracy: accuracy))
  }
  package static func monitorMotion(_ value: Bool) -> Self { .app(.monitorMotion(value)) }
  package static func requestAuthorization(_ value: Authorization) -> Self {
    .app(.requestAuthorization(value))
  }
  package static func acknowledge(_ value: UInt64) -> Self { .app(.acknowledge(value)) }
  package static var done: Self { .app(.done) }
  package static func monitorRegion(_ value: MonitoredRegion) -> Self {
    .app(.monitorRegion(value))
  }
  package static func stopMonitoringRegion(_ value: String) -> Self {
    .app(.stopMonitoringRegion(value))
  }
  package static func requestRegionState(_ value: String) -> Self {
    .app(.requestRegionState(value))
  }
  package static func monitorVisits(_ value: Bool) -> Self { .app(.monitorVisits(value)) }
  package static func heading(_ value: HeadingRequest) -> Self { .app(.heading(value)) }
  package static func deferUpdates(_ value: DeferralRequest) -> Self { .app(.deferUpdates(value)) }
  package static func beginTask(id: UInt32, name: String) -> Self {
    .background(.beginTask(id: id, name: name))
  }
  package static func endTask(_ value: UInt32) -> Self { .background(.endTask(value)) }
  package static var timeRemaining: Self { .background(.timeRemaining) }
  package static func setFetchInterval(_ value: Double?) -> Self {
    .background(.setFetchInterval(value))
  }
  package static func setKeepAlive(_ value: Double?) -> Self { .background(.setKeepAlive(value)) }
  package static func watchSocket(_ value: Bool) -> Self { .background(.watchSocket(value)) }
  package static func audio(_ value: Bool) -> Self { .background(.audio(value)) }
  package static func returned(_ value: WakeReason, _ second: FetchResult?) -> Self {
    .background(.returned(value, second))
  }
  package static func schedule(_ value: LocalNotification) -> Self { .background(.schedule(value)) }
  package static func cancelNotification(_ value: String?) -> Self {
    .background(.cancelNotification(value))
  }
  package static var notifications: Self { .background(.notifications) }
  package static var version: Self { .gpsd(.version) }
  package static var devices: Self { .gpsd(.devices) }
  package static func watch(isOn: Bool) -> Self { .gpsd(.watch(isOn: isOn)) }
  package static func watchSentences(json: Bool) -> Self { .gpsd(.watchSentences(json: json)) }
  package static var poll: Self { .gpsd(.poll) }
  package static var status: Self { .user(.status) }
  package static var overview: Self { .user(.overview) }
  package static func history(from: UTCInstant, to: UTCInstant, count: Int) -> Self {
    .user(.history(from: from, to: to, count: count))
  }
  package static var reload: Self { .user(.reload) }
  package static func device(_ value: DeviceEvent) -> Self { .user(.device(value)) }
  package static func forget(_ value: Forgetting) -> Self { .user(.forget(value)) }
  package static var apps: Self { .user(.apps) }
  package static func add(_ value: Manifest) -> Self { .user(.add(value)) }
  package static func update(_ value: Manifest) -> Self { .user(.update(value)) }
  package static func remove(_ value: String) -> Self { .user(.remove(value)) }
  package static func authorize(
    _ value: String, _ second: Authorization, _ third: LocationAccuracy? = nil
  ) -> Self { .user(.authorize(value, second, third)) }
  package static func control(_ value: String, _ second: AppControl) -> Self {
    .user(.control(value, second))
  }
  package static func log(_ value: String, count: Int) -> Self { .user(.log(value, count: count)) }
  package static func explain(_ value: String) -> Self { .user(.explain(value)) }
  package static func events(_ value: String) -> Self { .user(.events(value)) }
  package static func resend(_ value: String, _ second: UInt64?) -> Self {
    .user(.resend(value, second))
  }
  package static func discard(_ value: String, _ second: UInt64?) -> Self {
    .user(.discard(value, second))
  }
  package static func event(_ value: String, _ second: WakeReason) -> Self {
    .user(.event(value, second))
  }
  package static var sinks: Self { .user(.sinks) }
  package static func trySink(_ value: String) -> Self { .user(.trySink(value)) }
}
