import ArgumentParser
import FetchConfig
import FetchModel
import FetchValues

/// The command line option that sets the options of a plugin.
struct PluginOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp("An option of the plugin; may be repeated.", valueName: "name=value"))
  var option: [String] = []

  init() {}

  init(_ plain: FastArguments) {
    option = plain[list: "--option"]
  }

  var texts: [TypedOption] { option.map(TypedOption.init) }

  mutating func validate() throws {
    for text in option where !text.contains("=") || text.hasPrefix("=") {
      throw ValidationError("--option needs NAME=VALUE, not '\(text)'")
    }
    var names: Set<String> = []
    for text in texts where !names.insert(text.name).inserted {
      throw ValidationError("--option \(text.name) is given twice; keep one")
    }
  }
}

/// The option that selects which items of a job's first run are news.
struct FirstRunOption: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "The items of the first run that are news: all, baseline (none) or latest:N (the newest N).",
      valueName: "rule"))
  var firstRun: FirstRunRule?

  static let plainSingles = ["--first-run"]

  init() {}

  /// Creates the option from a plain command line; nil if the word is not a valid rule.
  init?(_ plain: FastArguments) {
    firstRun = plain[single: "--first-run"].flatMap(FirstRunRule.init(argument:))
    if firstRun == nil, plain[single: "--first-run"] != nil { return nil }
  }
}

extension FirstRunRule: ExpressibleByArgument {
  package init?(argument: String) { self.init(argument) }
}

/// The option `--sandbox`, which sets whether plugins may run if the kernel refuses to confine
/// them.
struct SandboxOption: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "required: run no plugin without the system call filter; best-effort: run plugins with the"
        + " restrictions that the kernel allows (default: required; for run, serve and check,"
        + " `sandbox` of the config).", valueName: "rule"))
  var sandbox: SandboxRule?

  var rule: SandboxRule { sandbox ?? .required }

  static let plainSingles = ["--sandbox"]

  init() {}

  /// Creates the option from a plain command line; nil if the word is not a valid rule.
  init?(_ plain: FastArguments) {
    sandbox = plain[single: "--sandbox"].flatMap(SandboxRule.init(rawValue:))
    if sandbox == nil, plain[single: "--sandbox"] != nil { return nil }
  }
}

extension SandboxRule: ExpressibleByArgument {}

/// The option `--secret`, for verbs that take a plugin.
struct SecretOption: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "The source of a secret of the plugin: env:VARIABLE, file:PATH, credential:NAME, keyring:NAME"
        + " or stored:NAME, never the value of the secret; may be repeated.",
      valueName: "name=kind:where"))
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
