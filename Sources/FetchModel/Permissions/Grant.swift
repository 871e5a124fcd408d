package import FetchValues

/// The permissions of a job, of a hook, or of a request that fetchrun makes itself. Every request
/// beyond these permissions is refused.
package struct Grant: Equatable, Sendable {
  /// The servers that a run may reach.
  package var hosts: [HostPattern] = []
  /// The addresses that may be reached although their class is not `AddressClass.global`,
  /// regardless of the hostname that resolves to them.
  package var privateAddresses = PrivateAddresses.none
  /// The absolute paths that a run may read with `file:` URLs. Each path is a file, or a folder
  /// with its contents.
  package var readPaths: [String] = []
  package var secrets: [SecretGrant] = []
  /// The files and folders in the job's own folder that a run may write; nil for the whole folder.
  package var writePaths: [FilePath]?
  /// Whether a run may write files into the job's own folder and download files into it.
  package var keepsFiles = false

  package init() {}
}

extension Grant {
  /// Creates a grant from a plugin's requests and the permissions that the job's config adds.
  /// `keepsFiles` stays false.
  ///
  /// - Parameters:
  ///   - allow: the permissions under `allow` in the config.
  ///   - hosts: the hostnames under `hosts` in the config, which are added to those of the plugin's
  ///     requests and of `allow`.
  ///   - options: the job's options, for entries such as `{options.url}`.
  ///   - addresses: addresses in options. The ports of these addresses are allowed if their
  ///     hostnames are allowed.
  ///   - secrets: the secrets that the job may send. The ports of `addresses` are also added to the
  ///     hostnames of the secrets.
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

  /// Returns phrases for people, such as `may reach example.org`; empty for a grant without
  /// permissions. Each secret has a phrase of its own.
  ///
  /// - Parameter files: the phrase for the job's own folder; nil if the job keeps no files.
  package func phrases(files: String? = nil) -> [String] {
    var phrases: [String] = []
    if !hosts.isEmpty { phrases.append("may reach " + HostPattern.list(hosts)) }
    if !readPaths.isEmpty { phrases.append("may read " + readPaths.joined(separator: ", ")) }
    if let files { phrases.append(files) }
    for secret in secrets {
      let places = secret.hosts.isEmpty ? "no hostname" : HostPattern.list(secret.hosts)
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

  /// Returns the failure of a write to a path in the job's own folder; nil if `writePaths` allows
  /// the write. A removal counts as a write.
  package func writeRefusal(_ path: FilePath) -> Failure? {
    guard let writePaths, !writePaths.contains(where: { $0.holds(path) }) else { return nil }
    let granted = writePaths.map(\.text).joined(separator: ", ")
    return Failure(
      .permission,
      "the plugin may not write \(path.text) in the job's folder (granted: "
        + "\(granted.isEmpty ? "nothing" : granted)); add the path to `allow.write` in the config")
  }
}

// MARK: In the config

/// The permissions under `allow` in the config of a job or a Lua hook. If `allow` names a kind of
/// permission, the plugin or hook file runs only if `allow` grants all of its requests of this
/// kind. For kinds that `allow` does not name, `GrantRule` decides.
package struct Allowance: Equatable, Sendable {
  /// The hostnames to which `allow` limits the job or hook, besides the hostnames in its options;
  /// nil if `allow` does not limit hostnames.
  package var hosts: [HostPattern]?
  package var privateAddresses = PrivateAddresses.none
  /// The files and folders to which `allow` limits the job; nil if `allow` does not name any. A
  /// plugin's request alone never grants a file or folder.
  package var readPaths: [String]?
  /// Whether the job may keep files in its own folder; nil if `allow` does not name this
  /// permission.
  package var keepsFiles: Bool?
  /// The files and folders in the job's own folder that the job may write; nil for the whole
  /// folder.
  package var writePaths: [FilePath]?

  /// The names of the secrets to which `allow` limits the job; nil if `allow` does not limit
  /// secrets.
  package var secrets: [String]?
  /// The programs that the job's own hooks and secrets may start; nil if `allow` does not limit
  /// programs.
  package var commands: [String]?

  /// The names of the secrets for which the config lists the hostnames that may receive the secret.
  package var boundSecrets: [String] = []

  package init() {}

  /// Whether the config limits a permission that a plugin can request, with `allow` or with the
  /// hostnames of a secret.
  package var isBinding: Bool {
    hosts != nil || keepsFiles != nil || secrets != nil || readPaths != nil
      || !boundSecrets.isEmpty
  }

  /// The permissions to read the files and folders that `allow` names. `allow` grants the
  /// permissions even if the plugin does not request them.
  package var given: [AskedPermission] { (readPaths ?? []).map { .read($0) } }

  /// Whether `allow` grants the permission; nil if `allow` does not decide. If `allow` limits
  /// hostnames or paths, an entry that names an option is still allowed, because the user wrote the
  /// option. A secret is refused if the list `secrets` exists and lacks it. Any other secret is
  /// granted if `boundSecrets` contains it.
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

  /// Whether `allow` permits a program. The program is given as a name or a path.
  package func permits(command program: String) -> Bool {
    commands?.contains { ExactText($0) == ExactText(program) } ?? true
  }
}

// MARK: Shared workers

/// The permissions of a grant other than hostnames: secrets, private addresses and files.
///
/// Runs in one compromised worker process could use each other's permissions. Runs therefore share
/// a process only if these permissions are equal.
package struct ExtraGrant: Hashable, Sendable {
  private var secrets: [SecretGrant] = []
  private var sources: [String: SecretSource] = [:]
  private var privateAddresses = PrivateAddresses.none
  private var readPaths: [String] = []
  private var folder: String?
  private var writePaths: [FilePath]?

  /// Creates the permissions of an empty grant.
  package init() {}

  /// Creates the permissions from a grant.
  ///
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
