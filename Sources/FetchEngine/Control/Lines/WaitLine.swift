package import FetchModel
package import FetchValues

/// The wait of a job's run, for JSON and for sentences.
package struct WaitLine: Hashable, Sendable {
  package var wait: RunWait
  package var since: Timestamp
  /// The number of busy workers if the run waits because all workers are busy; otherwise nil.
  package var busyCount: Int?
  package var workersMax = 0

  package init(_ wait: RunWait, since: Timestamp) {
    self.wait = wait
    self.since = since
  }

  /// Returns a clause such as `waiting for an answer from example.org for 8s`.
  package func clause(now: Timestamp) -> String {
    let time = max(.zero, Duration.seconds(now.seconds - since.seconds)).shortText
    return switch wait {
    case .turn: "waiting for the end of another run of the job for \(time)"
    case .worker: "waiting for a worker for \(time) (\(workers))"
    case .lane(let hostname): "waiting for its turn at \(hostname) for \(time)"
    case .answer(let hostname): "waiting for an answer from \(hostname) for \(time)"
    }
  }

  private var workers: String {
    guard let busyCount else { return "the worker is starting" }
    return "\(busyCount) of \(workersMax) \(workersMax == 1 ? "is" : "are") busy"
  }

  /// Returns a sentence for `explain`, with its full stop.
  package func sentence(now: Timestamp) -> String {
    let sentence = "Its run has been \(clause(now: now))"
    guard case .lane = wait else { return sentence + "." }
    return sentence + ": other requests come first, or the gap of the lane is not over."
      + " That time does not count against its window, up to its `waiting` limit."
  }
}

extension WaitLine {
  package var value: Value {
    [
      "for": .string(word), "hostname": .text(hostname),
      "since": .string(since.descriptionInSeconds),
    ]
  }

  /// Reads a wait from JSON; returns nil if `value` is not a valid one, or if its kind is unknown.
  package init?(_ value: Value?) {
    guard let value, let since = value["since"]?.timeValue else { return nil }
    let hostname = value["hostname"]?.stringValue
    switch (value["for"]?.stringValue, hostname) {
    case ("turn", _): self.init(.turn, since: since)
    case ("worker", _): self.init(.worker, since: since)
    case ("lane", let hostname?): self.init(.lane(hostname), since: since)
    case ("answer", let hostname?): self.init(.answer(hostname), since: since)
    default: return nil
    }
  }

  private var word: String {
    switch wait {
    case .turn: "turn"
    case .worker: "worker"
    case .lane: "lane"
    case .answer: "answer"
    }
  }

  private var hostname: String? {
    switch wait {
    case .turn, .worker: nil
    case .lane(let hostname), .answer(let hostname): hostname
    }
  }
}
