import ArgumentParser
import FetchConfig
import FetchEngine
import FetchModel
import FetchValues

/// The option `--hook`, and the options and secrets of the hook files that it names.
struct CommandLineHookOptions: ParsableArguments {
  @Option(
    name: .long,
    help: ArgumentHelp(
      "A hook's file, or the name of a hook in the folder `hooks` of a plugin folder; may be"
        + " repeated.",
      valueName: "file"))
  var hook: [String] = []

  @Option(
    name: .long,
    help: ArgumentHelp(
      "An option of a hook; with several hooks, HOOK.NAME=VALUE is required; may be repeated.",
      valueName: "[hook.]name=value"))
  var hookOption: [String] = []

  @Option(
    name: .long,
    help: ArgumentHelp(
      "The source of a secret of a hook, as for --secret, never the value; may be repeated.",
      valueName: "[hook.]name=kind:where"))
  var hookSecret: [String] = []

  static let plainLists = ["--hook", "--hook-option", "--hook-secret"]

  init() {}

  init(_ plain: FastArguments) {
    hook = plain[list: "--hook"]
    hookOption = plain[list: "--hook-option"]
    hookSecret = plain[list: "--hook-secret"]
  }

  mutating func validate() throws {
    for text in hookOption where !text.contains("=") || text.hasPrefix("=") {
      throw ValidationError("--hook-option needs NAME=VALUE or HOOK.NAME=VALUE, not '\(text)'")
    }
    // The message does not show the text, since it may be the secret itself.
    for text in hookSecret {
      let place = text.drop { $0 != "=" }
      guard !text.hasPrefix("="), GivenSecret(text: "name" + place) != nil else {
        throw ValidationError("--hook-secret: " + GivenSecret.textRule)
      }
    }
    if hook.isEmpty, !(hookOption + hookSecret).isEmpty {
      throw ValidationError("--hook-option and --hook-secret need a hook: add --hook FILE")
    }
  }

  func options(of name: String) -> [TypedOption] {
    words(hookOption, of: name).map(TypedOption.init)
  }

  func secrets(of name: String) throws(OptionProblems) -> [GivenSecret] {
    try words(hookSecret, of: name).map { word throws(OptionProblems) in
      if let secret = GivenSecret(text: word) { return secret }
      throw OptionProblems([OptionProblem("", "--hook-secret: " + GivenSecret.textRule)])
    }
  }

  private func words(_ texts: [String], of name: String) -> [String] {
    texts.compactMap { text in
      if text.hasPrefix(name + ".") { return String(text.dropFirst(name.count + 1)) }
      return hook.count == 1 ? text : nil
    }
  }

  /// Throws an error if there are several hooks and an option or a secret names none of them.
  func check(against names: [String]) throws(OptionProblems) {
    guard hook.count > 1 else { return }
    for (flag, texts) in [("--hook-option", hookOption), ("--hook-secret", hookSecret)] {
      for text in texts where !names.contains(where: { text.hasPrefix($0 + ".") }) {
        let word = text.prefix { $0 != "=" }
        let list = names.joined(separator: ", ")
        let problem =
          "\(flag) \(word) names no hook: write HOOK.NAME=…, where HOOK is one of \(list)"
        throw OptionProblems([OptionProblem(String(word), problem)])
      }
    }
  }

  /// Returns the hooks of a command line. Each hook file is granted what it requests.
  ///
  /// - Parameter onNew: the shell command of `--on-new`.
  func prepare(
    for job: Job, onNew: String?, _ shelf: PluginShelf, _ privateAddresses: PrivateAddresses,
    _ output: RunOutput
  ) async throws -> SingleRun.Hooks {
    var hooks = SingleRun.Hooks()
    hooks.environment = ProcessEnvironment.environment
    let names = (onNew == nil ? [] : ["--on-new"]) + (hook.isEmpty ? [] : ["--hook"])
    hooks.next = "the next run of \(job.name) with \(names.joined(separator: " and "))"
    var files: [Plugin] = []
    for file in hook { files.append(try await shelf.hook(named: file)) }
    try check(against: files.map(\.manifest.name.text))
    for file in files {
      let name = file.manifest.name.text
      let typed = try CommandLineHook(
        file, job: job.name, options: options(of: name), secrets: try secrets(of: name),
        privateAddresses: privateAddresses)
      if hooks.configs.contains(where: { $0.name == typed.config.name }) {
        throw Failure(
          .invalidOption, "duplicate hook name '\(typed.config.name)': remove one of the two hooks")
      }
      output.granted(typed.hook)
      for function in typed.uncalled {
        output.message(
          "hook \(typed.hook.name): \(function.rawValue) is not called, because only failures of"
            + " jobs in a config are counted")
      }
      hooks.configs.append(typed.config)
      hooks.lua.append(typed.hook, of: typed.config)
    }
    if let onNew { hooks.configs.append(.onNew(onNew, job: job.name)) }
    return hooks
  }
}

extension HookConfig {
  /// Returns the hook `on-new`, which runs the shell command for changes of the job's items.
  fileprivate static func onNew(_ command: String, job: JobName) -> HookConfig {
    var settings = CommandSettings(words: [command])
    settings.shell = true
    var hook = HookConfig(name: HookName("on-new"), sink: .command(settings))
    hook.scope = .jobs([job])
    hook.events = [.added, .updated, .removed]
    return hook
  }
}

/// The flag `--hook` of verbs about grants. With the flag, the argument of the verb is the name of
/// a hook.
struct HookFlag: ParsableArguments {
  @Flag(name: .customLong("hook"), help: "The name is that of a hook, not of a job.")
  var isHook = false

  /// Returns the jobs that the verb's argument may name: none if it is the name of a hook.
  func jobs(named name: String) -> [JobName] { isHook ? [] : [JobName(name)] }
}
