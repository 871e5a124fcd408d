/// A service of the daemon that ends by itself after it was drained.
package struct DrainedService: Sendable {
  private let work: @Sendable () async -> Void
  private let drain: @Sendable () -> Void

  /// - Parameters:
  ///   - drain: makes `work` return.
  ///   - work: does the work of the service. Returns after `drain` was called or its task was
  ///     cancelled.
  package init(
    drain: @escaping @Sendable () -> Void, work: @escaping @Sendable () async -> Void
  ) {
    self.drain = drain
    self.work = work
  }

  /// Creates a service that is already running, and that `stop` ends.
  package init(stop: @escaping @Sendable () async -> Void) {
    let (stopped, source) = AsyncStream<Never>.makeStream()
    self.init {
      source.finish()
    } work: {
      for await _ in stopped {}
      await stop()
    }
  }

  private enum Event {
    case ended(Int)
    case stopped
    case graceIsOver
  }

  /// Runs services side by side until `stopped` ends, and then drains them one after the other,
  /// from the last to the first. Each has ended before the next one is drained. A service that ends
  /// before it is drained ends all.
  ///
  /// - Parameter grace: the maximum time from the end of `stopped`; after it, the services that are
  ///   left are cancelled. The cancellation of the caller's task cancels them at once.
  package static func run(
    _ services: [DrainedService], until stopped: AsyncStream<Never>, grace: Duration,
    clock: any Clock<Duration>
  ) async {
    await withTaskGroup(of: Event.self) { tasks in
      for (number, service) in services.enumerated() {
        tasks.addTask {
          await service.work()
          return .ended(number)
        }
      }
      tasks.addTask {
        for await _ in stopped {}
        return .stopped
      }
      var running = Set(services.indices)
      func note(_ event: Event?) {
        switch event {
        case .ended(let number): running.remove(number)
        case .graceIsOver: tasks.cancelAll()
        case .stopped, nil: break
        }
      }
      note(await tasks.next())
      tasks.addTask {
        try? await clock.sleep(for: grace)
        return .graceIsOver
      }
      for (number, service) in services.enumerated().reversed() {
        service.drain()
        while running.contains(number) { note(await tasks.next()) }
      }
      tasks.cancelAll()
    }
  }
}
