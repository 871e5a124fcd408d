package import FetchHost
package import FetchModel
package import FetchStore
package import FetchValues

/// The facts about a job's source that a run showed, for the job's next due time.
package struct RunFacts: Sendable {
  /// One fact for each answer, in the order of the answers.
  package var answers: [HTTPFact] = []
  package var retryAfters: [RetryAfterNote] = []
  /// The latest time until which a request was postponed: see `HTTPSession.postponedUntil`.
  package var postponedUntil: Timestamp?
  /// The readable dates of the new items.
  package var newTimes: [Timestamp] = []
  package var newCount = 0
  /// The number of items that the source showed.
  package var shownCount = 0
  /// The hints in the feeds about when to request them again.
  package var feedHints = FeedHints()
  /// The hub and the own address that the source names. Nil if the run has read no feed and no page
  /// that is certain to be the source: see `LibraryContext.hubLinks`.
  package var hubLinks: HubLinks?
}

extension RunFacts {
  /// Returns the hostnames whose last answer was a success, without `hostname`.
  func answeredWell(besides hostname: String?) -> Set<String> {
    var hostnames: Set<String> = []
    for answer in answers where answer.askedHostname != hostname {
      if answer.notModified || (200..<300).contains(answer.status) {
        hostnames.insert(answer.askedHostname)
      } else {
        hostnames.remove(answer.askedHostname)
      }
    }
    return hostnames
  }

  /// The newest modification date in the answers. Nil if no answer has a date, or if an answer with
  /// a 2xx status has none.
  var modifiedAt: Timestamp? {
    let whole = answers.filter { !$0.notModified && (200..<300).contains($0.status) }
    guard whole.allSatisfy({ $0.modifiedAt != nil }) else { return nil }
    return answers.compactMap(\.modifiedAt).max()
  }

  /// The hub that the source or the header of an answer names; `HubDiscovery.none` if there is no
  /// usable hub. Nil if `hubLinks` is nil, or if no GET request had a full answer.
  var hub: HubDiscovery? {
    guard let hubLinks else { return nil }
    let whole = answers.filter { $0.method == "GET" && $0.answerFact == .full }
    guard let answer = whole.first(where: { $0.links.hub != nil }) ?? whole.first else {
      return nil
    }
    return answer.links.topic(orIn: hubLinks, at: answer.lastingURL)
      .map { .hub($0.hub, topic: $0.topic) } ?? HubDiscovery.none
  }

  /// Whether the last answer was 410 Gone from the run's source. Requests without an answer are
  /// ignored.
  ///
  /// - Parameter expected: the known hostname of the source. If it is nil, the first and the last
  ///   answer must be to requests for the same hostname. Otherwise, all answers must be to requests
  ///   for one hostname, which may differ from `expected`.
  func isGone(from expected: String?) -> Bool {
    guard let last = answers.last, last.status == 410 else { return false }
    if expected == nil { return last.askedHostname == answers.first?.askedHostname }
    return answers.allSatisfy { $0.askedHostname == last.askedHostname }
  }

  /// Returns the hints of the job's feeds after the run. An answer counts as new unless it was "not
  /// modified" or had the same body as before. If any answer was not new, the run's hints are
  /// combined with the previous hints: see `FeedHints.least`.
  ///
  /// - Parameter known: the previous hints. They stay valid if the run had no new answer and read
  ///   no hints.
  func feedHints(after known: FeedHints) -> FeedHints {
    let isNew = { (answer: HTTPFact) in !answer.notModified && !answer.sameBody }
    if feedHints.isEmpty, !answers.contains(where: isNew) { return known }
    return answers.allSatisfy(isNew) ? feedHints : feedHints.least(known)
  }
}

/// The result of settling a run: the job's next due time, and the changes of the scheduler's memory
/// that are stored with the run.
package struct RunSettlement: Sendable {
  /// The due time in the run's record, for people. After a restart, the due time comes from the
  /// stored schedule.
  package var nextDueAt: Timestamp?
  /// The scheduler's new memory for the job: see `RunCommit.schedule`.
  package var schedule: StoredSchedule?
  /// The changes that the run makes to the memory of all jobs together: see `RunCommit.shared`.
  package var shared = SharedMemory()
  /// The cooldowns that the scheduler has begun, without the cooldowns that servers requested: see
  /// `RunCommit.coolDowns`.
  package var coolDowns: [ExactText: Timestamp] = [:]
  /// The number of the job's consecutive failures before the run, and the number after it.
  package var history: DeliveryHistory?

  package init(
    nextDueAt: Timestamp? = nil, schedule: StoredSchedule? = nil
  ) {
    self.nextDueAt = nextDueAt
    self.schedule = schedule
  }
}

/// A function that settles a run. It is called after the run's outcome is decided and before the
/// run is stored. `RunLoop.execute` passes a function that calls `ScheduledJobs.settle`.
package typealias RunSettling = @Sendable (RunRecord, RunFacts) -> RunSettlement
