import ArgumentParser
import FetchConfig
import FetchHost

/// Where stored secrets and their key are.
struct SecretOptions: ParsableArguments {
  @Option(name: .long, help: "The file with the key; created if it is missing.")
  var key: String?

  @OptionGroup var file: ConfigOptions

  /// Where the service has its secrets; nil where the config is not that of an installed service.
  var service: ServiceSecrets? {
    Services.serviceSecrets(
      config: ConfigFile.path(file.config, locations: ProcessEnvironment.locations))
  }

  /// The flag, else the environment, else the config, if there is one, else the usual place.
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
