import FetchConfig
package import FetchModel
package import FetchValues

/// The present permissions of a job or a hook of the config, and the permissions that its file
/// requests.
package struct JobPermissions: Sendable {
  package let holder: GrantHolder
  package let job: Job
  package let pin: PinnedGrant?
  package let decision: GrantDecision
  /// The names of the options that the user has set.
  private let given: [String]
  private let config: JobConfig
  private let hooks: [HookConfig]
  private let suggested: SuggestedCommand

  package init(
    _ claimant: GrantClaimant, _ pin: PinnedGrant?, suggested: SuggestedCommand, now: Timestamp
  ) {
    holder = claimant.holder
    job = claimant.job
    self.pin = pin
    decision = job.decision(by: pin, now: now)
    given = claimant.config.givenOptionNames
    config = claimant.config
    hooks = claimant.hooks
    self.suggested = suggested
  }

  /// The reason why the job or hook may not run; nil if it may run.
  package var held: Failure? {
    decision.failure(of: holder, file: job.plugin.path, suggested: suggested)
  }

  /// The granted permissions. Each permission appears once, with its grantor.
  package var granted: [GrantedPermission] {
    var all = inUse.flatMap(granted)
    let hosts = (config.allow.hosts ?? []) + config.hosts
    all += hosts.map { GrantedPermission(.asked(.reach($0.text)), by: .config) }
    all += addresses.map { GrantedPermission($0, by: .config) }
    all += config.allow.given.map { GrantedPermission(.asked($0), by: .config) }
    for secret in config.secrets {
      for host in secret.hosts ?? [] {
        all.append(
          GrantedPermission(.asked(.send(secret: secret.name, to: host.text)), by: .config))
      }
      all += secret.source.commands.map {
        GrantedPermission(.run($0, secret: secret.name), by: .config)
      }
    }
    all += opened(by: all)
    for hook in hooks {
      all += hook.sink.commands.map { GrantedPermission(.tell($0, hook: hook.name), by: .config) }
    }
    var once: [GrantedPermission] = []
    for permission in all where !once.contains(where: { $0.deed == permission.deed }) {
      once.append(permission)
    }
    return once
  }

  /// Returns the permissions for the ports that the user has written in the addresses of options.
  /// These ports apply to hostnames that are granted without a port.
  private func opened(by granted: [GrantedPermission]) -> [GrantedPermission] {
    let hosts = granted.compactMap { permission -> HostPattern? in
      guard case .asked(.reach(let host)) = permission.deed else { return nil }
      return HostPattern(host)
    }
    return given.flatMap { name -> [GrantedPermission] in
      let addresses = job.options[name].map(PermissionResolution.addresses) ?? []
      let reached = HostPattern.opened(hosts, at: addresses).dropFirst(hosts.count).map {
        AskedPermission.reach($0.text)
      }
      let sent = job.grant.secrets.flatMap { secret in
        addresses.flatMap(HostPattern.all).filter {
          secret.hosts.contains($0) && $0.ports != .usual
        }
        .map { AskedPermission.send(secret: secret.name, to: $0.text) }
      }
      return (reached + sent).map { GrantedPermission(.asked($0), by: .option(name)) }
    }
  }

  /// The permissions that the file requests, with the job's options filled in.
  private var inUse: [(asked: AskedPermission, filled: [AskedPermission], option: String?)] {
    AskedPermissions(
      job.plugin.manifest, keepsFiles: job.plugin.usesFiles, given: given
    ).all.map { asked in
      guard let option = asked.option else { return (asked, [asked], nil) }
      // If the user has not set the option, nothing is filled in: the permission for the option's
      // default value is a separate entry.
      return (asked, given.contains(option) ? asked.filled(from: job.options) : [], option)
    }
  }

  private func granted(
    _ use: (asked: AskedPermission, filled: [AskedPermission], option: String?)
  ) -> [GrantedPermission] {
    if case .send(let secret, _) = use.asked {
      // If the config does not have the secret, or itself names the hosts of the secret, the
      // plugin's request grants nothing.
      guard let given = config.secrets.first(where: { ExactText($0.name) == ExactText(secret) }),
        given.hosts == nil
      else { return [] }
    }
    if case .keepFiles = use.asked, let paths = config.allow.writePaths {
      return paths.map { GrantedPermission(.keep(in: $0.text), by: .config) }
    }
    if case .read = use.asked, pin?.source != .agreement { return [] }
    guard let giver = giver(of: use.asked) else { return [] }
    let isReading = if case .read = use.asked { true } else { false }
    return use.filled.map { filled in
      GrantedPermission(
        .asked(filled), by: isReading ? giver : use.option.map { .option($0) } ?? giver)
    }
  }

  /// Returns the grantor of a requested permission; nil if the permission is not granted.
  private func giver(of asked: AskedPermission) -> GrantedPermission.Giver? {
    if job.terms?.refused.contains(asked) == true { return nil }
    switch job.terms?.allowance.permits(asked) {
    case true?: return .config
    case false?: return nil
    case nil: break
    }
    guard let pin, job.isPlugin(of: pin) else { return .firstRun }
    guard pin.hash == job.plugin.source.contentHash || pin.granted.covers(asked) else {
      return nil
    }
    return .pinned(pin.source, at: pin.grantedAt)
  }

  private var addresses: [GrantedPermission.Deed] {
    switch job.grant.privateAddresses {
    case .none: []
    case .all: [.address(nil)]
    case .within(let blocks): blocks.map { .address($0) }
    }
  }
}

extension JobPermissions {
  /// The permissions as lines of text for people. The first line names the job or hook and its
  /// file. Each permission has a line of its own. The last line gives the reason if the file may
  /// not run.
  package var lines: [String] {
    var lines = ["\(holder.name) runs \(job.plugin.described)"]
    let granted = granted
    lines.append(granted.isEmpty ? "It has no permissions." : "It may")
    lines += granted.map { "  " + $0.sentence }
    if let held { lines.append("It does not run: \(held.message).") }
    return lines
  }

  /// The permissions as one JSON object; see the page JSON in the documentation.
  package var value: Value {
    var object = ValueObject([(holder.kind, .string(holder.name))])
    for member in job.plugin.permissions.members { object.append(member.key, member.value) }
    object.append("may", .array(granted.map(\.value)))
    object.append("missing", .array(PermissionDifference(job, pin).more.map(\.value)))
    object.append("grantedHash", .text(pin.map { Hexadecimal.text(of: $0.hash) }))
    object.append("grantedAt", .text(pin?.grantedAt.description))
    object.append("grantedBy", .text(pin?.source.rawValue))
    object.append("held", .text(held?.message))
    return .object(object)
  }
}

extension Plugin {
  /// The path, name and version of the file, and the first digits of its hash, such as
  /// `plugins/reuters.lua (reuters 1.0.0, 3fa29b01c4d5)`. A hook file may have no version.
  package var described: String {
    let hash = Hexadecimal.text(of: source.contentHash).prefix(12)
    let version = manifest.version.isEmpty ? "" : " \(manifest.version)"
    return "\(path) (\(manifest.name)\(version), \(hash))"
  }

  /// The requested permissions as lines of text for people. The first line names the file. Each
  /// permission has a line of its own.
  package var permissionLines: [String] {
    asked.isEmpty
      ? ["\(described) asks for nothing"]
      : ["\(described) asks to"] + asked.all.map { "  " + $0.phrase }
  }

  /// The requested permissions as JSON members: `{"plugin":…,"file":…,"hash":…,"asks":[…]}`.
  package var permissions: ValueObject {
    ValueObject([
      ("plugin", .string(manifest.name.text)), ("file", .string(path)),
      ("hash", .string(Hexadecimal.text(of: source.contentHash))), ("asks", asked.value),
    ])
  }
}
