import FetchModel
import FetchSchedule
import FetchStore
import FetchValues

/// One time that somebody looked at what the store has.
struct Read: Hashable, Sendable {
  var at: Timestamp
  /// Nil: at all jobs.
  var job: String?
}

/// When people look: at all jobs, and at those that they look at by name.
struct ReaderHabits: Sendable {
  private var all: UsageProfile?
  /// Of jobs that were looked at by name. What was known of all jobs then is where it begins, and
  /// who looks at all looks at each.
  private var own: [ExactText: UsageProfile] = [:]
  /// Whether more was learned than is stored.
  var isChanged = false

  /// More jobs than a person looks at by name; others are taken as all are.
  private static let ownMax = 1_000

  /// Nil where nobody has looked yet.
  func profile(of job: String) -> UsageProfile? {
    own.isEmpty ? all : own[ExactText(job)] ?? all
  }

  /// `reads` are sorted by time.
  mutating func learn(_ reads: [Read], zone: ZoneOffsets) {
    guard let start = reads.first?.at else { return }
    isChanged = true
    for read in reads {
      func learned(_ profile: UsageProfile?) -> UsageProfile {
        var profile = profile ?? UsageProfile()
        profile.learn(
          readAt: Double(read.at.seconds), since: Double(start.seconds),
          clock: WeekClock(unixWithZoneOffset: Double(zone.secondsEast(read.at))))
        return profile
      }
      guard let job = read.job.map(ExactText.init) else {
        all = learned(all)
        own = own.mapValues { learned($0) }
        continue
      }
      if let known = own[job] {
        own[job] = learned(known)
      } else if own.count < Self.ownMax {
        own[job] = learned(all)
      }
    }
  }

  // MARK: Remembering

  /// The parts of the shared memory that have the habits.
  var memory: SharedMemory {
    var memory = SharedMemory()
    if let all {
      var writer = ValueWriter()
      all.encode(into: &writer)
      memory.habits = writer.bytes
    }
    if !own.isEmpty {
      var writer = ValueWriter()
      writer.beginArray(count: own.count * 2)
      for (job, profile) in own {
        writer.write(job.text)
        profile.encode(into: &writer)
      }
      memory.habitsOfJobs = writer.bytes
    }
    return memory
  }

  init() {}

  /// What cannot be read is learned anew.
  init(_ memory: SharedMemory) {
    memory.habits?.withUnsafeBytes { bytes in
      var reader = ValueReader(bytes)
      all = try? UsageProfile(from: &reader)
    }
    memory.habitsOfJobs?.withUnsafeBytes { bytes in
      var reader = ValueReader(bytes)
      let count = min((try? reader.readArrayHead()) ?? 0, Self.ownMax * 2)
      for _ in 0..<count / 2 {
        guard let job = try? reader.readString(), let profile = try? UsageProfile(from: &reader)
        else { return }
        own[ExactText(job)] = profile
      }
    }
  }
}
