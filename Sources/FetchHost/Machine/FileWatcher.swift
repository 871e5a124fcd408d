import Glibc
import Synchronization

/// Reports when files and folders change. Uses inotify(7) instead of polling.
///
/// A folder counts as changed when a direct entry changes. The events only wake the watcher, which
/// then compares the files with their earlier state. It therefore also detects files and folders
/// that were replaced, moved away, restored, or linked to a new target. Changes less than a second
/// apart are reported together, after the last one or after ten seconds.
package final class FileWatcher: Sendable {
  package struct Refused: Error, Hashable, Sendable {
    package var message: String
  }

  private let paths: [String]
  private let clock: any Clock<Duration>
  private let running = Mutex<Running?>(nil)

  private struct Running {
    var stop: ThreadStop
    var task: Task<Void, Never>
  }

  /// The time without changes after which the earlier changes are reported.
  package static let quietTime: Duration = .seconds(1)
  /// The maximum time between a change and its report, even if further changes follow.
  package static let delayMax: Duration = .seconds(10)

  package init(paths: [String], clock: any Clock<Duration> = HostClock()) {
    self.paths = paths
    self.clock = clock
  }

  /// Starts to call `onChange` with the paths that have changed, as they were passed to `init`.
  /// Call `start` only once.
  package func start(
    _ onChange: @escaping @Sendable ([String]) async -> Void
  ) throws(Refused) {
    guard let wake = WakeSignal() else {
      throw Refused(message: "the system has no more descriptors")
    }
    let watches = try FileWatches(paths)
    let stop = ThreadStop(wake)
    let (events, source) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    // Reads the state before the thread starts, so that every later change is detected.
    let stamps = paths.map(FileStamp.init)
    stop.begin()
    DedicatedThread.start("files") {
      while watches.wait(stop) { source.yield() }
      source.finish()
      stop.finish()
    }
    let task = Task(executorPreference: HostExecutor.shared) { [paths, clock] in
      var settling = FileChanges(paths: paths, stamps: stamps, watches: watches)
      var iterator = events.makeAsyncIterator()
      while await iterator.next() != nil {
        await settle(watches, clock)
        let changed = settling.take()
        if !changed.isEmpty, !Task.isCancelled { await onChange(changed) }
      }
    }
    running.withLock { $0 = Running(stop: stop, task: task) }
  }

  /// Stops watching. `onChange` is not called after this function has returned.
  package func stop() async {
    guard let running = running.withLock({ $0 }) else { return }
    running.task.cancel()
    await running.stop.stop()
    await running.task.value
  }
}

/// Waits until nothing has changed for `quietTime`, at most for `delayMax`.
private func settle(_ watches: FileWatches, _ clock: some Clock<Duration>) async {
  let latest = clock.now.advanced(by: FileWatcher.delayMax)
  while clock.now < latest {
    let count = watches.eventCount
    try? await clock.sleep(
      until: min(latest, clock.now.advanced(by: FileWatcher.quietTime)), tolerance: nil)
    if watches.eventCount == count || Task.isCancelled { return }
  }
}
