import ArgumentParser
import FetchConfig
import FetchEngine
import FetchHost
import FetchModel
import FetchStore
import FetchValues

/// `fetchrun --plugin FILE`: runs one plugin once.
struct OnceCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "once",
    abstract: "Run one plugin once (the default).",
    usage: "fetchrun --plugin FILE [--option NAME=VALUE]... [--job NAME] [--store PATH] [--json]",
    discussion: """
      The plugin's own hostnames are granted to this run and named on standard error; files and \
      private addresses need --allow-read and --allow-private (or `allow_private` in the config), \
      and secrets need --secret. While a daemon serves the store, the daemon runs the plugin, and this command \
      waits for it.
      """)

  @Option(
    name: .long, help: "A plugin's file, or the plugin's name in a plugin folder.",
    completion: .plugins)
  var plugin: String?

  /// The arguments that belong to no option. These arguments are accepted only so that a message
  /// can explain a mistyped verb.
  @Argument(help: .hidden)
  var words: [String] = []

  @OptionGroup var options: PluginOptions

  @Option(name: .long, help: "The job under which items and state are stored.", completion: .jobs)
  var job: JobName?

  @OptionGroup var firstRun: FirstRunOption
  @OptionGroup var secrets: SecretOption
  @OptionGroup var storage: StoreOptions
  @OptionGroup var network: NetworkOptions
  @OptionGroup var sandbox: SandboxOption

  @Option(
    name: .long,
    help: "A file or folder that the plugin may read; may be repeated.",
    completion: .file())
  var allowRead: [String] = []

  @Option(
    name: .long,
    help:
      "The folder of the job's files (default: files/JOB beside the store; with PostgreSQL, in the folder that `fetchrun store info` shows as local data).",
    completion: .directory)
  var filesRoot: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "A shell command to run on new data; it receives JSON as its input, and FETCHRUN_* variables.",
      valueName: "command"))
  var onNew: String?

  @OptionGroup var typedHooks: CommandLineHookOptions

  @Flag(name: .long, help: "Run the plugin in a worker process of its own.")
  var isolate = false

  @Flag(name: .long, help: "Print one JSON object per line: the news, then the run.")
  var json = false

  @Flag(name: .long, help: "Exit with 9 when there is no new data.")
  var errorOnNoData = false

  @Flag(
    name: .long,
    help: "Make the requests and show the result, but store nothing.")
  var dryRun = false

  @Flag(
    name: .long,
    help: "Do not wait for requested downloads; without a daemon, the downloads stay queued.")
  var noWait = false

  /// Checks the options. The function `validate` would be called too early, before ArgumentParser
  /// reports an unknown option.
  private func checkWords() throws {
    if let word = words.first { throw MisreadWords.unknownCommand(word) }
    if plugin == nil {
      throw ValidationError(
        "missing plugin: add --plugin FILE; `fetchrun plugins` lists the plugins")
    }
    if let job, job.isEmpty || PlainText.line(job.text) != job.text {
      throw ValidationError("--job must be a name on one line, without control characters")
    }
    if dryRun, onNew != nil || !typedHooks.hook.isEmpty {
      throw ValidationError("--dry-run notifies no hook: remove --on-new and --hook")
    }
    // A shell would accept an empty command, and the news would be lost.
    if let onNew, onNew.allSatisfy(\.isWhitespace) {
      throw ValidationError("--on-new is empty: add a shell command")
    }
  }

  func run() async throws {
    try checkWords()
    var output = RunOutput(asJSON: json)
    var found = self
    found.network.addresses.allow(StorePlace.privateAddresses(storage))
    found.storage.store = StorePlace.unlessNamed(storage, output).path
    output.store = found.storage.address()
    try await found.run(output)
  }

  /// Runs the plugin. The option `store` must already have the path of the store to use.
  private func run(_ output: RunOutput) async throws {
    let services: Services
    do { services = try Services.start(network, sandbox: sandbox.rule) } catch {
      throw output.stopped(by: error)
    }
    network.warn(output)
    services.warn(output)
    let interruption = Interruption()
    let ending = await interruption.cancelling { [output] in await once(services, output) }
    await services.shutdown()
    if let code = interruption.exitCode { throw code }
    if let code = ending { throw code }
  }

  /// Prepares the plugin and runs it, in this process or in a daemon. Returns the exit status; nil
  /// for success.
  private func once(_ services: Services, _ output: RunOutput) async -> ExitCode? {
    do {
      let found = try await services.shelf.plugin(named: plugin ?? "")
      // Mistakes are reported before a wait for the store.
      let asTyped = try jobConfig.job(with: found)
      let sockets = dryRun ? nil : daemonSockets
      let naming = job == nil ? TypedJobNaming(storage, found) : nil
      // The run's own connection finds the name. A store that is missing is created later, so that
      // a mistake leaves none.
      let isLookedUpInOwnStore = naming != nil && !dryRun && sockets == nil
      let existing = isLookedUpInOwnStore ? try await existingStore(output) : nil
      let job = try await naming?.named(jobConfig, in: existing).job(with: found) ?? asTyped
      output.granted(
        job, filesPath: JobFolders(StateFolder(of: storage.address())).path(of: job))
      if dryRun { return try await rehearse(job, services, output) }
      if let sockets { return await handOver(job, to: sockets, output) }
      let hooks = try await typedHooks.prepare(
        for: job, onNew: onNew, services.shelf, network.privateAddresses, output)
      output.progress("\(job.name) is running …")
      let store =
        if let existing { existing } else {
          try await Services.openStore(storage.address(), output)
        }
      try await naming?.claim(job.name, of: jobConfig, in: store)
      let result = try await carryOut(job, hooks, services, store, output)
      if result.failedTransferCount > 0 { return ExitStatus.runFailed }
      return output.exitCode(for: result.records, errorOnNoData: errorOnNoData)
    } catch {
      return output.stopped(by: error)
    }
  }

  /// Opens the store; returns nil if it does not exist.
  private func existingStore(_ output: RunOutput) async throws(StoreError) -> (any Store)? {
    do { return try await Services.openStore(storage.address(), creates: false, output) } catch {
      guard error.code == .missing else { throw error }
      return nil
    }
  }

  private func rehearse(
    _ job: Job, _ services: Services, _ output: RunOutput
  ) async throws -> ExitCode? {
    output.progress("\(job.name) is running …")
    let report = try await services.rehearsal(
      ofStore: storage.address(), suggested: SuggestedCommand(storage)
    ).run(job)
    output.report(report)
    output.message(RunOutput.nothingStored)
    return output.exitCode(for: [report.record], errorOnNoData: errorOnNoData)
  }

  /// Runs the job with its hooks, and shows the output of the command of `--on-new`.
  private func carryOut(
    _ job: Job, _ hooks: SingleRun.Hooks, _ services: Services, _ store: any Store,
    _ output: RunOutput
  ) async throws(StoreError) -> SingleRun.Result {
    let echo = CommandEcho(output)
    defer { echo.end() }
    var hooks = hooks
    hooks.commandOutput = echo.take
    let pipeline = services.pipeline(store, suggested: SuggestedCommand(storage)).with {
      $0.news = output.news
    }
    return try await SingleRun(pipeline, hooks: hooks, events: output.eventsWithItems)
      .run(job, waitsForTransfers: !noWait, onProgress: output.transferProgress)
  }

  private var jobConfig: JobConfig {
    var config = JobConfig(typed: plugin ?? "", name: job ?? .unnamed, options: options.texts)
    config.allow.privateAddresses = network.privateAddresses
    config.allow.readPaths = allowRead.isEmpty ? nil : allowRead
    config.files.root = filesRoot
    config.secrets = secrets.given
    config.isolation = isolate ? .run : nil
    config.firstRun = firstRun.firstRun
    return config
  }
}
