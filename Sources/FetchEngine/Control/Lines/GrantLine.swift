package import FetchModel
package import FetchValues

/// A job or a hook to which the user has granted the permissions that its file requests.
package struct GrantLine: Hashable, Sendable {
  package var holder: GrantHolder
  /// The hash of the granted file.
  package var hash: [UInt8]
  /// Whether a job waited for the grant and is due now.
  package var isDue: Bool

  package init(_ holder: GrantHolder, hash: [UInt8], isDue: Bool) {
    self.holder = holder
    self.hash = hash
    self.isDue = isDue
  }

  package var text: String {
    if case .hook = holder { return "\(holder.name): granted; it may be called from now on" }
    return "\(holder.name): granted; it \(isDue ? "runs now" : "may run from now on")"
  }

  package var value: Value {
    [
      holder.kind: .string(holder.name), "grantedHash": .string(Hexadecimal.text(of: hash)),
      "isDue": .bool(isDue),
    ]
  }

  /// Reads a line from JSON; returns nil if `value` is not a valid line.
  package init?(_ value: Value) {
    let holder =
      value["job"]?.stringValue.map { GrantHolder.job(JobName($0)) }
      ?? value["hook"]?.stringValue.map { .hook(HookName($0)) }
    guard let holder, let isDue = value["isDue"]?.boolValue,
      let hash = value["grantedHash"]?.stringValue.flatMap({
        Hexadecimal.bytes(of: Array($0.utf8))
      })
    else { return nil }
    self.init(holder, hash: hash, isDue: isDue)
  }
}
