import Glibc
import Synchronization

/// Tells when files and folders change: by inotify(7), so that nothing is looked at while nothing
/// happens.
///
/// A folder changes when something directly in it does. The events only wake it: what has changed
/// is found by comparing, so a file may be replaced, moved away, come back, or be a link that is
/// swung round, and its folder may, too. Changes that follow each other within a second are told
/// once, after the last, and after ten seconds at the latest.
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

  /// Changes within this time are one.
  package static let quietTime: Duration = .seconds(1)
  /// A file that is written all the time is told of this often.
  package static let delayMax: Duration = .seconds(10)

  package init(paths: [String], clock: any Clock<Duration> = HostClock()) {
    self.paths = paths
    self.clock = clock
  }

  /// Calls `onChange` with the paths that have changed, as they were given. To be called once.
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

  /// No call comes after it has returned.
  package func stop() async {
    guard let running = running.withLock({ $0 }) else { return }
    running.task.cancel()
    await running.stop.stop()
    await running.task.value
  }
}

/// Returns when nothing has happened for a while, or for too long something has.
private func settle(_ watches: FileWatches, _ clock: some Clock<Duration>) async {
  let latest = clock.now.advanced(by: FileWatcher.delayMax)
  while clock.now < latest {
    let count = watches.eventCount
    try? await clock.sleep(
      until: min(latest, clock.now.advanced(by: FileWatcher.quietTime)), tolerance: nil)
    if watches.eventCount == count || Task.isCancelled { return }
  }
}
