import FetchEngine
import FetchHost

/// The queue of reloads. Each reading of the config, or of the plugins that did not load, begins
/// after the previous reading has ended. An older state of the files thus never replaces a newer
/// state.
///
/// A reading that is under way may have read a file before the file changed. A request during a
/// reading therefore waits for a later reading. All requests for the config that wait share one
/// reading.
actor Reloads {
  private let read: @Sendable () async -> ControlEnd
  private let readPlugins: @Sendable () async -> Void
  /// The reading that was requested last; nil if there was none.
  private var last: Task<ControlEnd, Never>?
  /// The requested reading of the config that has not begun; nil if there is none.
  private var waiting: Task<ControlEnd, Never>?

  init(
    _ read: @escaping @Sendable () async -> ControlEnd,
    plugins readPlugins: @escaping @Sendable () async -> Void
  ) {
    self.read = read
    self.readPlugins = readPlugins
  }

  @discardableResult
  func ask() async -> ControlEnd {
    if let waiting { return await waiting.value }
    let task = append { [read] in
      await self.begin()
      return await read()
    }
    waiting = task
    return await task.value
  }

  /// Reads again the plugins and hook files that did not load. Returns when this reading has ended.
  func retryPlugins() async {
    let task = append { [readPlugins] in
      await readPlugins()
      return .done
    }
    _ = await task.value
  }

  private func append(
    _ work: @escaping @Sendable () async -> ControlEnd
  ) -> Task<ControlEnd, Never> {
    let before = last
    let task = Task(executorPreference: HostExecutor.shared) {
      _ = await before?.value
      return await work()
    }
    last = task
    return task
  }

  /// Marks the waiting reading as begun. Later requests then need another reading.
  private func begin() { waiting = nil }
}
