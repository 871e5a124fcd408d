package import FetchHost
package import FetchModel
package import FetchStore
package import FetchValues

/// The facts that a run showed of its source, for the job's next time.
package struct RunFacts: Sendable {
  /// One fact for each answer, in the order they came.
  package var answers: [HTTPFact] = []
  package var retryAfters: [RetryAfterNote] = []
  /// Until when a postponed request waits; see `HTTPSession.postponedUntil`.
  package var postponedUntil: Timestamp?
  /// The readable dates of the new items.
  package var newTimes: [Timestamp] = []
  package var newCount = 0
  /// The number of items that the source showed.
  package var shownCount = 0
  /// The hints of the feeds that were read on when to check again.
  package var feedHints = FeedHints()
}

extension RunFacts {
  /// The hostnames whose last answer was a success.
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

  /// The newest date of the source's answers; nil if an answer other than "not modified" has none.
  var modifiedAt: Timestamp? {
    let whole = answers.filter { !$0.notModified && (200..<300).contains($0.status) }
    guard whole.allSatisfy({ $0.modifiedAt != nil }) else { return nil }
    return answers.compactMap(\.modifiedAt).max()
  }

  /// Whether the last answer was 410 Gone from the run's source. `expected` is the source's
  /// hostname; if it is unknown, the first hostname asked is the source.
  func isGone(from expected: String?) -> Bool {
    guard let last = answers.last, last.status == 410 else { return false }
    if expected == nil { return last.askedHostname == answers.first?.askedHostname }
    return answers.allSatisfy { $0.askedHostname == last.askedHostname }
  }

  /// Returns the present hints of the job's feeds, after the hints `known`. A feed that answers
  /// "not modified" repeats its hints; if only some do, the hint that asks for the fewest requests
  /// holds.
  func feedHints(after known: FeedHints) -> FeedHints {
    let isNew = answers.map { !$0.notModified && !$0.sameBody }
    if !isNew.contains(true), feedHints.isEmpty { return known }
    return isNew.contains(false) ? feedHints.least(known) : feedHints
  }
}

/// The schedule and memory of a run's job, stored with the run.
package struct RunSettlement: Sendable {
  package var nextDueAt: Timestamp?
  /// See `RunCommit.schedule`.
  package var schedule: StoredSchedule?
  /// See `RunCommit.shared`.
  package var shared = SharedMemory()
  /// See `RunCommit.coolDowns`; in addition to those that the run received.
  package var coolDowns: [ExactText: Timestamp] = [:]
  /// The job's failures in a row before and after the run.
  package var history: DeliveryHistory?

  package init(
    nextDueAt: Timestamp? = nil, schedule: StoredSchedule? = nil
  ) {
    self.nextDueAt = nextDueAt
    self.schedule = schedule
  }
}

/// Settles a run after its outcome is decided and before it is stored.
package typealias RunSettling = @Sendable (RunRecord, RunFacts) async -> RunSettlement
