import FetchModel
import FetchSchedule
import FetchStore
import FetchValues

/// One time at which a person read the store.
struct Read: Hashable, Sendable {
  var at: Timestamp
  /// The job whose data was read; nil if the data of all jobs was read.
  var job: JobName?
}

/// The habits of readers: the times at which people read all jobs, and the times at which they read
/// a single job by name.
struct ReaderHabits: Sendable {
  private var all: UsageProfile?
  /// The habits for jobs that were read by name. The habits for a job begin as a copy of the habits
  /// for all jobs. A read of all jobs counts for each job.
  private var own: [JobName: UsageProfile] = [:]
  /// Whether the habits have unsaved changes.
  var isChanged = false

  /// The maximum number of jobs with their own habits. A person reads fewer jobs by name. All other
  /// jobs use the habits for all jobs.
  private static let ownMax = 1_000

  /// Returns the habits for a job; nil before the first read.
  func profile(of job: JobName) -> UsageProfile? {
    own.isEmpty ? all : own[job] ?? all
  }

  /// Learns from reads. The reads must be sorted by time.
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
      guard let job = read.job else {
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

  /// The parts of the shared memory that contain the habits.
  var memory: SharedMemory {
    var memory = SharedMemory()
    memory.habits = all?.encoded
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

  /// Restores the habits from the shared memory. Unreadable parts are left out, and are learned
  /// again.
  init(_ memory: SharedMemory) {
    all = memory.habits.flatMap { try? UsageProfile(encoded: $0) }
    memory.habitsOfJobs?.withUnsafeBytes { bytes in
      var reader = ValueReader(bytes)
      let count = min((try? reader.readArrayHead()) ?? 0, Self.ownMax * 2)
      for _ in 0..<count / 2 {
        guard let job = try? reader.readString(), let profile = try? UsageProfile(from: &reader)
        else { return }
        own[JobName(job)] = profile
      }
    }
  }
}
