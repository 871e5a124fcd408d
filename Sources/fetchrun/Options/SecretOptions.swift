import ArgumentParser
import FetchConfig
import FetchHost

/// The options that locate the stored secrets and their key.
struct SecretOptions: ParsableArguments {
  @Option(name: .long, help: "The file with the key; created if it is missing.")
  var key: String?

  @OptionGroup var file: ConfigOptions

  /// The place of the service's secrets; nil if the config is not that of an installed service.
  var service: ServiceSecrets? {
    Services.serviceSecrets(
      config: ConfigFile.path(file.config, locations: ProcessEnvironment.locations))
  }

  /// Returns the vault with the key from the flag, the environment, the config or the usual place,
  /// in this order.
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
