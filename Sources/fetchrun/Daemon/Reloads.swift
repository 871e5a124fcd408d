import FetchEngine
import FetchHost

/// Reads the config again, or the plugins that did not load, one time after the other, so that the
/// files as they are last are what holds.
///
/// Who asks for the config while a reading is under way, which may have seen the file before its
/// change, is answered by one more that follows it, and so is everybody else who asks until that
/// begins.
actor Reloads {
  private let read: @Sendable () async -> ControlEnd
  private let readPlugins: @Sendable () async -> Void
  /// The last of those that were asked for.
  private var last: Task<ControlEnd, Never>?
  /// A reading of the config that has not begun.
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

  /// From here on who asks is not heard by this reading.
  private func begin() { waiting = nil }
}
