import FetchEngine
import FetchStore
import FetchValues

extension EventReading {
  /// The maximum number of concurrent reads of pages of events, so that other requests can also
  /// read the store.
  private static let readsMax = 2

  /// Creates the functions that read the store of the web process and send requests to the daemon.
  package init(_ store: WebStore, _ control: WebControl) {
    let gate = CallGate(runningMax: Self.readsMax, waitingMax: WebLimits.streamsMax)
    self.init(
      page: { cursor async throws(WebProblem) in
        try await gate.run("read events") { () async throws(WebProblem) in
          try await store.read { view async throws(StoreError) in
            try await Self.page(after: cursor, view.reader)
          }
        }
      },
      end: { () async throws(WebProblem) in
        let last = try await store.read { view async throws(StoreError) in
          try await view.queries.lastNumbers()
        }
        return EventCursor(items: last.sequence, ended: last.ended)
      },
      version: { () async throws(WebProblem) in
        try await store.read { view async throws(StoreError) in
          try await view.reader.dataVersion()
        }
      },
      watch: { changed in
        _ = try? await control.follow(.watch) { line in
          guard let line = WatchLine(line) else { return }
          changed(
            EventMarks(
              end: EventCursor(items: line.items, ended: line.ended), states: line.states))
        }
      },
      states: { jobs async throws(WebProblem) in try await Self.states(of: jobs, control) })
  }

  private static func page(
    after cursor: EventCursor, _ reader: any ReadableStore
  ) async throws(StoreError) -> EventPage {
    let runs = try await reader.endedRuns(after: cursor.ended, limit: EventPage.rowsMax)
    guard !EventPage.isGap(after: cursor, runs), cursor.items < runs.lastSequence else {
      return EventPage(after: cursor, runs, nil)
    }
    let changes = try await reader.changes(
      ChangeQuery(since: cursor.items, limit: EventPage.rowsMax))
    return EventPage(after: cursor, runs, changes)
  }

  private static func states(
    of jobs: [JobName]?, _ control: WebControl
  ) async throws(WebProblem) -> [Value]? {
    do throws(WebProblem) {
      guard let jobs else { return try await control.lines(.status(job: nil)) }
      var lines: [Value] = []
      for job in jobs { lines.append(contentsOf: try await states(of: job, control)) }
      return lines
    } catch {
      // The first notification of the next daemon requests the lines again.
      guard error.word == .noDaemon else { throw error }
      return nil
    }
  }

  private static func states(
    of job: JobName, _ control: WebControl
  ) async throws(WebProblem) -> [Value] {
    do throws(WebProblem) { return try await control.lines(.status(job: job)) } catch {
      // A job that was removed has no line.
      guard error.word == .unknownJob else { throw error }
      return []
    }
  }
}
