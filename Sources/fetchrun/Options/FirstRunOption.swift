import ArgumentParser
import FetchModel
import FetchValues

/// The option that selects the items of a job's first run that are news.
struct FirstRunOption: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "Which items of the job's first run are news: all, baseline (none) or latest:N, the newest N.",
      valueName: "rule"))
  var firstRun: FirstRunRule?

  static let plainSingles = ["--first-run"]

  init() {}

  /// Returns nil if the word is not a rule.
  init?(_ plain: FastArguments) {
    firstRun = plain[single: "--first-run"].flatMap(FirstRunRule.init(argument:))
    if firstRun == nil, plain[single: "--first-run"] != nil { return nil }
  }
}

extension FirstRunRule: ExpressibleByArgument {
  package init?(argument: String) { self.init(argument) }
}
