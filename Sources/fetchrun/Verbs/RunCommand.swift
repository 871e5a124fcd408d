import ArgumentParser
import FetchConfig
import FetchEngine
import FetchModel
import FetchSchedule
import FetchStore
import FetchValues

/// `fetchrun run`: jobs of a config file, now.
struct RunCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Run jobs of a config file now.",
    discussion: """
      While a daemon serves the store, it runs the jobs, by its own config, and this waits for them \
      and shows how they end; an interruption ends the waiting only.
      """)

  @Argument(help: "Names of jobs; all when none is given.", completion: .jobs)
  var jobs: [String] = []

  @OptionGroup var file: ConfigOptions
  @OptionGroup var storage: StoreOptions
  @OptionGroup var network: NetworkOptions
  @OptionGroup var sandbox: SandboxOption

  @Option(
    name: .long,
    help:
      "Runs at the same time, at most (default: `runs` of the config's budget, otherwise \(Config.runsAtOnceDefault))."
  )
  var parallel: Int?

  @Flag(name: .long, help: "Only jobs whose time has come, as a timer would run them.")
  var due = false

  @Flag(name: .long, help: .hidden)
  var now = false

  @Flag(
    name: .long,
    help: "Hand the jobs over to a daemon, if there is one, and leave downloads queued.")
  var noWait = false

  @Flag(
    name: .long,
    help: "Show what the runs would come to, and store nothing; their requests are made.")
  var dryRun = false

  @Flag(name: .long, help: "Print one JSON object per run.")
  var json = false

  @Flag(name: .long, help: "Exit with 9 when no run had new data.")
  var errorOnNoData = false

  /// A job that could not start for so long is left to another time.
  private static let patience: Duration = .seconds(60)

  mutating func validate() throws {
    if let parallel, !(1...10_000).contains(parallel) {
      throw ValidationError("--parallel must be from 1 to 10000")
    }
    if dryRun, due || noWait || parallel != nil {
      throw ValidationError(
        "--dry-run runs one job after the other, now; leave --due, --no-wait and --parallel out")
    }
    if due && now { throw ValidationError("--due and --now exclude each other") }
    if noWait && errorOnNoData {
      throw ValidationError("--error-on-no-data needs the results of the runs: omit --no-wait")
    }
  }

  func run() async throws {
    let output = RunOutput(asJSON: json)
    // Timers run what is due, and their mails are for news.
    let config = try file.load(output, namesService: !due || output.showsProgress)
    let interruption = Interruption()
    let ending = await interruption.cancelling { await run(config, output) }
    if let code = interruption.exitCode ?? ending { throw code }
  }

  /// A daemon that has the store runs the jobs in our place, and goes on when we have ended.
  private func run(_ config: Config, _ output: RunOutput) async -> ExitCode? {
    sayEmpty(config, output)
    if dryRun { return await runHere(config, output) }
    let path = storage.path(configured: config.store)
    let sockets = StateFolder(of: .file(path)).daemonSockets
    if ControlClient.hasDaemon(at: sockets) {
      await SharedStore.warnOfDaemon(
        store: path, config: config.file, isNamed: storage.store != nil, output)
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
          "no longer waiting; the daemon goes on with the runs: see \(listing(config))")
      default: output.message(error.message)
      }
      return ExitStatus.runFailed
    }
  }

  /// Says why nothing runs where the config has nothing to run. Timers run what is due, and their
  /// mails and logs are for news.
  private func sayEmpty(_ config: Config, _ output: RunOutput) {
    guard jobs.isEmpty, !due || output.showsProgress, !config.jobs.contains(where: \.isEnabled)
    else { return }
    let options = SuggestedCommand(config: file.config.map(ProcessEnvironment.absolute))
    output.message(
      config.jobs.isEmpty
        ? options.noJobs(in: config)
        : "all jobs of \(config.file) are disabled: `\(options.command("run JOB"))` runs one")
  }

  // MARK: By a daemon

  /// Shows what becomes of the runs as `runHere` does.
  private func runThere(
    _ config: Config, _ sockets: [String], _ output: RunOutput
  ) async throws(ControlError) -> ExitCode? {
    let folders = Services.folders(of: config)
    let unknown = JobPreparation.unknown(jobs, in: config, isPlugin: folders.has)
    // Where there is nothing to run it is still to be known whether a daemon would.
    let isNothing = !unknown.isEmpty
    let request: ControlRequest =
      isNothing
      ? .budget : .run(jobs.isEmpty ? .all : .named(jobs), skipsInterval: !due, waits: true)
    let runs = DaemonRuns(output)
    let end = try await ControlClient.send(request, at: sockets) { line in
      if !isNothing { runs.show(line) }
    }
    output.progress("")
    if !unknown.isEmpty { return output.stopped(by: ConfigProblems(unknown)) }
    return exitCode(end, output) ?? runs.exitCode(errorOnNoData: errorOnNoData)
  }

  /// Waits for no run. What is due a daemon runs unasked.
  private func handOver(
    _ config: Config, _ sockets: [String], _ output: RunOutput
  ) async throws(ControlError) -> ExitCode? {
    let selection: JobSelection = jobs.isEmpty ? .all : .named(jobs)
    let request: ControlRequest = due ? .budget : .run(selection, skipsInterval: true)
    let end = try await ControlClient.send(request, at: sockets) { [due] line in
      if !due { output.control(line) { TriggerLine(line)?.text } }
    }
    let what = due ? "what is due" : "them"
    output.message("the daemon of this store runs \(what); see \(listing(config))")
    return exitCode(end, output)
  }

  private func exitCode(_ end: ControlEnd, _ output: RunOutput) -> ExitCode? {
    if let message = end.message { output.message(message) }
    return end.status == 0 ? nil : ExitCode(end.status)
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
      let preparation = JobPreparation(
        shelf: services.shelf, privateAddresses: network.privateAddresses,
        memory: GrantMemory(store: .file(storage.path(configured: config.store))))
      let wanted = try await preparation.prepare(config, named: jobs)
      var prepared = wanted
      // A disabled job runs by its name.
      for index in prepared.indices { prepared[index].config.isEnabled = true }
      let hooks = try await preparation.hooks(of: config)
      for hook in hooks.unloaded { output.show(hook.loadEvent) }
      let store = try await Services.openStore(
        storage.path(configured: config.store), keep: config.keep, output)
      try await SharedStore.use(store, config, isNamed: storage.store != nil, output)
      let tally = RunTally(output)
      let service = try await JobService(
        config,
        pipeline: services.pipeline(
          store, secretsKey: config.secretsKey, suggested: suggested),
        noting: .whenSlow, runsOnce: true, plansAhead: due, local: SystemZones.local,
        environment: ProcessEnvironment.environment,
        luaHooks: hooks, events: output.events.and(tally.sink))
      try await service.load(
        prepared, local: SystemZones.local,
        abandoned: try await store.recover().abandonedJobs)
      let transfers = noWait ? nil : TransferWait(service.transfers, tally, output)
      // They begin while other runs go on, and end when nothing is left to be waited for.
      async let waiting: Void? = transfers?.wait(until: .stopped)
      let code = await run(prepared.map(\.job.name), service, tally, output)
      service.transfers.setEnding(.idle(patience: TransferWait.patience))
      let isLeft = service.transfers.progress.pendingCount > 0
      let server = isLeft ? transfers?.answerOthers(at: StateFolder(of: store.address)) : nil
      await waiting
      await server?.stop()
      if !config.allHooks.isEmpty {
        await tell(wanted, config, service, output)
        let memory = GrantMemory(store: store.address)
        for warning in await FilterFields.warnings(of: config.allHooks, wanted, by: memory) {
          output.show(warning)
        }
      }
      await service.keepSpending()
      await StoreUpkeep.finish(store, config.keep, time: services.time, events: output.events)
      try await store.close()
      let hasFailures = transfers?.hasFailures == true || !hooks.unloaded.isEmpty
      return hasFailures ? ExitStatus.runFailed : code
    } catch {
      return output.stopped(by: error)
    }
  }

  private var suggested: SuggestedCommand { SuggestedCommand(file, storage) }

  /// The command that lists the runs of this store.
  private func listing(_ config: Config) -> String {
    SuggestedCommand.reading("runs", storage.path(configured: config.store))
  }

  /// What the runs have brought, and which of the jobs are stale after them.
  private func tell(
    _ prepared: [PreparedJob], _ config: Config, _ service: JobService, _ output: RunOutput
  ) async {
    if !Task.isCancelled {
      await service.tellStale(prepared, config, local: SystemZones.local)
    }
    await DeliveryWait(service.deliveries, output, suggested, next: "another time").wait()
  }

  private func run(
    _ names: [String], _ service: JobService, _ tally: RunTally, _ output: RunOutput
  ) async -> ExitCode? {
    var left = Set(names.map(ExactText.init))
    var refusedCount = 0
    if due {
      await service.keepPlanned()
      service.jobs.keepDue(now: service.now())
      left = service.jobs.look { scheduler in left.filter { scheduler.isToRun($0.text) } }
      if left.isEmpty, !names.isEmpty, output.showsProgress {
        output.message("no job is due: `\(suggested.command("status"))` lists the next times")
      }
    } else {
      for name in names {
        let answer = service.jobs.trigger(name, .manual, now: service.now())
        if case .skipped(let reason) = answer {
          output.message("\(name) does not run: \(reason.sentence)")
          left.remove(ExactText(name))
          refusedCount += 1
        }
      }
    }
    tally.showProgress(ofRuns: service.jobs.look(\.count))
    await service.loop.run(until: .idle(patience: Self.patience))
    output.progress("")
    let records = tally.records
    left.subtract(records.map { ExactText($0.job) })
    let notRun = names.filter { left.contains(ExactText($0)) }
    for name in notRun { explain(name, service, output) }
    let allRan = notRun.isEmpty && refusedCount == 0
    let code = output.exitCode(for: records, errorOnNoData: errorOnNoData && allRan)
    return code ?? (allRan ? nil : ExitStatus.notRun)
  }

  private func explain(_ name: String, _ service: JobService, _ output: RunOutput) {
    let now = service.now()
    let sentence = service.jobs.look { scheduler in
      scheduler.number(of: name).map { scheduler.waitReason($0, now: now).sentence(now: now) }
    }
    let reason = Task.isCancelled ? "the command was interrupted" : sentence ?? "it is gone"
    output.message("\(name) did not run: \(reason)")
  }
}

extension Scheduler {
  /// Whether the job is there and nobody has paused it.
  fileprivate func isToRun(_ name: String) -> Bool {
    guard pausedSince == nil, let number = number(of: name) else { return false }
    return schedule(of: number).pausedAt == nil
  }
}
