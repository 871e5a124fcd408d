package import FetchModel
package import FetchValues

/// Some runs in the order in which they ended, and the number after which the next part of the list
/// begins.
package struct EndedRuns: Equatable, Sendable {
  /// A run with the number that it received when it ended.
  package struct Run: Equatable, Sendable {
    package var ended: Int64
    package var record: RunRecord

    package init(ended: Int64, record: RunRecord) {
      self.ended = ended
      self.record = record
    }
  }

  package var runs: [Run] = []
  /// The number up to which ended runs were read. The next part begins after this number.
  package var end: Int64 = 0
  /// Whether no run has ended after `end`.
  package var isLast = true
  /// Whether the reader may have missed runs, for example because too many runs have ended. The
  /// reader must then read its lists again and continue after `end`.
  package var hasGap = false
  /// The sequence number of the last change when the runs were read. The changes of these runs have
  /// no higher numbers.
  package var lastSequence: Int64 = 0

  package init() {}
}

/// The runs of a job in a period, for a plot.
package struct JobMarks: Equatable, Sendable {
  package var job: JobName
  /// The latest runs of the period, oldest first.
  package var marks: [RunMark]

  package init(job: JobName, marks: [RunMark]) {
    self.job = job
    self.marks = marks
  }
}

/// A run as a mark in a plot.
package struct RunMark: Hashable, Sendable {
  package var startedAt: Timestamp
  package var outcome: OutcomeKind

  package init(startedAt: Timestamp, outcome: OutcomeKind) {
    self.startedAt = startedAt
    self.outcome = outcome
  }
}

/// The counts of runs by the time at which the runs began. A program reads the counts once, and
/// then adds the runs that end later.
package struct RunCounts: Equatable, Sendable {
  /// The counts of the runs that began in one interval of five minutes.
  package struct Bucket: Equatable, Sendable {
    /// The start of the interval of five minutes.
    package var startsAt: Timestamp
    package var newData = 0
    package var noData = 0
    package var failed = 0

    package init(startsAt: Timestamp) { self.startsAt = startsAt }

    package var total: Int { newData + noData + failed }

    package mutating func add(_ outcome: OutcomeKind, _ count: Int = 1) {
      switch outcome {
      case .newData: newData += count
      case .noData: noData += count
      case .failed: failed += count
      }
    }
  }

  package static let bucketSeconds: Int64 = 300

  /// The intervals of five minutes that have runs, in order. There are at most
  /// `ReadBounds.bucketsMax`.
  package private(set) var buckets: [Bucket] = []
  /// The number of the last ended run that the counts take into account.
  package var ended: Int64 = 0

  package init() {}

  /// Adds one or more runs that began in the same interval of five minutes.
  package mutating func add(
    _ outcome: OutcomeKind, startedAt: Timestamp, _ count: Int = 1
  ) {
    let start = startedAt.seconds.floorDivided(by: Self.bucketSeconds) * Self.bucketSeconds
    let startsAt = Timestamp(seconds: start)
    var place = buckets.endIndex
    while place > 0, buckets[place - 1].startsAt > startsAt { place -= 1 }
    if place == 0 || buckets[place - 1].startsAt < startsAt {
      buckets.insert(Bucket(startsAt: startsAt), at: place)
      place += 1
    }
    buckets[place - 1].add(outcome, count)
    if buckets.count > ReadBounds.bucketsMax { buckets.removeFirst() }
  }

  /// Adds runs that have ended. Ignores runs that are already included.
  package mutating func add(_ ended: EndedRuns) {
    for run in ended.runs where run.ended > self.ended {
      add(run.record.outcome.kind, startedAt: run.record.startedAt)
    }
    self.ended = max(self.ended, ended.end)
  }

  /// Removes the intervals of five minutes that ended at the given time or earlier.
  package mutating func drop(before time: Timestamp) {
    let start = time.seconds.floorDivided(by: Self.bucketSeconds) * Self.bucketSeconds
    buckets.removeAll { $0.startsAt.seconds < start }
  }
}
