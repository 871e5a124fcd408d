import ArgumentParser
import FetchAuthoring
import FetchConfig
import FetchEngine
import FetchModel
import FetchValues

/// The errors for invalid command lines that beginners type. The messages suggest what to type
/// instead.
enum MisreadWords {
  // MARK: A word that is not a command

  static func unknownCommand(_ word: String) -> ValidationError {
    ValidationError(meaning(of: word) ?? "unknown command \(quoted(word))\(hint(word))")
  }

  private static func meaning(of word: String) -> String? {
    if word.hasPrefix("https://") || word.hasPrefix("http://") {
      return "an address is not a command; to read a feed, type "
        + "`fetchrun --plugin rss --option \(PluginGuide.word("url", PlainText.line(word)))`"
    }
    if word.hasSuffix(".yaml") || word.hasSuffix(".yml") {
      return "\(quoted(word)) is not a command; to run the jobs of a config, type "
        + command(["run", "--config", word])
    }
    if word.hasSuffix(".lua") || Services.folders([]).has(word) {
      return "\(quoted(word)) is not a command; to run a plugin, type "
        + command(["--plugin", word])
    }
    if configuredJobs.contains(JobName(word)) {
      return "\(quoted(word)) is not a command; to run a job, type " + command(["run", word])
    }
    return otherPrograms[word].map { "unknown command \(quoted(word)); \($0)" }
  }

  /// The verbs of other programs, with the commands of fetchrun that serve the same purpose.
  private static let otherPrograms = {
    let lines: [([String], String)] = [
      (
        ["list", "ls", "jobs"],
        "`fetchrun status` lists the jobs, and `fetchrun items` lists what they found"
      ),
      (["start", "daemon", "watch"], "`fetchrun serve` runs the jobs at their times"),
      (
        ["stop", "kill"],
        "Ctrl-C ends `fetchrun serve` in a terminal; `fetchrun pause --all` prevents new runs"
      ),
      (["log", "logs", "history"], "`fetchrun runs` lists the runs"),
      (["fetch", "get", "update"], "`fetchrun run` runs the jobs now"),
      (
        ["remove", "delete", "rm"],
        "to remove a job, delete it from the config; `fetchrun reset JOB` forgets its items"
      ),
      (
        ["init", "create"],
        "`fetchrun add ADDRESS` adds a feed, and creates the config if there is none;"
          + " `fetchrun new plugin NAME` creates a plugin"
      ),
      (["version"], "type `fetchrun --version`"),
    ]
    return [String: String](
      lines.flatMap { words, line in words.map { ($0, line) } }, uniquingKeysWith: { $1 })
  }()

  /// The names of the jobs of the default config; empty if the config is missing or has mistakes.
  private static var configuredJobs: [JobName] {
    let config = try? ConfigFile.load(
      nil, locations: ProcessEnvironment.locations, environment: ProcessEnvironment.environment)
    return config?.jobs.map(\.name) ?? []
  }

  private static func hint(_ word: String) -> String {
    let verbs = Fetchrun.configuration.subcommands.compactMap { $0.configuration.commandName }
    return NearestName.hint(word, among: verbs) + "; `fetchrun --help` lists the commands"
  }

  // MARK: A word after `help` or a command with subcommands

  /// Returns the error for an unknown word after `help` or after a command with subcommands, such
  /// as `new`; nil for other words. Without this error, ArgumentParser would print the help.
  static func unknownSubcommand(_ words: [String]) -> (any Error)? {
    guard let verb = words.first else { return nil }
    if verb == "help" { return unknownTopic(words.dropFirst().filter { !$0.hasPrefix("-") }) }
    return words.dropFirst().first.flatMap { unknownSubcommand($0, of: verb) }
  }

  private static func unknownTopic(_ words: [String]) -> ValidationError? {
    if words == ["help"] { return nil }
    var commands = Fetchrun.configuration.subcommands
    for word in words {
      guard let command = commands.first(where: { $0.configuration.commandName == word }) else {
        if word != words.first || !Services.folders([]).has(word) { return unknownCommand(word) }
        return ValidationError(
          "\(quoted(word)) is not a command; to see how a plugin is used, type "
            + command(["plugins", word]))
      }
      commands = command.configuration.subcommands
    }
    return nil
  }

  /// An unknown word after a command with subcommands. `Program.report` prints it without the usage
  /// of fetchrun, which does not contain these subcommands.
  struct UnknownSubcommand: Error {
    var message: String
  }

  private static func unknownSubcommand(_ word: String, of verb: String) -> UnknownSubcommand? {
    let parent = Fetchrun.configuration.subcommands.first {
      $0.configuration.commandName == verb
    }
    let names = parent?.configuration.subcommands.compactMap { $0.configuration.commandName } ?? []
    if names.isEmpty || word.hasPrefix("-") || names.contains(word) { return nil }
    let problem = "unknown command \(quoted("\(verb) \(word)"))"
    if let name = NearestName.of(word, among: names) {
      return UnknownSubcommand(message: "\(problem) (did you mean '\(verb) \(name)'?)")
    }
    let plugin = word.hasSuffix(".lua") ? String(word.dropLast(".lua".count)) : word
    let advice =
      verb == "new"
      ? "to create a plugin, type " + command(["new", "plugin", plugin])
      : command([verb, "--help"]) + " lists the commands"
    return UnknownSubcommand(message: "\(problem); \(advice)")
  }

  // MARK: A number or a time

  /// Returns the error for a negative number after an option, such as `--limit -1`; nil for other
  /// mistakes. ArgumentParser takes the number for an option, and would report a missing value.
  private static func negativeNumber(_ message: String, _ words: [String]) -> (any Error)? {
    let place = words.indices.dropLast().first { index in
      message.contains("Missing value for '\(words[index]) ")
        && words[index + 1].wholeMatch(of: /-[0-9]+/) != nil
    }
    guard let place else { return nil }
    var joined = words
    joined.replaceSubrange(place...place + 1, with: ["\(words[place])=\(words[place + 1])"])
    do { _ = try Fetchrun.parseAsRoot(joined) } catch {
      return negativeNumber(Fetchrun.fullMessage(for: error), joined) ?? error
    }
    return nil
  }

  /// Returns the error for an option that would end a pause after some time; nil for other words.
  private static func timedPause(_ message: String, _ words: [String]) -> ValidationError? {
    let option = ["--for", "--until", "--duration"].first {
      message.contains("Unknown option '\($0)'")
    }
    guard let option, words.first == "pause" else { return nil }
    let jobs = Array(words.dropFirst().prefix { !$0.hasPrefix("-") })
    return ValidationError(
      "unknown option '\(option)': a pause has no duration, it lasts until "
        + command(["resume"] + (jobs.isEmpty ? ["JOB"] : jobs)))
  }

  // MARK: An option of the plugin

  /// Returns a better error than ArgumentParser for a word that is meant for an option of the
  /// plugin. The word is an option such as `--url`, an address, or `NAME=VALUE` without `--option`.
  /// Also returns a better error for a negative number, and for an option that would end a pause.
  /// Returns any other error unchanged.
  static func explained(_ error: any Error, _ words: [String]) async -> any Error {
    let message = Fetchrun.fullMessage(for: error)
    if let better = negativeNumber(message, words) { return better }
    if let better = timedPause(message, words) { return better }
    if let better = await bareAddress(message, words) { return better }
    guard message.contains("Unknown option '--") else { return error }
    let plugin = pluginName(words)
    if plugin == nil, words.first?.hasPrefix("-") != true { return error }
    guard let options = await options(ofPlugin: plugin) else { return error }
    let misread = misread(words, options)
    guard let first = misread.first else { return error }
    let flags = misread.map { "--option " + PluginGuide.word($0.option, $0.value) }
      .joined(separator: " ")
    guard let plugin else {
      return ValidationError(
        "\(quoted(first.word)) is an option of a plugin: type `fetchrun --plugin NAME \(flags)`;"
          + " `fetchrun plugins` lists the names")
    }
    return ValidationError(
      "\(quoted(first.word)) is an option of the plugin \(quoted(plugin)): write \(flags)")
  }

  /// Returns the error for an address after a plugin's name without `--option url=`, or for
  /// `NAME=VALUE` without `--option`. Returns nil for any other mistake, or if the plugin has no
  /// such option.
  private static func bareAddress(_ message: String, _ words: [String]) async -> ValidationError? {
    if let bare = words.first(where: { message.contains("Unexpected argument '\($0)'") }),
      let name = bare.split(separator: "=").first.map(String.init), name != bare,
      let plugin = pluginName(words), await options(ofPlugin: plugin)?.contains(name) == true
    {
      let value = PlainText.line(String(bare.dropFirst(name.utf8.count + 1)))
      return ValidationError(
        "'\(name)' is an option of the plugin \(quoted(plugin)): write --option "
          + PluginGuide.word(name, value))
    }
    guard message.contains("Unexpected argument 'http"), let plugin = pluginName(words),
      let word = words.first(where: { $0.hasPrefix("http://") || $0.hasPrefix("https://") }),
      await options(ofPlugin: plugin)?.contains("url") == true
    else { return nil }
    return ValidationError(
      "the plugin \(quoted(plugin)) expects the address in its option 'url': write --option "
        + PluginGuide.word("url", PlainText.line(word)))
  }

  /// Returns the plugin that a command line names after `--plugin`, `add` or `record`, or as its
  /// first word. A first word counts only if it is the name of a plugin in the plugin folders.
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

  /// Returns the names of the plugin's options. Without a plugin's name, returns the names of the
  /// options of all plugins in the folders. Returns nil if no plugin can be read.
  private static func options(ofPlugin name: String?) async -> [String]? {
    guard let services = try? Services.start(NetworkOptions.none) else { return nil }
    let names = name.map { [$0] } ?? Services.folders([]).entries.map(\.name)
    var options: [String]?
    for name in names {
      guard let plugin = try? await services.shelf.plugin(named: name) else { continue }
      options = (options ?? []) + plugin.manifest.options.map(\.name)
    }
    await services.shutdown()
    return options
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

  /// Returns the words as a command in backquotes, such as `fetchrun --plugin rss`.
  private static func command(_ words: [String]) -> String {
    "`fetchrun " + words.map(ShellWord.quoted).joined(separator: " ") + "`"
  }

  private static func quoted(_ text: String) -> String { "'\(PlainText.line(text))'" }
}
