import ArgumentParser
import FetchEngine
import FetchHost
import FetchModel
import FetchStore
import FetchValues

/// `fetchrun --plugin FILE`: one plugin, one run.
struct OnceCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "once",
    abstract: "Run one plugin once (the default).",
    usage: "fetchrun --plugin FILE [--option NAME=VALUE]... [--job NAME] [--store PATH] [--json]",
    discussion: """
      The plugin's own hostnames are granted to this run and named on standard error; files and \
      private addresses need --allow-read and --allow-private (or allow_private in the config), \
      secrets --secret. While a daemon \
      serves the store, it runs the plugin, and this waits for it.
      """)

  @Option(
    name: .long, help: "A plugin's file, or its name in a plugin folder.", completion: .plugins)
  var plugin: String?

  /// Only to name a mistyped verb: `once` takes no words.
  @Argument(help: .hidden)
  var words: [String] = []

  @OptionGroup var options: PluginOptions

  @Option(name: .long, help: "The job that items and state belong to.", completion: .jobs)
  var job: String?

  @OptionGroup var firstRun: FirstRunOption
  @OptionGroup var secrets: SecretOption
  @OptionGroup var storage: StoreOptions
  @OptionGroup var network: NetworkOptions
  @OptionGroup var sandbox: SandboxOption

  @Option(
    name: .long, parsing: .unconditionalSingleValue,
    help: "A file or folder that file: URLs may read; may be repeated.", completion: .file())
  var allowRead: [String] = []

  @Option(
    name: .long,
    help: "The folder of the job's files; files/ and its name beside the store unless set.",
    completion: .directory)
  var filesRoot: String?

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp(
      "A shell command for when there is new data: JSON as its input, FETCHRUN_* variables.",
      valueName: "command"))
  var onNew: String?

  @OptionGroup var typedHooks: CommandLineHookOptions

  @Flag(name: .long, help: "Give the run a worker process of its own.")
  var isolate = false

  @Flag(name: .long, help: "Print one JSON object per line: the news, then the run.")
  var json = false

  @Flag(name: .long, help: "Exit with 9 when there is no new data.")
  var errorOnNoData = false

  @Flag(
    name: .long,
    help: "Show what the run would come to, and store nothing; its requests are made.")
  var dryRun = false

  @Flag(name: .long, help: "Leave the downloads that the plugin asks for queued.")
  var noWait = false

  /// Not in `validate`, which comes before the parser's own word on an unknown option.
  private func checkWords() throws {
    if let word = words.first { throw MisreadWords.unknownCommand(word) }
    if plugin == nil {
      throw ValidationError("no plugin named: add --plugin FILE; `fetchrun plugins` lists them")
    }
    if let job, job.isEmpty || PlainText.line(job) != job {
      throw ValidationError("--job must be a name on one line, without control characters")
    }
    if dryRun, onNew != nil || !typedHooks.hook.isEmpty {
      throw ValidationError("--dry-run tells nobody; leave --on-new and --hook out")
    }
    // A shell would take it, and the news with it.
    if let onNew, onNew.allSatisfy(\.isWhitespace) {
      throw ValidationError("--on-new needs a command, and what it has is empty")
    }
  }

  func run() async throws {
    try checkWords()
    var output = RunOutput(asJSON: json)
    var found = self
    found.network.allow(StorePlace.privateAddresses(storage))
    found.storage.store = StorePlace.unlessNamed(storage, output)
    output.store = found.storage.path()
    try await found.run(output)
  }

  /// With the store that was found in the place of the named one.
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

  /// nil when all went well.
  private func once(_ services: Services, _ output: RunOutput) async -> ExitCode? {
    do {
      let found = try await services.shelf.plugin(named: plugin ?? "")
      let naming = job == nil ? TypedJobNaming(storage, found) : nil
      var job = try (await naming?.named(definition) ?? definition).job(with: found)
      output.granted(
        job, filesPath: JobFolders(StateFolder(of: .file(storage.path()))).path(of: job))
      if dryRun {
        output.progress("\(job.name) is running …")
        let report = try await services.rehearsal(
          ofStore: storage.path(), suggested: SuggestedCommand(storage)
        ).run(job)
        output.report(report)
        output.message(RunOutput.nothingStored)
        return output.exitCode(for: [report.record], errorOnNoData: errorOnNoData)
      }
      if let sockets = daemonSockets { return await handOver(job, to: sockets, output) }
      let told = try await hooks(of: job, services, output)
      job = told.lua.joined(to: job)
      output.progress("\(job.name) is running …")
      let store = try await Services.openStore(storage.path(), output)
      try await naming?.claim(job.name, of: definition, in: store)
      let gate = OpenGate(coolDowns: try await store.coolDowns(after: RunTime.system.now()))
      let pipeline = services.pipeline(store, suggested: SuggestedCommand(storage)).with {
        $0.news = output.news
        $0.cooldowns = gate
      }
      if !told.configs.isEmpty { pipeline.hooks.set(told.configs, lua: told.lua) }
      let report = await pipeline.run(job, trigger: .manual, noting: .whenSlow)
      output.report(report)
      try await store.forgetAbandoned(job.name)
      var transfers: TransferWait?
      if !noWait { transfers = try await waitForTransfers(of: job, pipeline, gate, store, output) }
      if !told.configs.isEmpty { await tell(of: job, pipeline, store, output) }
      await StoreUpkeep.finish(store, nil, time: services.time, events: output.events)
      try await store.close()
      if transfers?.hasFailures == true { return ExitStatus.runFailed }
      return output.exitCode(
        for: [report.record] + (transfers?.records ?? []), errorOnNoData: errorOnNoData)
    } catch {
      return output.stopped(by: error)
    }
  }

  /// Those that are named on the command line, in their order; they may do what their files ask for.
  private func hooks(
    of job: Job, _ services: Services, _ output: RunOutput
  ) async throws -> (configs: [HookConfig], lua: LuaHooks) {
    var configs: [HookConfig] = []
    var lua = LuaHooks()
    var files: [Plugin] = []
    for file in typedHooks.hook { files.append(try await services.shelf.hook(named: file)) }
    try typedHooks.check(against: files.map(\.manifest.name))
    for file in files {
      let name = file.manifest.name
      let typed = try CommandLineHook(
        file, job: job.name, options: typedHooks.options(of: name),
        secrets: try typedHooks.secrets(of: name),
        privateAddresses: network.privateAddresses)
      if configs.contains(where: { $0.name == typed.config.name }) {
        throw Failure(.invalidOption, "two hooks are named '\(typed.config.name)'; leave one out")
      }
      output.granted(typed.hook)
      for function in typed.uncalled {
        output.message(
          "hook \(typed.hook.name): \(function.rawValue) is for jobs of a config, whose failures are"
            + " counted; it is not called")
      }
      configs.append(typed.config)
      lua.append(typed.hook, of: typed.config)
    }
    return (configs + (onNew.map { [Self.hook($0, job: job.name)] } ?? []), lua)
  }

  /// What the command of a one-off run is: a hook of that job. What it did not take the last time it
  /// gets with the next run that names one.
  private static func hook(_ command: String, job: String) -> HookConfig {
    var settings = CommandSettings(words: [command])
    settings.shell = true
    var hook = HookConfig(name: "on-new", sink: .command(settings))
    hook.scope = .jobs([job])
    hook.events = [.added, .updated, .removed]
    return hook
  }

  /// What the command writes is shown: its user sits before it.
  private func tell(
    of job: Job, _ pipeline: RunPipeline, _ store: any Store, _ output: RunOutput
  ) async {
    let echo = CommandEcho(output)
    let sources =
      Array(job.secretSources.values)
      + pipeline.hooks.hooks(of: job.name, plugin: job.plugin.manifest.name).flatMap(
        \.sink.secretSources)
    let secretVariables = Set(sources.flatMap(\.variables))
    let sinks = HookSinks(
      pipeline: pipeline, environment: ProcessEnvironment.environment,
      secretVariables: { secretVariables },
      jobs: { name in ExactText(name) == ExactText(job.name) ? job : nil },
      commandOutput: echo.take, events: output.events)
    var setup = DeliveryService.Setup(
      store: store, hooks: pipeline.hooks, time: .system, sinks: sinks.sink(of:))
    setup.events = output.events
    setup.suggested = pipeline.services.suggested
    let names = (onNew == nil ? [] : ["--on-new"]) + (typedHooks.hook.isEmpty ? [] : ["--hook"])
    let next = "the next run of \(job.name) with \(names.joined(separator: " and "))"
    await DeliveryWait(DeliveryService(setup), output, pipeline.services.suggested, next: next)
      .wait()
    echo.end()
  }

  /// Those of this job, from earlier runs too; others of the store are left alone.
  private func waitForTransfers(
    of job: Job, _ pipeline: RunPipeline, _ gate: OpenGate, _ store: any Store,
    _ output: RunOutput
  ) async throws(StoreError) -> TransferWait? {
    guard try await store.hasOpenTransfers(of: job.name) else { return nil }
    // The few items of a run that is told of a transfer come before its record, one run after the
    // other.
    let pipeline = pipeline.with { $0.news = .all }
    var setup = TransferService.Setup(
      pipeline: pipeline, engine: HTTPEngine(), gate: gate
    ) { name in
      ExactText(name) == ExactText(job.name) ? .ready(job) : .held
    }
    let tally = RunTally(output)
    setup.events = output.eventsWithItems.and(tally.sink)
    let transfers = TransferWait(TransferService(setup), tally, output)
    let server = transfers.answerOthers(at: StateFolder(of: store.address))
    await transfers.wait()
    await server?.stop()
    return transfers
  }

  private var definition: JobDefinition {
    var definition = JobDefinition(
      plugin: plugin ?? "", name: job,
      options: options.texts)
    definition.allow.privateAddresses = network.privateAddresses
    definition.allow.readPaths = allowRead.isEmpty ? nil : allowRead
    definition.files.root = filesRoot
    definition.secrets = secrets.given
    definition.isolation = isolate ? .run : nil
    definition.firstRun = firstRun.firstRun
    return definition
  }
}
