package import FetchHost
package import FetchModel
package import FetchStore
package import FetchValues

/// What a run showed of its source, for the job's next time.
package struct RunFacts: Sendable {
  /// One for each answer, in the order they came.
  package var answers: [HTTPFact] = []
  package var retryAfters: [RetryAfterNote] = []
  /// Until when a request waits that was not made; see `HTTPSession.postponedUntil`.
  package var postponedUntil: Timestamp?
  /// Those of the new items that have a date, as far as it can be read.
  package var newTimes: [Timestamp] = []
  package var newCount = 0
  /// How many items the source showed.
  package var shownCount = 0
  /// What the feeds that were read say of when to ask again.
  package var feedHints = FeedHints()
}

extension RunFacts {
  /// Hostnames whose last answer was a good one.
  var answeredWell: Set<String> {
    var hostnames: Set<String> = []
    for answer in answers {
      if answer.notModified || (200..<300).contains(answer.status) {
        hostnames.insert(answer.askedHostname)
      } else {
        hostnames.remove(answer.askedHostname)
      }
    }
    return hostnames
  }

  /// When the source says that it last changed: the newest date of its answers, if each that was
  /// not "not modified" has one.
  var modifiedAt: Timestamp? {
    let whole = answers.filter { !$0.notModified && (200..<300).contains($0.status) }
    guard whole.allSatisfy({ $0.modifiedAt != nil }) else { return nil }
    return answers.compactMap(\.modifiedAt).max()
  }

  /// Whether the last answer was 410 Gone from the run's source, whatever hostname was expected to be
  /// that: the only one that was asked, or, where none could be told beforehand, the first.
  func isGone(from expected: String?) -> Bool {
    guard let last = answers.last, last.status == 410 else { return false }
    if expected == nil { return last.askedHostname == answers.first?.askedHostname }
    return answers.allSatisfy { $0.askedHostname == last.askedHostname }
  }

  /// What the job's feeds say now, when they said `known` before. A feed that answers "not modified"
  /// says what it said; where only some do, what asks for least holds.
  func feedHints(after known: FeedHints) -> FeedHints {
    let isNew = answers.map { !$0.notModified && !$0.sameBody }
    if !isNew.contains(true), feedHints.isEmpty { return known }
    return isNew.contains(false) ? feedHints.least(known) : feedHints
  }
}

/// What a run's job is to remember, stored with the run.
package struct RunSettlement: Sendable {
  package var nextDueAt: Timestamp?
  /// See `RunCommit.schedule`.
  package var schedule: StoredSchedule?
  /// See `RunCommit.shared`.
  package var shared = SharedMemory()
  /// See `RunCommit.coolDowns`; beside those that the run was told of.
  package var coolDowns: [ExactText: Timestamp] = [:]
  /// How the job's failures in a row stand before and after the run.
  package var history: DeliveryHistory?

  package init(
    nextDueAt: Timestamp? = nil, schedule: StoredSchedule? = nil
  ) {
    self.nextDueAt = nextDueAt
    self.schedule = schedule
  }
}

/// Asked when a run's outcome is decided and before it is stored.
package typealias RunSettling = @Sendable (RunRecord, RunFacts) async -> RunSettlement
