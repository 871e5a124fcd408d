import FetchValues

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
      return readPaths.contains { AskedPermission.path($0, holds: path) }
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
