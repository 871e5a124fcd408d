import ArgumentParser
import FetchModel
import FetchValues

/// The option that lets plugins run although the kernel refuses to confine them.
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

  /// Returns nil if the word is not a rule.
  init?(_ plain: FastArguments) {
    sandbox = plain[single: "--sandbox"].flatMap(SandboxRule.init(rawValue:))
    if sandbox == nil, plain[single: "--sandbox"] != nil { return nil }
  }
}

extension SandboxRule: ExpressibleByArgument {}
