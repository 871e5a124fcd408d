import FetchEngine
import FetchHost

/// The queue of reloads: reads the config, or plugins that did not load, one after the other, so
/// that the last state of the files is in force.
///
/// A reading under way may have seen the file before its change. A request during a reading is
/// therefore answered by a following reading, which all requests until its start share.
actor Reloads {
  private let read: @Sendable () async -> ControlEnd
  private let readPlugins: @Sendable () async -> Void
  /// The last requested reading.
  private var last: Task<ControlEnd, Never>?
  /// The reading of the config that has not begun.
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

  /// Returns when the plugins that did not load have been tried again.
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

  /// Marks the waiting reading as begun: later requests need another one.
  private func begin() { waiting = nil }
}
