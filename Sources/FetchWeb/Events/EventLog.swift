import Synchronization

/// The reader of the store's logs of item changes and of ended runs. Clients that need the page at
/// the same cursor at the same time share one read of the store.
package final class EventLog: Sendable {
  private typealias Waiter = CheckedContinuation<Result<EventPage, WebProblem>?, Never>

  private struct State {
    var last: EventPage?
    /// The reads under way. The key is the cursor of the read; the value is the list of the further
    /// clients that wait for the read.
    var waiting: [EventCursor: [Waiter]] = [:]
  }

  private enum Role {
    case done(EventPage)
    case reads
    case waits
  }

  private let read: @Sendable (EventCursor) async throws(WebProblem) -> EventPage
  private let state = Mutex(State())

  package init(_ read: @escaping @Sendable (EventCursor) async throws(WebProblem) -> EventPage) {
    self.read = read
  }

  /// Returns a page of the events after a cursor. An empty page is returned only if it was read for
  /// the news `tick` or for later news.
  ///
  /// - Parameter tick: the value of `EventNews.log` that the client has seen.
  package func page(after cursor: EventCursor, tick: Int) async throws(WebProblem) -> EventPage {
    while true {
      switch role(cursor, tick) {
      case .done(let page): return page
      case .reads: return try await lead(cursor, tick)
      case .waits:
        // A read that began before the news may have missed the newest events.
        guard let page = try await follow(cursor), !page.isEmpty || page.tick >= tick else {
          continue
        }
        return page
      }
    }
  }

  private func role(_ cursor: EventCursor, _ tick: Int) -> Role {
    state.withLock { state in
      if let last = state.last, last.start == cursor, !last.isEmpty || last.tick >= tick {
        return .done(last)
      }
      if state.waiting[cursor] != nil { return .waits }
      state.waiting[cursor] = []
      return .reads
    }
  }

  private func lead(_ cursor: EventCursor, _ tick: Int) async throws(WebProblem) -> EventPage {
    let outcome: Result<EventPage, WebProblem>
    do throws(WebProblem) {
      var page = try await read(cursor)
      page.tick = tick
      outcome = .success(page)
    } catch { outcome = .failure(error) }
    let waiters = state.withLock { state in
      if case .success(let page) = outcome { state.last = page }
      return state.waiting.removeValue(forKey: cursor) ?? []
    }
    for waiter in waiters { waiter.resume(returning: outcome) }
    return try outcome.get()
  }

  /// Waits for the read that is under way for a cursor, and returns its page; nil if the read has
  /// just ended.
  private func follow(_ cursor: EventCursor) async throws(WebProblem) -> EventPage? {
    let outcome = await withCheckedContinuation { (waiter: Waiter) in
      let isWaiting = state.withLock { state in
        guard state.waiting[cursor] != nil else { return false }
        state.waiting[cursor]?.append(waiter)
        return true
      }
      if !isWaiting { waiter.resume(returning: nil) }
    }
    return try outcome?.get()
  }

  /// Forgets the last page.
  package func clear() { state.withLock { $0.last = nil } }
}
