package import FetchValues

/// What the user gave a job. Everything that is not in here is refused.
package struct Grant: Equatable, Sendable {
  /// The servers a run may reach.
  package var hosts: [HostPattern] = []
  /// Addresses that are not globally routable, whatever name leads there.
  package var privateAddresses = PrivateAddresses.none
  /// Files a `file:` URL may read: each a file, or a folder with all that is in it; absolute.
  package var readPaths: [String] = []
  package var secrets: [SecretGrant] = []
  /// Where in the job's own folder files may be put; nil for all of it.
  package var writePaths: [FilePath]?
  /// Whether a run may write into the job's own folder, and have transfers put there.
  package var keepsFiles = false

  package init() {}
}

extension Grant {
  /// What a job gets: what its plugin asks for, and what its config gives besides.
  ///
  /// - Parameters:
  ///   - allow: with absolute paths.
  ///   - hosts: hostnames that the config opens.
  ///   - options: those of the job, for entries such as `{options.url}`.
  ///   - addresses: addresses that the user has written in options; their ports are open if their
  ///     hostnames are.
  ///   - secrets: those that the job may have sent, before these ports are opened.
  package init(
    _ asked: PermissionRequest, _ allow: Allowance, hosts: [HostPattern], options: ValueObject,
    addresses: [TargetURL], secrets: [SecretGrant]
  ) {
    self.hosts = PermissionResolution.hosts(asked: asked, options: options)
    self.hosts += (hosts + (allow.hosts ?? [])).filter { !self.hosts.contains($0) }
    self.hosts = HostPattern.opened(self.hosts, at: addresses)
    privateAddresses = allow.privateAddresses
    writePaths = allow.writePaths
    readPaths = allow.readPaths ?? []
    self.secrets = secrets.map {
      SecretGrant(name: $0.name, hosts: HostPattern.opened($0.hosts, at: addresses))
    }
  }

  /// All that it gives, for people: `may reach example.org`, a phrase each; nothing for an empty one.
  ///
  /// - Parameter files: the phrase for the job's own folder; nil if it keeps no files.
  package func phrases(files: String? = nil) -> [String] {
    var phrases: [String] = []
    if !hosts.isEmpty {
      phrases.append("may reach " + hosts.map(\.text).joined(separator: ", "))
    }
    if !readPaths.isEmpty { phrases.append("may read " + readPaths.joined(separator: ", ")) }
    if let files { phrases.append(files) }
    for secret in secrets {
      let hosts = secret.hosts.map(\.text).joined(separator: ", ")
      phrases.append("may send the secret \(secret.name) to \(hosts.isEmpty ? "nobody" : hosts)")
    }
    switch privateAddresses {
    case .none: break
    case .all: phrases.append("may reach private addresses")
    case .within(let blocks):
      let list = blocks.map(\.description).joined(separator: ", ")
      phrases.append("may reach the private addresses of \(list)")
    }
    return phrases
  }

  /// Why what is at a path of the job's own folder may not be put there, replaced or removed; nil where
  /// the config has no word against it.
  package func writeRefusal(_ path: FilePath) -> Failure? {
    guard let writePaths, !writePaths.contains(where: { $0.holds(path) }) else { return nil }
    let granted = writePaths.map(\.text).joined(separator: ", ")
    return Failure(
      .permission,
      "the plugin may not write \(path.text) in the job's folder (granted: "
        + "\(granted.isEmpty ? "nothing" : granted)); add it to allow.write in the config")
  }
}

// MARK: In the config

/// What a config's `allow` gives a job. A kind that is written there is bound by it: a plugin that
/// asks for more of it does not run. Of the others, what the plugin asked for first is remembered.
package struct Allowance: Equatable, Sendable {
  /// All hostnames that it may reach, besides those in its options; nil where they are not written.
  package var hosts: [HostPattern]?
  package var privateAddresses = PrivateAddresses.none
  /// All files and folders that it may read; plugins never get any by asking. nil where they are not
  /// written.
  package var readPaths: [String]?
  /// Whether it may keep files in its own folder; nil where that is not written.
  package var keepsFiles: Bool?
  /// Where in its own folder it may; nil for all of it.
  package var writePaths: [FilePath]?

  /// The only secrets of the job that it may have sent, by their names; nil where they are not
  /// written.
  package var secrets: [String]?
  /// The only programs that its own hooks and secrets may start; nil where they are not written.
  package var commands: [String]?

  /// Secrets that the config sends to hostnames of its own choice.
  package var boundSecrets: [String] = []

  package init() {}

  /// Whether a file that asks for it is to be held against `allow` at all.
  package var isBinding: Bool {
    hosts != nil || keepsFiles != nil || secrets != nil || readPaths != nil
      || !boundSecrets.isEmpty
  }

  /// The permissions besides hostnames that it gives by name, whatever the plugin asks for.
  package var given: [AskedPermission] { (readPaths ?? []).map { .read($0) } }

  /// nil: `allow` does not speak of it. What is in an option, the user has put there.
  package func permits(_ permission: AskedPermission) -> Bool? {
    switch permission {
    case .reach(let host):
      guard let hosts else { return nil }
      if PermissionResolution.optionName(in: host) != nil { return true }
      return hosts.contains { AskedPermission.reach($0.text).covers(permission) }
    case .read(let path):
      guard let readPaths else { return nil }
      if PermissionResolution.optionName(in: path) != nil { return true }
      return readPaths.contains { PermissionResolution.path($0, holds: path) }
    case .send(let secret, _):
      if !permits(secret: secret) { return false }
      return boundSecrets.contains { ExactText($0) == ExactText(secret) } ? true : nil
    case .keepFiles: return keepsFiles
    }
  }

  package func permits(secret name: String) -> Bool {
    secrets?.contains { ExactText($0) == ExactText(name) } ?? true
  }

  /// A program as it is written: its name, or its path.
  package func permits(command program: String) -> Bool {
    commands?.contains { ExactText($0) == ExactText(program) } ?? true
  }
}

// MARK: Shared workers

/// What a grant gives beyond the hostnames that may be asked: secrets, private addresses and files.
///
/// Runs in one worker process could speak for each other if it was broken into, so they share one
/// only where this is equal.
package struct ExtraGrant: Hashable, Sendable {
  private var secrets: [SecretGrant] = []
  private var sources: [String: SecretSource] = [:]
  private var privateAddresses = PrivateAddresses.none
  private var readPaths: [String] = []
  private var folder: String?
  private var writePaths: [FilePath]?

  /// Nothing.
  package init() {}

  /// - Parameters:
  ///   - sources: where the values of the granted secrets are, by their names.
  ///   - folder: where the files of the grant's holder are.
  package init(_ grant: Grant, sources: [String: SecretSource], folder: String?) {
    secrets = grant.secrets
    self.sources = grant.secrets.isEmpty ? [:] : sources
    privateAddresses = grant.privateAddresses
    readPaths = grant.readPaths
    if grant.keepsFiles {
      self.folder = folder
      writePaths = grant.writePaths
    }
  }
}
