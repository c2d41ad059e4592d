// SPDX-License-Identifier: Apache-2.0

import LocationEngine
import LocationModel
import ServiceContract
import ServiceCore

/// One app of a run: its registration, and the program that plays it.
struct CastMember: Sendable {
  let name: String
  let declaration: AppDeclaration
  let program: any VirtualProgram
  /// Megabytes; `nil` if unknown.
  let memory: Double?
  /// Whether the user starts it as the run begins.
  let isOpened: Bool
  /// The policy of a built-in row.
  let policy: SignificantPolicy?
  /// The manifest of a sink, whose program never runs.
  let sink: AppManifest?

  init(
    name: String, declaration: AppDeclaration, program: any VirtualProgram, memory: Double? = nil,
    isOpened: Bool = true, policy: SignificantPolicy? = nil, sink: AppManifest? = nil
  ) {
    self.name = name
    self.sink = sink
    self.declaration = declaration
    self.program = program
    self.memory = memory
    self.isOpened = isOpened
    self.policy = policy
  }

  /// The app of a built-in row.
  init(_ plan: RunPlan, named name: String, workTime: Double) {
    var declaration = AppDeclaration()
    declaration.declaresLocationMode = plan.service == .continuous
    let program: any VirtualProgram =
      plan.armedBy.map { CycledApp(plan, armedBy: $0, workTime: workTime) }
      ?? ScriptedApp(plan, workTime: workTime)
    self.init(name: name, declaration: declaration, program: program, policy: plan.policy)
  }

  /// An app of a scenario. `plan` decides what it leaves open; with the service comes the mode that it needs.
  init(_ app: ScenarioApp, tracking plan: RunPlan, _ options: ReplayOptions) {
    var declaration = app.declaration
    if app.handlers.contains(where: { $0.steps.contains(.track) }), plan.service != .significant {
      declaration.declaresLocationMode = plan.service == .continuous
    }
    self.init(
      name: app.name, declaration: declaration,
      program: ScenarioProgram(app, tracking: plan) { options.transferDuration(of: $0) },
      memory: app.sink == nil ? app.memory : nil, isOpened: false, sink: app.sink)
  }

  var manifest: AppManifest {
    sink
      ?? AppManifest(
        name: name, kind: .connected, command: [name], directory: "/", declaration: declaration,
        service: nil, launch: .manual)
  }
}
