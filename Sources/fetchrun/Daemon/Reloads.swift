import FetchEngine
import FetchHost

/// Reads the config again, one time after the other, so that the file as it is last is what holds.
///
/// Who asks while a reading is under way, which may have seen the file before its change, is
/// answered by one more that follows it, and so is everybody else who asks until that begins.
actor Reloads {
  private let read: @Sendable () async -> ControlEnd
  private var running: Task<ControlEnd, Never>?
  private var waiting: Task<ControlEnd, Never>?

  init(_ read: @escaping @Sendable () async -> ControlEnd) { self.read = read }

  @discardableResult
  func ask() async -> ControlEnd {
    if let waiting { return await waiting.value }
    let before = running
    let task = Task(executorPreference: HostExecutor.shared) { [read] in
      _ = await before?.value
      await self.begin()
      return await read()
    }
    waiting = task
    return await task.value
  }

  /// From here on who asks is not heard by this reading.
  private func begin() { (running, waiting) = (waiting, nil) }
}
