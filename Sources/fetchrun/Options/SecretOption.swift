import ArgumentParser
import FetchModel
import FetchValues

/// `--secret`, for verbs that take a plugin.
struct SecretOption: ParsableArguments {
  @Option(
    name: .long, parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Where a secret of the plugin is kept: env:VARIABLE, file:PATH, credential:NAME, keyring:NAME or"
        + " stored:NAME; never its value; may be repeated.", valueName: "name=kind:where"))
  var secret: [String] = []

  init() {}

  init(_ plain: FastArguments) {
    secret = plain[list: "--secret"]
  }

  mutating func validate() throws {
    if secret.contains(where: { GivenSecret(text: $0) == nil }) {
      throw ValidationError("--secret: " + GivenSecret.textRule)
    }
  }

  var given: [GivenSecret] { secret.compactMap(GivenSecret.init(text:)) }
}
