import ArgumentParser
import FetchConfig
import FetchEngine
import FetchHost
import FetchModel
import FetchStore
import FetchValues
import Glibc

/// `fetchrun serve`: runs the jobs of a config at their due times, until it is stopped.
struct ServeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve", abstract: "Run the jobs of a config file at their times, until stopped.",
    usage: "fetchrun serve [<options>]",
    discussion: """
      After SIGTERM or SIGINT no run starts, and the process ends within --grace. Runs may continue \
      until 3 seconds before that end, or a fifth of --grace before it if that is less. Their \
      outcomes can then be stored. A second signal, at least half a second later, ends the runs \
      immediately. SIGHUP reads the config again and applies the changes. If the new config has \
      errors, the previous config stays in use.

      After SIGTERM or SIGINT (Ctrl-C), the exit status is 0, even if a run was cancelled. It is \
      143 or 130 if the process did not end within --grace, or 5 seconds after a second signal.

      Only one process can write a store at a time. If another process writes the store, serve \
      reports this immediately, waits for --wait and then ends with status 1.
      """)

  @OptionGroup var file: ConfigOptions
  @OptionGroup var storage: StoreOptions
  @OptionGroup var network: NetworkOptions
  @OptionGroup var sandbox: SandboxOption

  @Option(
    name: .long,
    help: "The maximum time from a stop signal to the process's end (default: 30s, at least 2s).",
    transform: Self.duration)
  var grace: Duration = .seconds(30)

  @Option(
    name: .long,
    help: "The maximum time to wait while another process writes the store (default: --grace).",
    transform: Self.duration)
  var wait: Duration?

  @Flag(name: .long, help: "Read the config again when its files change.")
  var watch = false

  @Flag(name: .long, help: "Print one JSON object per run, and one for each message.")
  var json = false

  private static func duration(_ text: String) throws -> Duration {
    guard let duration = try? Duration(parsing: text) else {
      throw ValidationError("invalid duration '\(text)': use a duration such as 30s or 5m")
    }
    return duration
  }

  func run() async throws {
    let output = RunOutput(asJSON: json, logsJSON: json)
    StandardStreams.queue { descriptor, count in
      output.show(.outputDropped(descriptor == STDERR_FILENO ? .log : .results, count: count))
    }
    network.warn(output)
    let signals: DaemonSignals
    do { signals = try DaemonSignals() } catch {
      throw output.stopped(by: ControlError(.unusable, error.message))
    }
    let services: Services
    do { services = try Services.start(network, sandbox: nil) } catch {
      throw output.stopped(by: error)
    }
    let ending = await serve(services, signals, output)
    await services.shutdown()
    if let ending { throw ending }
  }

  private func serve(
    _ services: Services, _ signals: DaemonSignals, _ output: RunOutput
  ) async -> ExitCode? {
    do {
      let (store, daemon) = try await begin(services, signals, output)
      // The daemon has copied the data that it needs, so the memory of the config is returned to
      // the system.
      ProcessMemory.trim()
      try await daemon.run()
      try await store.close()
      return nil
    } catch {
      return output.stopped(by: error)
    }
  }

  private func begin(
    _ services: Services, _ signals: DaemonSignals, _ output: RunOutput
  ) async throws -> (any Store, Daemon) {
    let found = ConfigFile.path(file.config, locations: ProcessEnvironment.locations)
    let configFiles = watch ? found.map(watchedFiles) ?? [] : []
    let stamps = configFiles.map(FileStamp.init)
    let (loaded, jobs, hooks) = try await read(services, found, output) { config in
      try services.confine(sandbox.sandbox ?? config.sandbox)
    }
    var config = loaded
    file.nameService(store: config.store, output)
    // Reloads read the config only from this path. If the file is missing at a reload, the reload
    // fails.
    let path = loaded.file
    let store = try await Services.openStore(
      storage.address(configured: config.configuredStore), keep: config.keep,
      waitMax: wait ?? GracePeriod(grace).end, hint: " (to fail immediately, add --wait 0s)",
      output)
    try await SharedStore.use(store, config, isNamed: storage.store != nil, output)
    if config.jobs.isEmpty {
      let options = SuggestedCommand(config: file.config.map(ProcessEnvironment.absolute))
      output.message(options.noJobs(in: config))
    }
    let status = DaemonStatus()
    let notifier = ServiceNotifier(environment: ProcessEnvironment.environment)
    let log = DaemonLog(asJSON: json)
    let events = output.results.and(log.events).and(notifier.sink { status.text })
    let service = try await JobService(
      config,
      pipeline: services.pipeline(
        store, secretsKey: config.secretsKey, suggested: SuggestedCommand(daemonOf: config, storage)
      ),
      noting: .atOnce, local: SystemZones.local, environment: ProcessEnvironment.environment,
      luaHooks: hooks, events: events)
    status.watch(service.jobs)
    let unloaded = UnloadedJobs()
    unloaded.set(jobs.prepared, folders: Services.folders(of: config))
    let watched = WatchedPaths(
      config.jobs, plugins: unloaded.files + hooks.unloadedFiles(in: unloaded.folders))
    let fixed = FixedSettings(config, storage, sandbox)
    let inForce = try await services.sandboxInForce()
    // The prepared jobs and the loaded jobs have copies of this data, so the config need not keep
    // it.
    config.jobs = []
    try await service.load(
      jobs.prepared, unready: jobs.unready, local: SystemZones.local,
      abandoned: try await store.recover().abandonedJobs)
    var settings = Daemon.Settings(
      socket: try StateFolder(of: store.address).daemonSocket(), grace: GracePeriod(grace),
      greeting: [
        .serving(service.jobs.jobCount, config: config.file, sandbox: inForce)
      ] + unloaded.all.map(\.loadEvent) + hooks.unloaded.map(\.loadEvent))
    settings.watched = watched
    settings.guestShelf = {
      Services.shelf(workers: services.workers, folders: unloaded.folders)
    }
    settings.claimants = { try await Self.claimant($0, services, path) }
    (settings.configFiles, settings.configStamps) = (configFiles, stamps)
    let daemon = Daemon(
      service: service, settings: settings, signals: signals, events: events, notifier: notifier
    ) {
      let (config, jobs, hooks) = try await read(services, path, output, fixed.check)
      let (before, hooksBefore) = (service.luaHooks, service.hookConfigs)
      try await service.reload(
        config, jobs.prepared, unready: jobs.unready, luaHooks: hooks, local: SystemZones.local)
      do throws(StoreError) {
        try await service.release(changedFrom: before, hooksBefore)
      } catch {
        // The new config is in force. The deliveries are not due now, but at their stored times.
        events.emit(.failed("\(error)"))
      }
      unloaded.set(jobs.prepared, folders: Services.folders(of: config))
      for event in unloaded.all.map(\.loadEvent) + hooks.unloaded.map(\.loadEvent) {
        events.emit(event)
      }
      return WatchedPaths(
        config.jobs, plugins: unloaded.files + hooks.unloadedFiles(in: unloaded.folders))
    } retryPlugins: {
      let preparation = preparation(services, unloaded.folders, store.address)
      let hooks = await preparation.prepareAgain(service.luaHooks)
      let changedHooks = hooks.changed(from: service.luaHooks)
      if !changedHooks.isEmpty { try await service.replace(hooks) }
      for hook in changedHooks { events.emit(hook.loadEvent) }
      let changed = await unloaded.retry(preparation)
      service.replace(changed.map(hooks.joined), local: SystemZones.local)
      for job in changed { events.emit(job.loadEvent) }
      return unloaded.files + hooks.unloadedFiles(in: unloaded.folders)
    }
    return (store, daemon)
  }

  /// Reads a job of the config and the job's plugin file again. Returns nil if the config has no
  /// job with this name.
  private static func claimant(
    _ name: JobName, _ services: Services, _ path: String
  ) async throws -> GrantClaimant? {
    let config = try ConfigFile.load(
      path, locations: ProcessEnvironment.locations, environment: ProcessEnvironment.environment,
      jobs: [name])
    guard let job = config.jobs.first(where: { $0.name == name }) else {
      return nil
    }
    let shelf = Services.shelf(workers: services.workers, folders: Services.folders(of: config))
    var held = job
    held.holdsToGrant = true
    return GrantClaimant(
      .job(job.name), held, with: try await JobPreparation(shelf: shelf).plugin(of: job),
      hooks: config.allHooks)
  }

  private typealias Jobs = (prepared: [Job], unready: [JobName])

  /// Reads the config with its jobs and hooks.
  ///
  /// - Parameters:
  ///   - path: the path of the config; nil for the default places.
  ///   - admit: checks the config before any plugin is read, and throws to refuse it.
  private func read(
    _ services: Services, _ path: String?, _ output: RunOutput,
    _ admit: (Config) throws -> Void
  ) async throws -> (Config, Jobs, LuaHooks) {
    let config = try ConfigFile.load(
      path, locations: ProcessEnvironment.locations, environment: ProcessEnvironment.environment)
    try admit(config)
    // Frees the memory that was used for reading the config, so that the jobs can use it.
    ProcessMemory.trim()
    let preparation = preparation(
      services, Services.folders(of: config), storage.address(configured: config.configuredStore))
    let jobs = try await preparation.prepareAll(config)
    let hooks = try await preparation.hooks(of: config)
    let warnings = await FilterFields.warnings(
      of: config.allHooks, jobs.prepared, by: memory(config), onlyMistyped: true)
    for warning in warnings { output.show(warning) }
    return (config, jobs, hooks)
  }

  /// Returns a preparation with a new shelf. A new shelf reads each file again.
  private func preparation(
    _ services: Services, _ folders: PluginFolders, _ store: StoreAddress
  ) -> JobPreparation {
    JobPreparation(
      shelf: Services.shelf(workers: services.workers, folders: folders),
      privateAddresses: network.privateAddresses, memory: GrantMemory(store: store))
  }

  private func memory(_ config: Config) -> GrantMemory {
    GrantMemory(store: storage.address(configured: config.configuredStore))
  }

  /// Returns the files and folders of the config at the path.
  private func watchedFiles(_ path: String) -> [String] {
    [path, path.folderPrefix + ConfigFile.jobsFolder]
  }
}

/// The settings that a daemon keeps until it ends. A reload refuses a config that changes one of
/// these settings.
private struct FixedSettings: Sendable {
  private let store: StoreAddress
  private let secretsKey: String?
  private let storage: StoreOptions
  private let sandbox: SandboxRule
  private let typed: SandboxOption

  init(_ config: Config, _ storage: StoreOptions, _ typed: SandboxOption) {
    sandbox = typed.sandbox ?? config.sandbox
    self.typed = typed
    store = storage.address(configured: config.configuredStore)
    secretsKey = config.secretsKey
    self.storage = storage
  }

  func check(_ config: Config) throws(ConfigProblems) {
    let changed =
      (storage.address(configured: config.configuredStore) == store ? [] : ["store"])
      + (config.secretsKey == secretsKey ? [] : ["secrets_key"])
      + ((typed.sandbox ?? config.sandbox) == sandbox ? [] : ["sandbox"])
    guard changed.isEmpty else {
      throw ConfigProblems(
        changed.map {
          ConfigProblem(file: config.file, "changing `\($0)` requires a restart of the daemon")
        })
    }
  }
}
