import ArgumentParser
import FetchConfig
import FetchEngine
import FetchModel
import FetchStore
import FetchValues

/// `fetchrun run`: runs jobs of a config file now.
struct RunCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Run jobs of a config file now.",
    discussion: """
      While a daemon serves the store, the daemon runs the jobs with its own config. This command \
      waits for them and shows their results; an interruption ends only the waiting.
      """)

  @Argument(help: "Names of jobs (default: all enabled ones).", completion: .jobs)
  var jobs: [JobName] = []

  @OptionGroup var file: ConfigOptions
  @OptionGroup var storage: StoreOptions
  @OptionGroup var network: NetworkOptions
  @OptionGroup var sandbox: SandboxOption

  @Option(
    name: .long,
    help:
      "The maximum number of concurrent runs (default: `runs` of the config's budget, otherwise \(Config.runsAtOnceDefault))."
  )
  var parallel: Int?

  @Flag(name: .long, help: "Run only jobs that are due; for use by a timer.")
  var due = false

  @Flag(name: .long, help: .hidden)
  var now = false

  @Flag(
    name: .long,
    help: "With a daemon, do not wait for the runs; without one, leave requested downloads queued.")
  var noWait = false

  @Flag(
    name: .long,
    help: "Make the requests and show the results, but store nothing.")
  var dryRun = false

  @Flag(name: .long, help: "Print one JSON object per run.")
  var json = false

  @Flag(name: .long, help: "Exit with 9 when no run had new data.")
  var errorOnNoData = false

  mutating func validate() throws {
    if let parallel, !(1...10_000).contains(parallel) {
      throw ValidationError("--parallel must be from 1 to 10000")
    }
    if dryRun, due || noWait || parallel != nil {
      throw ValidationError(
        "--dry-run runs the jobs immediately and one at a time: remove --due, --no-wait and"
          + " --parallel")
    }
    if due && now { throw ValidationError("--due and --now cannot be used together; remove one") }
    if noWait && errorOnNoData {
      throw ValidationError("--error-on-no-data needs the results of the runs: omit --no-wait")
    }
  }

  func run() async throws {
    let output = RunOutput(asJSON: json)
    // Timers use `--due`, and cron sends each message as mail. With `--due`, the note about the
    // service's config is therefore printed only on a terminal.
    let config = try file.load(
      output, namesService: !due || output.showsProgress, jobs: jobs)
    let interruption = Interruption()
    let ending = await interruption.cancelling { await run(config, output) }
    if let code = interruption.exitCode ?? ending { throw code }
  }

  /// Runs the jobs. With `--dry-run`, or if no daemon has the store, this process runs them.
  /// Otherwise the daemon runs them, and continues even if this command ends early. If this daemon
  /// serves another config, no job runs.
  private func run(_ config: Config, _ output: RunOutput) async -> ExitCode? {
    sayEmpty(config, output)
    if dryRun { return await runHere(config, output) }
    let store = storage.address(configured: config.configuredStore)
    let sockets = StateFolder(of: store).daemonSockets
    if ControlClient.hasDaemon(at: sockets),
      let refusal = await SharedStore.refusalOfDaemon(
        store: store, config: config.file, isNamed: storage.store != nil)
    {
      output.message(refusal)
      return ExitStatus.badPlugin
    }
    do throws(ControlError) {
      return noWait
        ? try await handOver(config, sockets, output) : try await runThere(config, sockets, output)
    } catch {
      switch error.code {
      case .noDaemon: return await runHere(config, output)
      case .cancelled:
        output.progress("")
        output.message(
          "no longer waiting; the daemon continues the runs: see \(listing(config))")
      default: output.message(error.message)
      }
      return ExitStatus.runFailed
    }
  }

  /// Prints the reason why nothing runs, if no job was named and the config has no enabled job.
  /// With `--due`, prints the reason only on a terminal, since cron would send it as mail.
  private func sayEmpty(_ config: Config, _ output: RunOutput) {
    guard jobs.isEmpty, !due || output.showsProgress, !config.jobs.contains(where: \.isEnabled)
    else { return }
    let options = SuggestedCommand(config: file.config.map(ProcessEnvironment.absolute))
    output.message(
      config.jobs.isEmpty
        ? options.noJobs(in: config)
        : "all jobs of \(config.file) are disabled: `\(options.command("run JOB"))` runs one")
  }

  // MARK: Here

  private func runHere(_ config: Config, _ output: RunOutput) async -> ExitCode? {
    var config = config
    config.budget.runsAtOnceMax = parallel ?? config.budget.runsAtOnceMax
    network.warn(output)
    let services: Services
    do {
      services = try Services.start(
        network, folders: Services.folders(of: config), sandbox: sandbox.sandbox ?? config.sandbox)
    } catch {
      return output.stopped(by: error)
    }
    services.warn(output)
    let ending =
      dryRun
      ? await rehearse(config, services, output) : await runAll(config, services, output)
    await services.shutdown()
    return ending
  }

  private func runAll(
    _ config: Config, _ services: Services, _ output: RunOutput
  ) async -> ExitCode? {
    do {
      let store = storage.address(configured: config.configuredStore)
      let memory = GrantMemory(store: store)
      let preparation = JobPreparation(
        shelf: services.shelf, privateAddresses: network.privateAddresses, memory: memory)
      let prepared = try await preparation.prepare(config, named: jobs)
      let hooks = try await preparation.hooks(of: config)
      for hook in hooks.unloaded { output.show(hook.loadEvent) }
      let opened = try await Services.openStore(store, keep: config.keep, output)
      try await SharedStore.use(opened, config, isNamed: storage.store != nil, output)
      let suggested = SuggestedCommand(file, storage)
      let shown = RunsShown(output, suggested: suggested)
      let runs = try await JobRuns(
        config, prepared, hooks: hooks,
        pipeline: services.pipeline(opened, secretsKey: config.secretsKey, suggested: suggested),
        onlyDue: due, areNamed: !jobs.isEmpty, local: SystemZones.local,
        environment: ProcessEnvironment.environment, events: shown.events)
      // Freeing the jobs took 1 % of the time of a command with 1,000 jobs.
      UntilExit.keep(runs)
      var code: ExitCode?
      await runs.run(waitsForTransfers: !noWait, onProgress: output.transferProgress) { answer in
        if due, jobs.isEmpty, answer == .awaited(0), !prepared.isEmpty, output.showsProgress {
          output.message(
            "no job is due, or the due jobs are paused: `\(suggested.command("status"))` shows when"
              + " jobs run next")
        }
        shown.show(answer)
      } runsEnded: {
        output.progress("")
        code = shown.exitCode(errorOnNoData: errorOnNoData)
      }
      if !config.allHooks.isEmpty {
        for warning in await FilterFields.warnings(of: config.allHooks, prepared, by: memory) {
          output.show(warning)
        }
      }
      try await runs.close()
      let hasFailures = runs.failedTransferCount > 0 || !hooks.unloaded.isEmpty
      return hasFailures ? ExitStatus.runFailed : code
    } catch {
      return output.stopped(by: error)
    }
  }

  func listing(_ config: Config) -> String {
    SuggestedCommand.reading("runs", storage.address(configured: config.configuredStore))
  }
}

/// The run of `fetchrun run --dry-run`. This process runs the jobs even while a daemon has the
/// store, and shows the results without storing them.
extension RunCommand {
  func rehearse(
    _ config: Config, _ services: Services, _ output: RunOutput
  ) async -> ExitCode? {
    do {
      let store = storage.address(configured: config.configuredStore)
      let preparation = JobPreparation(
        shelf: services.shelf, privateAddresses: network.privateAddresses,
        memory: GrantMemory(store: store))
      let prepared = try await preparation.prepare(config, named: jobs)
      let rehearsal = services.rehearsal(
        ofStore: store, secretsKey: config.secretsKey, lanes: config.lanes,
        suggested: SuggestedCommand(file, storage))
      var records: [RunRecord] = []
      for job in prepared where !Task.isCancelled {
        output.progress("\(job.name) is running …")
        let report = try await rehearsal.run(job)
        output.report(report)
        records.append(report.record)
      }
      output.message(RunOutput.nothingStored)
      return output.exitCode(for: records, errorOnNoData: errorOnNoData)
    } catch {
      return output.stopped(by: error)
    }
  }
}
