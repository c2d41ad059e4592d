// SPDX-License-Identifier: Apache-2.0

package import RadioPower

/// One run of the simulator: the seed determines everything not given here.
package struct SimulationPlan: Sendable {
  package var seed: UInt64
  /// Days in which faults strike; a quiet time follows.
  package var days: Double
  package var faults: Set<FaultKind>
  /// Faults that are left out.
  package var muted: Set<FaultName>
  package var device: DeviceProfile
  package var network: NetworkProfile?

  package init(
    seed: UInt64, days: Double, device: DeviceProfile, network: NetworkProfile?,
    faults: Set<FaultKind> = Set(FaultKind.allCases), muted: Set<FaultName> = []
  ) {
    self.seed = seed
    self.days = days
    self.device = device
    self.network = network
    self.faults = faults
    self.muted = muted
  }
}

extension SimulationPlan {
  /// Runs it, to its end or to the first broken rule; `trace` receives each step.
  package func run(trace: ((String) -> Void)? = nil) -> SimulationResult {
    var simulation = Simulation(self)
    simulation.trace = trace
    return simulation.run()
  }
}

/// The outcome of a run.
package struct SimulationResult: Sendable {
  package var violation: Violation?
  /// Simulated seconds, with the quiet time.
  package var seconds: Double
  /// The faults that struck, in their order.
  package var injected: [FaultName]
  /// Batches that the service decided.
  package var steps: Int
  package var deliveries: Int
}

/// A broken rule.
package struct Violation: Sendable, Equatable {
  package enum Rule: String, Sendable {
    case lostEvent = "an event is lost"
    case handedAgain = "an event is handed out again after its acknowledgement was stored"
    case ranAgain = "a run that ended well begins again"
    case numbers = "numbers come in order, without a gap"
    case suspendedCode = "no code runs while suspended"
    case beforeCommit = "an effect comes before what it depends on is stored"
    case withoutReason = "nothing starts without a reason"
    case twoProcesses = "an app has at most one process"
    case budget = "a budget is exceeded"
    case leaked = "every process is ended, kept or adopted"
    case missing = "an app that runs has a process"
    case unbounded = "nothing grows without bound"
    case receiver = "the receiver is on where it is needed, and nowhere else"
    case answers = "every request is answered once, in order"
    case idle = "what can be sent or run is not left waiting"
    case late = "after the faults everything due is delivered in its time"
    case livelock = "time goes on"
    case forgotten = "a restart forgets nothing"
    case hidden = "nothing that is told or stored lies in a zone, but for those who see inside"
    case silent = "who asks for continuous updates and may hear them is not suspended"
    case denied = "nothing goes out that its user has denied"
    case kept = "what is younger than it is kept is not forgotten"
  }

  package let rule: Rule
  package let text: String
  /// Seconds since the start of the run.
  package let at: Double
}
