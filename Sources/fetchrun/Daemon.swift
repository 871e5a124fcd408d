import ArgumentParser
import Dispatch
import FetchConfig
import FetchEngine
import FetchHost
import FetchModel
import Glibc
import Synchronization

/// `serve` after its start: the loop, what other processes ask of it, and what signals and the
/// machine do to it.
final class Daemon: Sendable {
  struct Settings: Sendable {
    /// Where other processes ask.
    var socket: String
    /// How long runs under way may go on after a signal.
    var grace: Duration
    /// Files whose change is a reload.
    var configFiles: [String] = []
  }

  private let service: JobService
  private let settings: Settings
  private let output: RunOutput
  private let notifier = ServiceNotifier(environment: Surroundings.environment)
  private let reload: @Sendable () async throws -> [JobConfig]
  private let clock: any Clock<Duration> = ContinuousClock()
  private let state = Mutex(State())

  private struct State {
    var signalCount = 0
    var watcher: FileWatcher?
  }

  /// `reload` takes another config over, and returns its jobs.
  init(
    service: JobService, settings: Settings, output: RunOutput,
    reload: @escaping @Sendable () async throws -> [JobConfig]
  ) {
    self.service = service
    self.settings = settings
    self.output = output
    self.reload = reload
  }

  /// Says the greeting once signals are minded; returns when the last run has ended after one.
  func run(_ jobs: [JobConfig], saying greeting: String) async throws(ControlError) {
    let control = ControlServer(
      path: settings.socket, handler: service.control(reload: { [self] in await reloadConfig() }))
    try control.start()
    let network = NetworkWatcher()
    setOnline(network.start { [self] in setOnline($0) })
    await watch(jobs)
    let configWatcher = await watchConfig()
    let pulse = Task { [self] in await beat() }
    await serve(greeting)
    pulse.cancel()
    await configWatcher?.stop()
    await state.withLock({ $0.watcher })?.stop()
    await network.stop()
    await control.stop()
  }

  private func serve(_ greeting: String) async {
    var sources: [any DispatchSourceSignal] = []
    for number in [SIGINT, SIGTERM] {
      sources.append(await SignalSource.listen(for: number) { [self] in stop() })
    }
    let reloading = await SignalSource.listen(for: SIGHUP) { [self] in
      Task { await reloadConfig() }
    }
    sources.append(reloading)
    output.message(greeting)
    notifier.ready(status)
    await service.loop.run(until: .stopped) { report in
      output.report(report, items: false)
      notifier.status(status)
    } notice: { notice in
      output.message("\(notice.job): \(notice.notice.sentence)")
    }
    for source in sources { source.cancel() }
  }

  private var status: String { counted(service.jobs.look(\.count), "job") }

  // MARK: The machine

  private func setOnline(_ isOnline: Bool) {
    service.jobs.setOnline(isOnline, now: service.now())
    service.loop.poke()
  }

  /// Half as often as the service manager wants to hear of us.
  private func beat() async {
    guard let timeout = notifier.watchdogTimeout else { return }
    while !Task.isCancelled {
      notifier.alive()
      try? await clock.sleep(for: timeout / 2)
    }
  }

  /// Watches what the jobs ask for, and nothing else any more.
  private func watch(_ jobs: [JobConfig]) async {
    await state.withLock({ $0.watcher })?.stop()
    state.withLock { $0.watcher = nil }
    var names: [String: [String]] = [:]
    for job in jobs where job.isEnabled {
      for path in job.watchedPaths { names[path, default: []].append(job.name) }
    }
    if names.isEmpty { return }
    let watcher = FileWatcher(paths: names.keys.sorted())
    do throws(FileWatcher.Refused) {
      try watcher.start { [self, names] paths in
        for job in Set(paths.flatMap { names[$0] ?? [] }).sorted() {
          _ = service.jobs.trigger(job, .file, now: service.now())
        }
        service.loop.poke()
      }
      state.withLock { $0.watcher = watcher }
    } catch {
      output.message("files are not watched: \(error.message)")
    }
  }

  private func watchConfig() async -> FileWatcher? {
    if settings.configFiles.isEmpty { return nil }
    let watcher = FileWatcher(paths: settings.configFiles)
    do throws(FileWatcher.Refused) {
      try watcher.start { [self] _ in _ = await reloadConfig() }
      return watcher
    } catch {
      output.message("the config is not watched: \(error.message)")
      return nil
    }
  }

  // MARK: Signals

  /// The first time lets runs end, for so long as the grace is; the second time ends them.
  private func stop() {
    let count = state.withLock { state in
      state.signalCount += 1
      return state.signalCount
    }
    notifier.stopping()
    service.loop.drain()
    guard count == 1 else { return service.loop.cancelRuns() }
    output.message("stopping: \(counted(service.jobs.runningCount, "run")) under way")
    Task { [self] in
      try? await clock.sleep(for: settings.grace)
      service.loop.cancelRuns()
    }
  }

  @discardableResult
  private func reloadConfig() async -> ControlEnd {
    notifier.reloading()
    defer { notifier.ready(status) }
    do {
      await watch(try await reload())
      output.message("read the config again: \(status)")
      return .done
    } catch let problems as ConfigProblems {
      output.problems(problems)
    } catch {
      output.message("\(error)")
    }
    let message = "the config is not taken over; the old one goes on"
    output.message(message)
    return .failed(message, status: ExitStatus.badPlugin.rawValue)
  }
}
