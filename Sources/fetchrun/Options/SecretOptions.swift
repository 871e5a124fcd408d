import ArgumentParser
import FetchConfig
import FetchHost

/// The options that select the file with the key of the stored secrets.
struct SecretOptions: ParsableArguments {
  @Option(
    name: .long,
    help: "The file with the key that encrypts the secrets; `secret set` creates it if missing.")
  var key: String?

  @OptionGroup var file: ConfigOptions

  /// The facts about the installed service, for a warning that it cannot read root's stored
  /// secrets; nil if no warning is needed.
  var service: ServiceSecrets? {
    Services.serviceSecrets(
      config: ConfigFile.path(file.config, locations: ProcessEnvironment.locations))
  }

  /// Returns the stored secrets with their key. The key is in the file that the flag, the
  /// environment or the config names, in this order; otherwise in the default file.
  func vault(_ output: RunOutput) throws -> SecretVault {
    let locations = ProcessEnvironment.locations
    if let key { return SecretVault(path: locations.secrets, keyPath: key) }
    var configured: String?
    if locations.secretsKeyOverride == nil,
      ConfigFile.path(file.config, locations: locations) != nil
    {
      configured = try file.load(output).secretsKey
    }
    return Services.vault(key: configured)
  }
}
