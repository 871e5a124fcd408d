import ArgumentParser
import FetchConfig
import FetchEngine
import FetchModel

/// First attempts that are no command line of fetchrun, and what to type instead.
enum MisreadWords {
  // MARK: A word that is no command

  /// The error for a word in the place of a command.
  static func unknownCommand(_ word: String) -> ValidationError {
    ValidationError(meaning(of: word) ?? "unknown command \(quoted(word))\(hint(word))")
  }

  private static func meaning(of word: String) -> String? {
    if word.hasPrefix("https://") || word.hasPrefix("http://") {
      return "an address is no command; to read a feed, type "
        + "`fetchrun --plugin rss --option \(PluginGuide.word("url", PlainText.line(word)))`"
    }
    if word.hasSuffix(".yaml") || word.hasSuffix(".yml") {
      return "\(quoted(word)) is no command; to run the jobs of a config, type "
        + command(["run", "--config", word])
    }
    if word.hasSuffix(".lua") || Services.folders([]).has(word) {
      return "\(quoted(word)) is no command; to run a plugin, type "
        + command(["--plugin", word])
    }
    if configuredJobs.contains(where: { ExactText($0) == ExactText(word) }) {
      return "\(quoted(word)) is no command; to run a job, type " + command(["run", word])
    }
    return nil
  }

  /// Those of the usual config; none where it has mistakes.
  private static var configuredJobs: [String] {
    let config = try? ConfigFile.load(
      nil, locations: Surroundings.locations, environment: Surroundings.environment)
    return config?.jobs.map(\.name) ?? []
  }

  private static func hint(_ word: String) -> String {
    let verbs = Fetchrun.configuration.subcommands.compactMap { $0.configuration.commandName }
    return NearestName.hint(word, among: verbs) + "; `fetchrun --help` lists the commands"
  }

  // MARK: An option of the plugin

  /// The error instead of the parser's own: where an option that it does not know is one of the
  /// plugin's.
  static func explained(_ error: any Error, _ words: [String]) async -> any Error {
    guard Fetchrun.fullMessage(for: error).contains("Unknown option '--"),
      let plugin = pluginName(words)
    else { return error }
    guard let options = await options(ofPlugin: plugin) else { return error }
    let misread = misread(words, options)
    guard let first = misread.first else { return error }
    let flags = misread.map { "--option " + PluginGuide.word($0.option, $0.value) }
    return ValidationError(
      "\(quoted(first.word)) is an option of the plugin \(quoted(plugin)): write "
        + flags.joined(separator: " "))
  }

  /// The plugin that a command line names: after `--plugin`, `add` or `record`, or alone.
  private static func pluginName(_ words: [String]) -> String? {
    if let place = words.firstIndex(of: "--plugin") { return words.dropFirst(place + 1).first }
    if let word = words.first(where: { $0.hasPrefix("--plugin=") }) {
      return String(word.dropFirst("--plugin=".count))
    }
    guard let first = words.first, !first.hasPrefix("-") else { return nil }
    if ["add", "record"].contains(first) {
      return words.dropFirst().first { !$0.hasPrefix("-") }
    }
    return Services.folders([]).has(first) ? first : nil
  }

  /// Nil where the plugin cannot be read: the parser's own message is true then, too.
  private static func options(ofPlugin name: String) async -> [String]? {
    guard let services = try? Services.start(NetworkOptions.none) else { return nil }
    let plugin = try? await services.shelf.plugin(named: name)
    await services.shutdown()
    return plugin?.manifest.options.map(\.name)
  }

  private static func misread(
    _ words: [String], _ options: [String]
  ) -> [(word: String, option: String, value: String)] {
    words.indices.compactMap { index in
      let word = words[index]
      guard word.hasPrefix("--") else { return nil }
      let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1).map(String.init)
      guard let name = parts.first else { return nil }
      let underlined = name.replacing("-", with: "_")
      guard let option = options.first(where: { [name, underlined].contains($0) }) else {
        return nil
      }
      let next = words.dropFirst(index + 1).first { !$0.hasPrefix("--") }
      let value = parts.count == 2 ? parts[1] : next ?? "VALUE"
      return ("--" + name, option, value)
    }
  }

  // MARK: Words

  /// `fetchrun --plugin rss`, in the quotes of a command.
  private static func command(_ words: [String]) -> String {
    "`fetchrun " + words.map(ShellWord.quoted).joined(separator: " ") + "`"
  }

  private static func quoted(_ text: String) -> String { "'\(PlainText.line(text))'" }
}
