import ArgumentParser
import FetchModel
import FetchValues

/// Whether plugins run where the kernel refuses to confine them, for verbs that run some.
struct SandboxOption: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "required: run no plugin without the system call filter (the default); best-effort: run"
        + " plugins with what the kernel allows.", valueName: "rule"))
  var sandbox: SandboxRule?

  var rule: SandboxRule { sandbox ?? .required }

  static let plainSingles = ["--sandbox"]

  init() {}

  /// nil where the word is none of the rules.
  init?(_ plain: FastArguments) {
    sandbox = plain[single: "--sandbox"].flatMap(SandboxRule.init(rawValue:))
    if sandbox == nil, plain[single: "--sandbox"] != nil { return nil }
  }
}

extension SandboxRule: ExpressibleByArgument {}
