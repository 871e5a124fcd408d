import ArgumentParser
import FetchEngine

/// The command line option that sets the options of a plugin.
struct PluginOptions: ParsableArguments {
  @Option(
    name: .long, parsing: .unconditionalSingleValue,
    help: ArgumentHelp("An option of the plugin; may be repeated.", valueName: "name=value"))
  var option: [String] = []

  init() {}

  init(_ plain: FastArguments) {
    option = plain[list: "--option"]
  }

  var texts: [JobDefinition.OptionText] { option.map(JobDefinition.OptionText.init) }

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
