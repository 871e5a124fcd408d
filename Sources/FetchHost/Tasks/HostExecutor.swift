import CHost
import DequeModule
import Glibc
import Synchronization

/// An executor that runs tasks in the order of their arrival on a limited number of the host's own
/// threads.
///
/// It replaces Swift's own executor, which uses Dispatch. After the first task of a process,
/// Dispatch wakes every second for ever to count its threads (`_dispatch_workq_monitor_pools`), but
/// an idle daemon must sleep. The executor runs the tasks that `Task(executorPreference:)` starts,
/// with all their child tasks and the actors that they call. It does not run the tasks that a bare
/// `Task` starts, nor the sleeps of clocks other than `HostClock`.
package final class HostExecutor: TaskExecutor {
  package static let shared = HostExecutor(threadsMax: processorCount)
  /// The executor for reading, comparing and storing large results. On the shared executor, this
  /// work would delay other tasks for too long.
  package static let large = HostExecutor(threadsMax: 1)

  /// The number of processors, but at least two, so that one waiting thread does not stop all work.
  static let processorCount = max(2, sysconf(Int32(_SC_NPROCESSORS_ONLN)))

  private struct State {
    var pending: Deque<UnownedJob> = []
    var idle: [ExecutorThread] = []
    var threadCount = 0
  }

  private enum Step {
    case work(UnownedJob)
    case wait
    case end
  }

  private let threadsMax: Int
  private let state = Mutex(State())

  package init(threadsMax: Int) { self.threadsMax = threadsMax }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let (thread, isMissing) = state.withLock { state -> (ExecutorThread?, Bool) in
      state.pending.append(job)
      // Uses the thread that became idle last, because its data is most likely still in the
      // processor's cache.
      if let thread = state.idle.popLast() { return (thread, false) }
      guard state.threadCount < threadsMax else { return (nil, false) }
      state.threadCount += 1
      return (nil, true)
    }
    thread?.wake()
    guard isMissing else { return }
    let isStarted = DedicatedThread.startIfPossible("tasks") { self.work(ExecutorThread()) }
    if !isStarted { continueWithoutThread() }
  }

  /// Leaves the pending jobs to the existing threads, because the system could not create another
  /// thread. Ends the process if there is no thread.
  private func continueWithoutThread() {
    let isLast = state.withLock { state in
      state.threadCount -= 1
      return state.threadCount == 0
    }
    if isLast { DedicatedThread.endProcess() }
  }

  /// Runs `body` in a task. Until the task has ended, the calling thread works for the executor.
  package func run(_ body: @escaping @Sendable () async -> Void) {
    let thread = ExecutorThread()
    state.withLock { state in
      state.threadCount += 1
      // This thread runs the new task, so no other thread has to start.
      state.idle.append(thread)
    }
    Task(executorPreference: self) { [self] in
      await body()
      release(thread)
    }
    work(thread)
  }

  private func work(_ thread: ExecutorThread) {
    while true {
      switch step(thread) {
      case .work(let job): job.runSynchronously(on: asUnownedTaskExecutor())
      case .wait: thread.wait()
      case .end: return
      }
    }
  }

  private func step(_ thread: ExecutorThread) -> Step {
    state.withLock { state in
      if thread.isReleased {
        state.threadCount -= 1
        return .end
      }
      if let job = state.pending.popFirst() { return .work(job) }
      state.idle.append(thread)
      return .wait
    }
  }

  private func release(_ thread: ExecutorThread) {
    state.withLock { state in
      thread.isReleased = true
      state.idle.removeAll { $0 === thread }
    }
    thread.wake()
  }
}

/// The sleep of one thread until another thread calls `wake`. Its time limit does not depend on the
/// wall clock, which may be set.
///
/// A semaphore needs one system call less for each sleep than a mutex with a condition: after a
/// sleep on a condition, glibc wakes a next thread for the mutex, even if none waits.
///
/// SAFETY: threads may share the semaphore, and the executor's lock guards `isReleased`.
final class ExecutorThread: @unchecked Sendable {
  /// A semaphore with the number of calls of `wake` for which no `wait` has returned yet.
  private let wakes = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
  /// Whether the thread must leave the executor.
  var isReleased = false

  init() { sem_init(wakes, 0, 0) }

  deinit {
    sem_destroy(wakes)
    wakes.deallocate()
  }

  /// Waits for a call of `wake`. Each call of `wake` ends one wait, even a wait that begins later.
  func wait() {
    // A signal interrupts the wait.
    while sem_wait(wakes) != 0 {}
  }

  /// Waits for a call of `wake`, for at most `timeMax`. Returns whether the wait timed out.
  func wait(_ timeMax: Duration) -> Bool { !semaphore_wait(wakes, timeMax.nanoseconds) }

  func wake() { sem_post(wakes) }
}
