import FetchSchedule
package import FetchValues

/// A condition that each run of a job must pass.
package struct GateLine: Hashable, Sendable {
  /// The word for the gate: a case of `Gate.Kind`, `grant`, or a word of a later version.
  package var gate: String
  package var isOpen: Bool
  /// The reason why the gate is closed, as a sentence without its full stop; nil if the gate is
  /// open.
  package var why: String?

  package init(_ gate: String, why: String?) {
    self.gate = gate
    isOpen = why == nil
    self.why = why
  }

  init(_ gate: Gate, now: Timestamp) {
    self.init(gate.kind.rawValue, why: gate.sentence(now: now))
  }

  /// The word for the gate that is closed while a job's permissions need approval.
  package static let grant = "grant"

  package var value: Value {
    ["gate": .string(gate), "isOpen": .bool(isOpen), "why": .text(why)]
  }

  /// Reads a gate from JSON; returns nil if `value` is not a valid gate.
  package init?(_ value: Value) {
    guard let gate = value["gate"]?.stringValue, let isOpen = value["isOpen"]?.boolValue else {
      return nil
    }
    self.gate = gate
    self.isOpen = isOpen
    why = value["why"]?.stringValue
  }
}
