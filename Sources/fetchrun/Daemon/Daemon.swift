import ArgumentParser
import FetchConfig
import FetchEngine
import FetchHost
import FetchSchedule
import FetchValues
import Glibc
import Logging
import ServiceLifecycle

/// `serve` after its start: the services of the daemon, what other processes ask of it, and what
/// signals and the machine do to it.
struct Daemon: Sendable {
  struct Settings: Sendable {
    /// Where other processes ask.
    var socket: String
    /// The time from a signal to the end of the process.
    var grace: GracePeriod
    /// The events of the start: `serving`, then the plugins and hook files that do not load.
    var greeting: [Event]
    var watched = WatchedPaths()
    /// Files whose change is a reload.
    var configFiles: [String] = []
    /// Where plugins are read that other processes hand over to be run once.
    var guestShelf: (@Sendable () -> PluginShelf)?
  }

  private let service: JobService
  private let settings: Settings
  private let events: EventSink
  private let notifier: ServiceNotifier
  private let reload: @Sendable () async throws -> WatchedPaths
  private let retryPlugins: @Sendable () async throws -> [String]
  private let files = JobFiles()
  /// Changes of files of plugins and hooks that do not load.
  private let pluginChanges = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))

  /// - Parameters:
  ///   - reload: takes another config over, and returns what its jobs watch.
  ///   - retryPlugins: reads the plugins and hook files again that do not load, and returns the files of
  ///     those that still do not.
  init(
    service: JobService, settings: Settings, events: EventSink, notifier: ServiceNotifier,
    reload: @escaping @Sendable () async throws -> WatchedPaths,
    retryPlugins: @escaping @Sendable () async throws -> [String]
  ) {
    self.retryPlugins = retryPlugins
    self.service = service
    self.settings = settings
    self.events = events
    self.notifier = notifier
    self.reload = reload
  }

  /// Returns when the last run has ended after a signal.
  func run() async throws {
    let reloads = Reloads {
      await readConfig()
    } plugins: {
      await readPlugins()
    }
    let services = try await start(reloads)
    guard let signals = DaemonSignals(grace: settings.grace, overdue: sayOverdue) else {
      throw ControlError(.unusable, "the system has no more descriptors")
    }
    for event in settings.greeting { events.emit(event) }
    let group = ServiceGroup(configuration: configuration(services))
    try await withThrowingDiscardingTaskGroup { tasks in
      tasks.addTask {
        defer {
          signals.finish()
          pluginChanges.continuation.finish()
        }
        try await group.run()
      }
      tasks.addTask {
        for await _ in pluginChanges.stream { await reloads.retryPlugins() }
      }
      var isStopping = false
      for await signal in signals.all {
        switch signal {
        case .reload: tasks.addTask { await reloads.ask() }
        case .stop where isStopping: tasks.cancelAll()
        case .stop:
          isStopping = true
          events.emit(
            .stopping(runCount: service.jobs.runningCount, timeMax: settings.grace.runs))
          await group.triggerGracefulShutdown()
        }
      }
    }
    await service.keepSpending()
  }

  private func sayOverdue() {
    events.emit(.overdue)
    StandardStreams.flush(.milliseconds(200))
  }

  /// The services log nothing that events do not.
  private static let silence = Logger(label: "fetchrun.services") { _ in SwiftLogNoOpLogHandler() }

  private func configuration(_ services: [any Service]) -> ServiceGroupConfiguration {
    // Signals are minded here: the group would listen for them by Dispatch, see `HostExecutor`.
    var configuration = ServiceGroupConfiguration(
      services: services, logger: Self.silence)
    configuration.maximumGracefulShutdownDuration = settings.grace.runs
    return configuration
  }

  /// In the order they begin. They end the other way round, each when the one after it has ended:
  /// the runs first, so that the daemon can be asked while it waits for them.
  private func start(_ reloads: Reloads) async throws -> [any Service] {
    let control = ControlServer(
      path: settings.socket,
      handler: service.control(shelf: settings.guestShelf) { await reloads.ask() })
    try control.start()
    let network = NetworkWatcher()
    setOnline(network.start { setOnline($0) })
    let clock = ClockWatcher()
    clock.start { service.clockWasSet() }
    await watchAll(settings.watched)
    let config = watchConfig(reloads)
    let watchdog: [any Service] = WatchdogService(notifier).map { [$0] } ?? []
    return watchdog + [
      StartedService { await control.stop() }, StartedService { await network.stop() },
      StartedService { await clock.stop() }, StartedService { await files.stop() },
      StartedService { await config?.stop() },
      // What the last runs bring is told, too.
      deliveries, stale, upkeep, transfers, runs,
    ]
  }

  private var deliveries: DrainedService {
    DrainedService(drain: service.deliveries.drain) {
      await service.deliveries.run(until: .stopped)
    }
  }

  private var stale: DrainedService {
    DrainedService(drain: service.stale.drain) { await service.stale.run() }
  }

  /// Retention of the store: a drain begins no further step.
  private var upkeep: DrainedService {
    DrainedService(drain: service.upkeep.drain) { await service.upkeep.run() }
  }

  /// A drain breaks transfers off, to be gone on with another time, and lets the runs end in which
  /// plugins are notified.
  private var transfers: DrainedService {
    DrainedService(drain: service.transfers.drain) {
      await service.transfers.run(until: .stopped)
    }
  }

  private var runs: DrainedService {
    DrainedService(drain: service.loop.drain) {
      await service.loop.run(until: .stopped)
    }
  }

  // MARK: The machine

  private func setOnline(_ isOnline: Bool) {
    service.jobs.setOnline(isOnline, now: service.now())
    service.loop.poke()
    if isOnline { service.transfers.networkCameUp() }
  }

  private func watch(_ paths: WatchedPaths) async {
    do throws(FileWatcher.Refused) {
      try await files.watch(paths) { change in
        for name in change.jobs { _ = service.jobs.trigger(name, .file, now: service.now()) }
        if change.hasPlugins { pluginChanges.continuation.yield() }
        service.loop.poke()
      }
    } catch {
      events.emit(.unwatched(.files, reason: error.message))
    }
  }

  /// A plugin whose file has changed before it was watched is tried again, too.
  private func watchAll(_ paths: WatchedPaths) async {
    await watch(paths)
    if !paths.plugins.isEmpty { pluginChanges.continuation.yield() }
  }

  private func readPlugins() async {
    do {
      var paths = files.paths
      paths.plugins = Set(try await retryPlugins())
      await watch(paths)
    } catch {
      events.emit(.failed("\(error)"))
    }
  }

  private func watchConfig(_ reloads: Reloads) -> FileWatcher? {
    if settings.configFiles.isEmpty { return nil }
    let watcher = FileWatcher(paths: settings.configFiles)
    do throws(FileWatcher.Refused) {
      try watcher.start { _ in await reloads.ask() }
      return watcher
    } catch {
      events.emit(.unwatched(.config, reason: error.message))
      return nil
    }
  }

  private func readConfig() async -> ControlEnd {
    events.emit(.reloading)
    do {
      await watchAll(try await reload())
      events.emit(.reloaded(status: service.jobs.status))
      return .done
    } catch let problems as ConfigProblems {
      for problem in problems.all { events.emit(.configProblem(problem)) }
    } catch {
      events.emit(.failed("\(error)"))
    }
    events.emit(.reloadRefused)
    return .failed(Event.reloadRefusal, status: ExitStatus.badPlugin.rawValue)
  }
}
