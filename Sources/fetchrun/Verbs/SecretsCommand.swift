import ArgumentParser

/// `fetchrun secret`: manages the stored secrets.
struct SecretsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "secret", abstract: "Store secrets for jobs, encrypted.",
    discussion: """
      Values are encrypted with the key in secrets.key, which is created when first needed: keep a \
      copy of it. In the config, a job gets a stored secret by secrets: { token: { stored: NAME } }.
      """,
    subcommands: [SecretSetCommand.self, SecretListCommand.self, SecretRemoveCommand.self])
}
