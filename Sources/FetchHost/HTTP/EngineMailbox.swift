import CHost
import Glibc
import Synchronization

/// The commands of other threads to the engine's thread. A signal wakes that thread when there are
/// commands.
final class EngineMailbox: Sendable {
  enum Command: Sendable {
    case submit(UInt64, HTTPHop, CheckedContinuation<EngineTransferEnd, Never>)
    case cancel(UInt64)
    /// Limits the bytes per second of all hops with a sink together; nil for no limit.
    case limitSpeed(Int64?)
    case stop
  }

  private struct State {
    var commands: [Command] = []
    var isStopped = false
  }

  private let state = Mutex(State())
  private let signal: Int32

  init(signal: Int32) { self.signal = signal }

  deinit { Glibc.close(signal) }

  /// Posts a command; returns false when the engine has stopped and will not read it.
  func post(_ command: Command) -> Bool {
    let (isTaken, isFirst) = state.withLock { state in
      if state.isStopped { return (false, false) }
      state.commands.append(command)
      return (true, state.commands.count == 1)
    }
    if isFirst { cready_signal(signal) }
    return isTaken
  }

  func takeAll() -> [Command] {
    cready_take_signal(signal)
    return state.withLock { state in
      let commands = state.commands
      state.commands = []
      return commands
    }
  }

  /// Closes the mailbox and returns the commands that were not read yet.
  func close() -> [Command] {
    state.withLock { state in
      state.isStopped = true
      let commands = state.commands
      state.commands = []
      return commands
    }
  }
}
