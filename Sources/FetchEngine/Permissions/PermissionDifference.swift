package import FetchModel
package import FetchValues

/// What a plugin's file wants beside what was granted, and what of that it asks for no more.
package struct PermissionDifference: Equatable, Sendable {
  package var more: [AskedPermission]
  package var less: [AskedPermission]

  /// A job against what it was granted, with its own file or with another one in its place. A job
  /// that has never run wants nothing but what its config refuses: its first run grants the rest.
  package init(_ job: Job, _ pin: PinnedGrant?) {
    let pin = job.isPlugin(of: pin) ? pin : nil
    switch job.decision(by: pin, now: Timestamp(milliseconds: 0)) {
    case .runs, .lacking:
      // Such as files to read: a first run does not grant them, and goes without.
      let wanted = pin.map { job.plugin.asked.beyond($0.granted) } ?? []
      more = wanted.filter { job.terms?.allowance.permits($0) == nil }
    case .beyondAllowance(let asked), .beyondGrant(let asked): more = asked
    }
    less = pin?.granted.beyond(job.plugin.asked) ?? []
  }

  /// What a file asks for against what another one does, or was granted.
  package init(
    from old: AskedPermissions = AskedPermissions(), to new: AskedPermissions = AskedPermissions()
  ) {
    more = new.beyond(old)
    less = old.beyond(new)
  }

  package var isEmpty: Bool { more.isEmpty && less.isEmpty }

  /// `+ reach example.org`, one each.
  package var lines: [String] {
    more.map { "+ " + $0.phrase } + less.map { "- " + $0.phrase }
  }

  /// `{"change":"+","reach":"example.org"}`, one each.
  package var values: [Value] {
    more.map { Self.value("+", $0) } + less.map { Self.value("-", $0) }
  }

  private static func value(_ change: String, _ permission: AskedPermission) -> Value {
    let members = permission.value.objectValue?.members ?? []
    return .object(ValueObject([("change", .string(change))] + members.map { ($0.key, $0.value) }))
  }
}
