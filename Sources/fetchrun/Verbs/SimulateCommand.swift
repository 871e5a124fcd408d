import ArgumentParser
import FetchConfig
import FetchEngine
import FetchModel
import FetchStore
import FetchValues

/// `fetchrun simulate`: shows what the scheduler would do, on a virtual clock.
struct SimulateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "simulate",
    abstract: "Show when jobs would run, on a virtual clock.",
    usage: "fetchrun simulate [<options>] [<jobs> ...]",
    discussion: """
      Simulates the jobs of a config for a day, without network, with the scheduler, budget and lanes \
      of serve. It starts from the store's schedules, if there is a store, and writes nothing. The \
      answers of sources are synthetic and do not vary. Standard output has one line per run, \
      and standard error has the summary. A job that could not run now is reported on standard error \
      and left out; the exit status is then 78 if serve would refuse the config, otherwise 1.
      """)

  @Argument(help: "Names of jobs (default: all enabled ones).", completion: .jobs)
  var jobs: [JobName] = []

  @OptionGroup var file: ConfigOptions
  @OptionGroup var storage: StoreOptions
  @OptionGroup var simulation: SimulationOptions

  @Flag(name: .long, help: "Print one JSON object per run.")
  var json = false

  /// The path of a trace to replay. The trace has publications, outages and the times at which a
  /// reader looks at items. The trace is a file of JSON lines, and may be compressed with gzip. The
  /// output has one JSON object for each fetch, with `t` (in seconds), `source` and an optional
  /// `why`.
  ///
  /// This option and the two options below are hidden. The three options serve only the development
  /// of the learned schedule: see HowAdaptiveLearns.
  @Option(
    name: .long,
    help: ArgumentHelp("The trace to replay instead of a config.", visibility: .hidden),
    completion: .file())
  var trace: String?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "With --trace: fixed (every source at the same interval) or adaptive.", visibility: .hidden))
  var policy = TracePolicy.adaptive

  @Flag(
    name: .long,
    help: ArgumentHelp(
      "With --trace: ignore the times at which the reader looks at items.", visibility: .hidden))
  var noUsage = false

  mutating func validate() throws {
    guard trace != nil else { return }
    let isAboutConfig =
      !jobs.isEmpty || file.config != nil || simulation.from != nil || simulation.offline != nil
      || !simulation.fail.isEmpty
    if isAboutConfig {
      throw ValidationError(
        "--trace replays a trace, not the jobs of a config: remove job names, --config, --from,"
          + " --offline and --fail")
    }
  }

  func run() async throws {
    if let trace { return try replay(trace) }
    let output = RunOutput(asJSON: json)
    let config = try file.load(output)
    let plan = try simulation.plan(now: RunTime.system.now())
    let memory = GrantMemory(store: storage.address(configured: config.configuredStore))
    let (prepared, problems) = try await prepare(config, plan, memory, output)
    for problem in problems {
      output.message("\(problem); a job with a mistake is left out of the simulation")
    }
    let (running, held) = try await divided(prepared, config, output)
    for failure in held { output.message("left out of the simulation: job \(failure)") }
    let code =
      problems.isEmpty ? held.isEmpty ? nil : ExitStatus.runFailed : ExitStatus.badPlugin
    if running.isEmpty, let code { throw code }
    var simulated: ConfigSimulation
    do throws(StoreError) {
      simulated = try await ConfigSimulation(
        config, running,
        remembering: try await reader(storage.address(configured: config.configuredStore)),
        local: SystemZones.local, plan: plan)
    } catch {
      output.message(error.message)
      throw ExitStatus.runFailed
    }
    show(&simulated)
    if let code { throw code }
  }

  // MARK: A config

  private func prepare(
    _ config: Config, _ plan: SimulationPlan, _ memory: GrantMemory, _ output: RunOutput
  ) async throws -> ([Job], [ConfigProblem]) {
    let unknown = JobPreparation.unknown(jobs, in: config)
    if !unknown.isEmpty { throw output.stopped(by: ConfigProblems(unknown)) }
    let services: Services
    do {
      services = try Services.start(
        NetworkOptions.none, folders: Services.folders(of: config), cachesManifests: false,
        sandbox: config.sandbox)
    } catch {
      throw output.stopped(by: error)
    }
    let preparation = JobPreparation(shelf: services.shelf, memory: memory)
    var (prepared, problems) = await preparation.prepareEach(config, named: jobs)
    await services.shutdown()
    // A disabled job runs if it is named.
    for index in prepared.indices { prepared[index].config?.isEnabled = true }
    let names = jobs.isEmpty ? config.jobs.filter(\.isEnabled).map(\.name) : jobs
    for failure in plan.failures where !names.contains(failure.job) {
      let hint = NearestName.hint(failure.job, among: names)
      output.message("--fail: no job '\(failure.job)'\(hint)")
      throw ExitStatus.usage
    }
    return (prepared, problems)
  }

  /// Returns the jobs that would run, and the reasons why the other jobs would fail before their
  /// start.
  private func divided(
    _ prepared: [Job], _ config: Config, _ output: RunOutput
  ) async throws -> (running: [Job], held: [String]) {
    let now = RunTime.system.now()
    var (running, held): ([Job], [String]) = ([], [])
    do throws(StoreError) {
      let reader = try await reader(storage.address(configured: config.configuredStore))
      for job in prepared {
        let pin = try await reader?.grant(of: job.name, plugin: job.plugin.name)
        let failure = job.decision(by: pin, now: now).failure(
          of: .job(job.name), file: job.plugin.path, suggested: SuggestedCommand(file, storage))
        if let failure = job.plugin.loadFailure {
          held.append("\(job.name): \(failure.loadSentence)")
        } else if let failure {
          held.append("\(job.name): \(failure.message)")
        } else {
          running.append(job)
        }
      }
    } catch {
      output.message(error.message)
      throw ExitStatus.runFailed
    }
    return (running, held)
  }

  /// Returns a reader of the store; nil if there is no store yet.
  private func reader(_ store: StoreAddress) async throws(StoreError) -> (any ReadableStore)? {
    do { return try await StoreOpener.read(store) } catch {
      if error.code == .missing { return nil }
      throw error
    }
  }

  private func printed(_ block: String) {
    if json { Terminal.current.output(json: block) } else { Terminal.current.output(block) }
  }

  private func show(_ simulated: inout ConfigSimulation) {
    let terminal = Terminal.current
    var summary = SimulationSummary()
    var lines = TimetableLines(asJSON: json, jobs: simulated.jobNames)
    simulated.run { run in
      summary.count(run)
      if let block = lines.add(run) { printed(block) }
    }
    if let block = lines.rest { printed(block) }
    terminal.message(summary.text(simulated))
  }

  // MARK: A trace

  private func replay(_ trace: String) throws {
    let terminal = Terminal.current
    switch TraceFile.read(trace) {
    case .failure(let problem):
      terminal.message("fetchrun: \(trace): \(problem)")
      throw ExitStatus.badPlugin
    case .success(let replayed):
      var summary = TraceSummary(replayed)
      var lines = TraceLines(replayed)
      var simulation = TraceSimulation(replayed, policy: policy, usesReads: !noUsage)
      simulation.run { fetch in
        summary.count(fetch)
        if let block = lines.add(fetch) { printed(block) }
      }
      if let block = lines.rest { printed(block) }
      terminal.message(summary.text)
    }
  }
}

extension TracePolicy: ExpressibleByArgument {}
