import ArgumentParser
import FetchConfig
import FetchHost

/// The options that select the stored secrets and the file with their key.
struct SecretOptions: ParsableArguments {
  @Option(
    name: .long,
    help: "The file with the key that encrypts the secrets; `secret set` creates it if missing.")
  var key: String?

  @OptionGroup var file: ConfigOptions

  /// The place of the service's secrets; nil if the config is not the config of an installed
  /// service.
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
