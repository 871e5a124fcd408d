import FetchHost
import Testing

/// Tests of sleeps on the host's only timer.
@Suite struct HostClockTests {
  @Test func `sleepers wake after their time and in its order`() async {
    let woken = Noted<Int>()
    let clock = HostClock()
    // All of them sleep before the first is due. One thread resumes them in the order of the timer.
    let begin = clock.now + .seconds(1)
    await Task(executorPreference: HostExecutor(threadsMax: 1)) {
      await withTaskGroup(of: Void.self) { group in
        for number in [3, 1, 4, 2, 0] {
          group.addTask {
            let deadline = begin + .milliseconds(20 * number)
            try? await clock.sleep(until: deadline, tolerance: nil)
            #expect(clock.now >= deadline)
            woken.note(number)
          }
        }
      }
    }.value
    #expect(woken.all == [0, 1, 2, 3, 4])
  }

  @Test func `a cancelled sleep ends immediately and does not affect others`() async {
    let clock = HostClock()
    let begin = clock.now
    let long = (0..<100).map { number in
      Task(executorPreference: HostExecutor.shared) {
        try await clock.sleep(for: .seconds(3_600 + number))
      }
    }
    let short = Task(executorPreference: HostExecutor.shared) {
      try await clock.sleep(for: .milliseconds(30))
    }
    for task in long {
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    }
    #expect(clock.now - begin < .seconds(60))
    await #expect(throws: Never.self) { try await short.value }
    #expect(clock.now - begin >= .milliseconds(30))
  }

  @Test func `a cancelled task and a task whose time is over do not begin to sleep`() async {
    let task = Task(executorPreference: HostExecutor.shared) {
      withUnsafeCurrentTask { $0?.cancel() }
      try await HostClock().sleep(for: .seconds(3_600))
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    await #expect(throws: Never.self) {
      try await HostClock().sleep(until: .now - .seconds(5), tolerance: nil)
    }
  }
}
