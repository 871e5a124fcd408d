import ArgumentParser

/// `fetchrun secret`: the stored secrets.
struct SecretsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "secret", abstract: "Keep secrets for jobs, encrypted.",
    discussion: """
      Values are encrypted with the key in secrets.key, which is made when it is first needed: keep a \
      copy of it. Jobs are given a stored secret by their config: secrets: { token: { stored: NAME } }.
      """,
    subcommands: [SecretSetCommand.self, SecretListCommand.self, SecretRemoveCommand.self])
}
