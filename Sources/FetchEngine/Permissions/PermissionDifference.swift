package import FetchModel
package import FetchValues

/// The difference between the permissions that a plugin's file requests and the permissions that
/// are granted.
package struct PermissionDifference: Equatable, Sendable {
  package var more: [AskedPermission]
  package var less: [AskedPermission]

  /// Compares the permissions that a job's file requests with the job's grant. If the plugin has no
  /// grant yet, `more` contains only the permissions that the config refuses. The first run grants
  /// the others, except permissions to read files.
  package init(_ job: Job, _ pin: PinnedGrant?) {
    let pin = job.isPlugin(of: pin) ? pin : nil
    switch job.decision(by: pin, now: Timestamp(milliseconds: 0)) {
    case .runs, .lacking:
      // A job can run without some of the requested permissions. For example, the first run does
      // not grant the right to read files outside the job's folder.
      let wanted = pin.map { job.plugin.asked.beyond($0.granted) } ?? []
      more = wanted.filter { job.terms?.allowance.permits($0) == nil }
    case .beyondAllowance(let asked), .beyondGrant(let asked): more = asked
    }
    less = pin?.granted.beyond(job.plugin.asked) ?? []
  }

  /// Compares the requests of a file with those of another file, or with a grant.
  package init(
    from old: AskedPermissions = AskedPermissions(), to new: AskedPermissions = AskedPermissions()
  ) {
    more = new.beyond(old)
    less = old.beyond(new)
  }

  package var isEmpty: Bool { more.isEmpty && less.isEmpty }

  /// The differences as lines of text, such as `+ reach example.org`.
  package var lines: [String] {
    more.map { "+ " + $0.phrase } + less.map { "- " + $0.phrase }
  }

  /// The differences as JSON objects, such as `{"change":"+","reach":"example.org"}`.
  package var values: [Value] {
    more.map { Self.value("+", $0) } + less.map { Self.value("-", $0) }
  }

  private static func value(_ change: String, _ permission: AskedPermission) -> Value {
    let members = permission.value.objectValue?.members ?? []
    return .object(ValueObject([("change", .string(change))] + members.map { ($0.key, $0.value) }))
  }
}
