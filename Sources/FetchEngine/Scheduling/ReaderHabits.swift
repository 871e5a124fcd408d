import FetchModel
import FetchSchedule
import FetchStore
import FetchValues

/// One time at which a person read the store.
struct Read: Hashable, Sendable {
  var at: Timestamp
  /// The job that was read; nil: all jobs.
  var job: String?
}

/// The times at which people read: all jobs, and jobs by name.
struct ReaderHabits: Sendable {
  private var all: UsageProfile?
  /// The habits for jobs that were read by name. Each begins as a copy of the habits for all jobs,
  /// and a read of all jobs counts for each.
  private var own: [ExactText: UsageProfile] = [:]
  /// Whether there are unsaved changes.
  var isChanged = false

  /// More jobs than a person reads by name; other jobs use the habits for all.
  private static let ownMax = 1_000

  /// Returns the habits for a job; nil before the first read.
  func profile(of job: String) -> UsageProfile? {
    own.isEmpty ? all : own[ExactText(job)] ?? all
  }

  /// Learns from reads, which are sorted by time.
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

  /// The parts of the shared memory that hold the habits.
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

  /// Restores the habits; unreadable parts are learned anew.
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
