import CHost
import FetchModel
import FetchValues
import Glibc
import Synchronization

/// The inotify instance behind a `FileWatcher`.
final class FileWatches: Sendable {
  private let descriptor: Int32
  private let paths: [String]
  private let count = Atomic<Int>(0)

  /// The events for a name that is created, removed or moved in a watched folder. The removal or
  /// move of a watched file or folder itself also causes an event.
  private static let names = UInt32(
    IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF)
  /// The events for a change of the contents or the attributes of a watched file, or of a file in a
  /// watched folder.
  private static let content = UInt32(IN_MODIFY | IN_CLOSE_WRITE | IN_ATTRIB)
  /// IN_MASK_ADD, which adds events to an existing watch, because one folder may be watched for
  /// several paths.
  private static let adding: UInt32 = 0x2000_0000

  init(_ paths: [String]) throws(FileWatcher.Refused) {
    descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    self.paths = paths
    guard descriptor >= 0 else {
      throw FileWatcher.Refused(
        message: errno == EMFILE
          ? "files cannot be watched: \(String(cString: strerror(errno)))"
            + "; raise the kernel's limit with `sysctl fs.inotify.max_user_instances=1024`, or the"
            + " limit of open files with `ulimit -n`"
          : "files cannot be watched: \(ResourceShortage.message(errno))")
    }
    if renew() != nil {
      throw FileWatcher.Refused(
        message:
          "some files or folders cannot be watched: the kernel gives this user no more inotify"
          + " watches; raise the kernel's limit with `sysctl fs.inotify.max_user_watches=1048576`")
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// The number of times that `wait` has received events.
  var eventCount: Int { count.load(ordering: .acquiring) }

  /// Waits for events and discards their contents; returns false if the thread must end.
  func wait(_ stop: ThreadStop) -> Bool {
    var watched = [descriptor, stop.wake.descriptor].map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    var bytes = [UInt8](repeating: 0, count: 16 << 10)
    while !stop.isAsked {
      _ = poll(&watched, nfds_t(watched.count), -1)
      if stop.isAsked { break }
      guard watched[0].revents != 0 else { continue }
      while read(descriptor, &bytes, bytes.count) > 0 {}
      count.add(1, ordering: .acquiringAndReleasing)
      return true
    }
    return false
  }

  /// Watches each path and the folder that contains the path. If links lead from the path to
  /// another real path, also watches the folder that contains the real path. Instead of a missing
  /// folder, watches the nearest existing folder above. Returns ENOSPC if the system has no watches
  /// left. Ignores other errors.
  @discardableResult
  func renew() -> Int32? {
    for path in paths {
      let isFull =
        add(path, Self.names | Self.content) == ENOSPC
        || add(existingFolder(of: path), Self.names) == ENOSPC
      if isFull { return ENOSPC }
      guard let real = Self.resolved(path), real != path else { continue }
      if add(existingFolder(of: real), Self.names) == ENOSPC { return ENOSPC }
    }
    return nil
  }

  private func add(_ path: String, _ mask: UInt32) -> Int32 {
    inotify_add_watch(descriptor, path, mask | Self.adding) >= 0 ? 0 : errno
  }

  private func existingFolder(of path: String) -> String {
    var folder = Self.folder(of: path)
    while access(folder, F_OK) != 0, folder != "/", folder != "." {
      folder = Self.folder(of: folder)
    }
    return folder
  }

  private static func folder(of path: String) -> String {
    guard let slash = path.lastSlash else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  private static func resolved(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }
}

/// A watcher that reports when files and folders change. It uses inotify(7) instead of polling.
///
/// A folder counts as changed when a direct entry changes. The events only wake the watcher, which
/// then compares the files with their earlier state. The watcher therefore also detects files and
/// folders that were replaced, moved away, restored, or linked to a new target. Changes less than a
/// second apart are reported together, one to two seconds after the last change. If the changes do
/// not stop, they are reported after ten seconds.
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

  /// The minimum time without changes before the earlier changes are reported.
  package static let quietTime: Duration = .seconds(1)
  /// The maximum time for which further changes delay the report of a change.
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
      throw Refused(message: ResourceShortage.message(errno))
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

/// The watched paths with the last seen state of each path.
struct FileChanges {
  private let paths: [String]
  private var stamps: [FileStamp]
  private let watches: FileWatches

  init(paths: [String], stamps: [FileStamp], watches: FileWatches) {
    self.paths = paths
    self.stamps = stamps
    self.watches = watches
  }

  /// Returns the paths that have changed since the last call, and stores their new state.
  mutating func take() -> [String] {
    // Renews the watches first, so that a change after the comparison causes an event.
    watches.renew()
    var changed: [String] = []
    for (index, path) in paths.enumerated() {
      let stamp = FileStamp(path)
      if stamp != stamps[index] { changed.append(path) }
      stamps[index] = stamp
    }
    return changed
  }
}

/// The facts that show whether a file, or the direct contents of a folder, has changed.
package struct FileStamp: Equatable, Sendable {
  private struct Entry: Equatable {
    var name: String
    var device: dev_t
    var node: ino_t
    var size: off_t
    var modifiedAt: Int64
    /// The time of the last change of the file's status (`st_ctim`). Nil for a file that no longer
    /// has a name (`st_nlink` is 0). rename(2) sets the time of the replaced file a moment before
    /// the name refers to the new file. If that time were compared, a replacement would count as
    /// two changes.
    var changedAt: Int64?

    static func == (left: Entry, right: Entry) -> Bool {
      left.name == right.name && left.device == right.device && left.node == right.node
        && left.size == right.size && left.modifiedAt == right.modifiedAt
        && (left.changedAt == right.changedAt || left.changedAt == nil || right.changedAt == nil)
    }
  }

  private var entries: [Entry] = []

  /// Reads the facts about a path. If nothing exists at the path, the stamp has no facts.
  package init(_ path: String) {
    guard let (entry, isFolder) = Self.entry(path, "") else { return }
    // Ignores a folder's own times, because only changes of its entries count.
    entries =
      isFolder
      ? FolderNames.all(in: path).sorted().compactMap { name in
        Self.entry(path + "/" + name, name)?.entry
      } : [entry]
  }

  private static func entry(_ path: String, _ name: String) -> (entry: Entry, isFolder: Bool)? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    let entry = Entry(
      name: name, device: status.st_dev, node: status.st_ino, size: status.st_size,
      modifiedAt: nanoseconds(status.st_mtim),
      changedAt: status.st_nlink == 0 ? nil : nanoseconds(status.st_ctim))
    return (entry, status.st_mode & S_IFMT == S_IFDIR)
  }

  private static func nanoseconds(_ time: timespec) -> Int64 {
    Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }
}
