import ArgumentParser
import FetchConfig
import FetchEngine
import FetchHost
import FetchModel
import FetchSchedule
import FetchValues
import Glibc

/// The daemon that `fetchrun serve` runs. The daemon runs the services. It also handles requests of
/// other processes, signals, and changes of files, the network and the clock.
struct Daemon: Sendable {
  struct Settings: Sendable {
    /// The path of the socket on which the daemon receives requests of other processes.
    var socket: String
    /// The time limits after a signal that stops the daemon: for the runs, and for the process.
    var grace: GracePeriod
    /// The events to report at the start: `serving`, then one event for each job and each hook
    /// whose file does not load.
    var greeting: [Event]
    var watched = WatchedPaths()
    /// The files and folders whose changes cause a reload of the config.
    var configFiles: [String] = []
    /// The state of `configFiles` before the config was read.
    var configStamps: [FileStamp] = []
    /// The function that creates the shelf for plugins that other processes pass to the daemon for
    /// a single run.
    var guestShelf: (@Sendable () -> PluginShelf)?
    /// The function that reads a job of the config and the job's plugin file again.
    var claimants: JobControl.Claimants?
  }

  private let service: JobService
  private let settings: Settings
  private let signals: DaemonSignals
  private let events: EventSink
  private let notifier: ServiceNotifier
  private let reload: @Sendable () async throws -> WatchedPaths
  private let retryPlugins: @Sendable () async throws -> [String]
  private let files = JobFiles()
  /// A stream of requests to read again the plugins and hook files that do not load. Several
  /// requests may yield one element.
  private let pluginChanges = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))

  /// - Parameters:
  ///   - reload: reads and applies the config, and returns the paths to watch.
  ///   - retryPlugins: reads again the plugins and hook files that did not load. Returns the paths
  ///     to watch for the files that still do not load.
  init(
    service: JobService, settings: Settings, signals: DaemonSignals, events: EventSink,
    notifier: ServiceNotifier,
    reload: @escaping @Sendable () async throws -> WatchedPaths,
    retryPlugins: @escaping @Sendable () async throws -> [String]
  ) {
    self.retryPlugins = retryPlugins
    self.service = service
    self.settings = settings
    self.signals = signals
    self.events = events
    self.notifier = notifier
    self.reload = reload
  }

  /// Runs the daemon. Returns when all services have ended after a signal.
  func run() async throws {
    let reloads = Reloads {
      await readConfig()
    } plugins: {
      await readPlugins()
    }
    let services = try await start(reloads)
    signals.begin(grace: settings.grace, overdue: sayOverdue)
    for event in settings.greeting { events.emit(event) }
    let (stopped, stopper) = AsyncStream<Never>.makeStream()
    await withDiscardingTaskGroup { tasks in
      tasks.addTask {
        async let _ = Watchdog(notifier).run()
        await DrainedService.run(
          services, until: stopped, grace: settings.grace.runs, clock: HostClock())
        signals.finish()
        pluginChanges.continuation.finish()
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
          stopper.finish()
        }
      }
    }
    await service.keepSpending()
  }

  private func sayOverdue() {
    events.emit(.overdue)
    StandardStreams.flush(.milliseconds(200))
  }

  /// Starts the control server and the watchers, and returns all services in the order of their
  /// start. They end in reverse order: the runs first, so that the daemon answers requests
  /// meanwhile.
  private func start(_ reloads: Reloads) async throws -> [DrainedService] {
    let control = ControlServer(
      path: settings.socket,
      handler: service.control(shelf: settings.guestShelf, claimants: settings.claimants) {
        await reloads.ask()
      })
    try control.start()
    let network = NetworkWatcher()
    network.start { setOnline($0) }
    let clock = ClockWatcher()
    clock.start { service.clockWasSet() }
    await watchAll(settings.watched)
    let config = watchConfig(reloads)
    return [
      DrainedService { await control.stop() }, DrainedService { await network.stop() },
      DrainedService { await clock.stop() }, DrainedService { await files.stop() },
      DrainedService { await config?.stop() },
      // The deliveries end after the runs, so that the news of the last runs can be delivered.
      deliveries, stale, upkeep, subscriptions, transfers, runs,
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

  private var subscriptions: DrainedService {
    DrainedService(drain: service.subscriptions.drain) { await service.subscriptions.run() }
  }

  /// The service that applies the store's retention.
  private var upkeep: DrainedService {
    DrainedService(drain: service.upkeep.drain) { await service.upkeep.run() }
  }

  /// The service of the transfers. A drain interrupts the transfers, and a later process resumes
  /// them. The drain does not interrupt the runs that notify plugins of ended transfers.
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

  /// Watches the paths. Also requests another reading of the plugins and hook files that do not
  /// load, since they may have changed before the watch began.
  private func watchAll(_ paths: WatchedPaths) async {
    await watch(paths)
    if !paths.plugins.isEmpty { pluginChanges.continuation.yield() }
  }

  private func readPlugins() async {
    do {
      var paths = files.paths
      let before = paths.plugins
      paths.plugins = Set(try await retryPlugins())
      await watch(paths)
      // A file at a new path may have changed before the watch began.
      if !paths.plugins.isSubset(of: before) { pluginChanges.continuation.yield() }
    } catch {
      events.emit(.failed("\(error)"))
    }
  }

  private func watchConfig(_ reloads: Reloads) -> FileWatcher? {
    if settings.configFiles.isEmpty { return nil }
    let watcher = FileWatcher(paths: settings.configFiles)
    do throws(FileWatcher.Refused) {
      try watcher.start { _ in await reloads.ask() }
      // The files may have changed before the watch began.
      let stamps = settings.configFiles.map(FileStamp.init)
      if stamps != settings.configStamps { signals.requestReload() }
      return watcher
    } catch {
      events.emit(.unwatched(.config, reason: error.message))
      return nil
    }
  }

  private func readConfig() async -> ControlEnd {
    events.emit(.reloading)
    var end = ControlEnd.failed(Event.reloadRefusal, status: ExitStatus.badPlugin.rawValue)
    do {
      await watchAll(try await reload())
      events.emit(.reloaded(status: service.jobs.status))
      return .done
    } catch let problems as ConfigProblems {
      for problem in problems.all { events.emit(.configProblem(problem)) }
      end.problems = problems.all.map(\.json)
    } catch {
      events.emit(.failed("\(error)"))
    }
    events.emit(.reloadRefused)
    return end
  }
}
