import FetchConfig
package import FetchHost
import FetchModel
import FetchValues

/// The facts about this machine, for the check of a config. The check warns about missing things,
/// such as programs or secrets.
package struct MachineFacts: Sendable {
  private let environment: [String: String]?
  private let vault: SecretVault?
  private let storedSecrets: [String]?
  private let service: ServiceSecrets?

  /// - Parameters:
  ///   - environment: the environment variables; nil skips the checks of variables and of programs
  ///     in `$PATH`.
  ///   - vault: the stored secrets. A vault that is nil or unreadable skips the checks of stored
  ///     secrets, unless `service` is given.
  ///   - service: the secrets of the system service, if the config is the service's config. The
  ///     service cannot read the secrets of the user who runs the check.
  package init(
    environment: [String: String]? = nil, vault: SecretVault? = nil,
    service: ServiceSecrets? = nil
  ) {
    self.service = service
    self.environment = environment
    self.vault = vault
    storedSecrets = (try? vault?.entries()).map { $0.map(\.name) }
  }

  /// Returns a sentence for each missing thing that the source of a secret needs. Does not check
  /// credentials and keyrings.
  func missing(for source: SecretSource) -> [String] {
    switch source {
    case .environment(let name):
      guard let environment, environment[name] == nil else { return [] }
      return ["the environment variable \(name) is not set in this process"]
    case .file(let path):
      return FileBytes.exists(path) ? [] : ["this user cannot find the file \(path)"]
    case .command(let words): return words.first.flatMap(missing(program:)).map { [$0] } ?? []
    case .stored(let name):
      if let service { return service.areStored ? [] : [service.advice(name)] }
      guard let storedSecrets, !storedSecrets.contains(name) else { return [] }
      return [
        "there is no stored secret '\(name)'\(NearestName.hint(name, among: storedSecrets)): "
          + "store it with `\(setting(name))`"
      ]
    case .oauth2(let client):
      return [client.clientSecret, client.refreshToken].compactMap(\.self).flatMap(missing)
    case .credential, .keyring: return []
    }
  }

  /// Returns the command that stores a secret for the config's runs.
  func setting(_ name: String) -> String {
    vault?.setting(name) ?? "fetchrun secret set \(name)"
  }

  /// Returns a sentence if a command's program is missing or this user may not execute it;
  /// otherwise nil. Also returns nil if the name has no slash and `PATH` is unknown.
  func missing(program: String) -> String? {
    if program.hasSlash {
      if FileBytes.isProgram(program) { return nil }
      return FileBytes.exists(program)
        ? "this user may not execute the program \(program): as the owner of the file, type "
          + "`chmod +x \(ShellWord.quoted(program))`"
        : "this user cannot find the program \(program)"
    }
    guard let folders = environment?["PATH"]?.split(separator: ":") else { return nil }
    let isThere = folders.contains { FileBytes.isProgram("\($0)/\(program)") }
    return isThere ? nil : "there is no program '\(program)' in $PATH"
  }

  /// Returns warnings about the missing things that the secrets of a config and of its jobs need.
  func warnings(about config: Config) -> [ConfigProblem] {
    var found: [ConfigProblem] = []
    for secret in config.secrets {
      found += missing(for: secret.source).map {
        ConfigProblem(file: config.file, "secret '\(secret.name)': \($0)")
      }
    }
    for job in config.jobs {
      for (index, secret) in job.secrets.enumerated()
      where !config.secrets.contains(where: { $0.name == secret.name && $0.source == secret.source }
      ) {
        let place =
          index < job.secretPlaces.count
          ? job.secretPlaces[index] : ConfigPlace(line: job.line, column: job.column)
        found += missing(for: secret.source).map {
          ConfigProblem(
            file: job.file, line: place.line, column: place.column,
            "job '\(job.name)': secret '\(secret.name)': \($0)")
        }
      }
    }
    return found.map { $0.asWarning }
  }
}

extension ConfigProblem {
  var asWarning: ConfigProblem {
    var warning = self
    warning.isWarning = true
    return warning
  }
}
