import Synchronization

/// Attempts at one path go one after the other, in the order they come; those at different paths have
/// nothing to do with each other. A path that hangs holds one thread and what waits for its turn.
final class FileTurns: Sendable {
  /// Several hooks may write one file.
  static let shared = FileTurns()

  /// Those that wait, of paths at which one is at work.
  private let lines = Mutex<[String: [FileAttempt]]>([:])

  init() {}

  /// Has its work done as soon as it is its turn, unless it is over by then.
  func enter(_ path: String, _ attempt: FileAttempt) {
    let isFree = lines.withLock { lines in
      guard var line = lines[path] else {
        lines[path] = []
        return true
      }
      line.removeAll(where: \.isOver)
      lines[path] = line + [attempt]
      return false
    }
    if isFree { start(path, attempt) }
  }

  /// A thread for each path: of a few that are shared, some that hang would be missed by others.
  private func start(_ path: String, _ first: FileAttempt) {
    DedicatedThread.start("file hook") { [self] in
      var attempt: FileAttempt? = first
      while let current = attempt {
        attempt = nil
        current.work { attempt = next(path) }
      }
    }
  }

  private func next(_ path: String) -> FileAttempt? {
    lines.withLock { lines in
      var line = lines[path] ?? []
      line.removeAll(where: \.isOver)
      let next = line.isEmpty ? nil : line.removeFirst()
      lines[path] = next == nil ? nil : line
      return next
    }
  }
}
