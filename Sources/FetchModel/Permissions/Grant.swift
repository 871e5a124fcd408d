package import FetchValues

/// The permissions that the user gave a job. Everything else is refused.
package struct Grant: Equatable, Sendable {
  /// The servers a run may reach.
  package var hosts: [HostPattern] = []
  /// The addresses that may be reached although they are not globally routable, whatever name leads
  /// there.
  package var privateAddresses = PrivateAddresses.none
  /// The files that a `file:` URL may read; each a file, or a folder with its contents; absolute.
  package var readPaths: [String] = []
  package var secrets: [SecretGrant] = []
  /// The places in the job's own folder where files may be put; nil for all of it.
  package var writePaths: [FilePath]?
  /// Whether a run may write into the job's own folder and download files into it.
  package var keepsFiles = false

  package init() {}
}

extension Grant {
  /// Combines a plugin's requests with what the job's config gives in addition.
  ///
  /// - Parameters:
  ///   - allow: the config's `allow`, with absolute paths.
  ///   - hosts: hostnames that the config allows.
  ///   - options: the job's options, for entries such as `{options.url}`.
  ///   - addresses: addresses in options. Their ports are allowed if their hostnames are.
  ///   - secrets: the secrets that the job may send, before these ports are added.
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

  /// Returns the permissions for people, one phrase each: `may reach example.org`. Empty for an
  /// empty grant.
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
      let places = hosts.isEmpty ? "no hostname" : hosts
      phrases.append("may send the secret \(secret.name) to \(places)")
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

  /// Returns why a file at a path of the job's own folder may not be written, replaced or removed;
  /// nil if it may.
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

/// The `allow` of a job's config. It limits each kind of permission that it names: a plugin that
/// asks for more does not run. For the other kinds, the first run's requests are remembered.
package struct Allowance: Equatable, Sendable {
  /// The only hostnames that it may reach, besides those in its options; nil if not given.
  package var hosts: [HostPattern]?
  package var privateAddresses = PrivateAddresses.none
  /// The only files and folders that it may read; nil if not given. Plugins never get any by
  /// asking.
  package var readPaths: [String]?
  /// Whether it may keep files in its own folder; nil if not given.
  package var keepsFiles: Bool?
  /// The places in its own folder for files; nil for all of it.
  package var writePaths: [FilePath]?

  /// The names of the only secrets that the job may send; nil if not given.
  package var secrets: [String]?
  /// The only programs that its own hooks and secrets may start; nil if not given.
  package var commands: [String]?

  /// The secrets that the config sends to hostnames of its choice.
  package var boundSecrets: [String] = []

  package init() {}

  /// Whether requests of a file are compared with `allow` at all.
  package var isBinding: Bool {
    hosts != nil || keepsFiles != nil || secrets != nil || readPaths != nil
      || !boundSecrets.isEmpty
  }

  /// The permissions besides hostnames that it gives by name, whatever the plugin asks for.
  package var given: [AskedPermission] { (readPaths ?? []).map { .read($0) } }

  /// Whether `allow` permits it; nil if it does not mention it. Values in options come from the
  /// user.
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

  /// Whether it permits a program, which is written as a name or a path.
  package func permits(command program: String) -> Bool {
    commands?.contains { ExactText($0) == ExactText(program) } ?? true
  }
}

// MARK: Shared workers

/// The part of a grant besides hostnames: secrets, private addresses and files.
///
/// Runs in one compromised worker process could use each other's permissions, so they share a
/// process only if this part is equal.
package struct ExtraGrant: Hashable, Sendable {
  private var secrets: [SecretGrant] = []
  private var sources: [String: SecretSource] = [:]
  private var privateAddresses = PrivateAddresses.none
  private var readPaths: [String] = []
  private var folder: String?
  private var writePaths: [FilePath]?

  /// Creates an empty one.
  package init() {}

  /// - Parameters:
  ///   - sources: the sources of the granted secrets, by name.
  ///   - folder: the folder for the files of the grant's holder.
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
