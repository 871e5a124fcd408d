import Glibc
import Synchronization

/// Reports when files and folders change, by inotify(7), so that it does not poll.
///
/// A folder changes when a direct entry changes. The events only wake the watcher; a comparison
/// finds what has changed. So a file may be replaced, moved away, restored, or be a link to a new
/// target, and so may its folder. Changes that follow each other within a second are reported once,
/// after the last, and after ten seconds at the latest.
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

  /// Changes within this time count as one.
  package static let quietTime: Duration = .seconds(1)
  /// A file that is written all the time is reported this often.
  package static let delayMax: Duration = .seconds(10)

  package init(paths: [String], clock: any Clock<Duration> = HostClock()) {
    self.paths = paths
    self.clock = clock
  }

  /// Calls `onChange` with the paths that have changed, in the given form. Call it once.
  package func start(
    _ onChange: @escaping @Sendable ([String]) async -> Void
  ) throws(Refused) {
    guard let wake = WakeSignal() else {
      throw Refused(message: "the system has no more descriptors")
    }
    let watches = try FileWatches(paths)
    let stop = ThreadStop(wake)
    let (events, source) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    // Before anything can happen: a change from here on is one.
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

  /// Stops watching. No call comes after it has returned.
  package func stop() async {
    guard let running = running.withLock({ $0 }) else { return }
    running.task.cancel()
    await running.stop.stop()
    await running.task.value
  }
}

/// Returns when there has been no change for a while, or changes for too long.
private func settle(_ watches: FileWatches, _ clock: some Clock<Duration>) async {
  let latest = clock.now.advanced(by: FileWatcher.delayMax)
  while clock.now < latest {
    let count = watches.eventCount
    try? await clock.sleep(
      until: min(latest, clock.now.advanced(by: FileWatcher.quietTime)), tolerance: nil)
    if watches.eventCount == count || Task.isCancelled { return }
  }
}
