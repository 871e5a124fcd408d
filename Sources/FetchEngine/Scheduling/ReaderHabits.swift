import FetchModel
import FetchSchedule
import FetchStore
package import FetchValues
import Glibc

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

  /// The maximum number of jobs with their own habits. All other jobs use the habits for all jobs.
  private static let ownMax = 1_000

  /// Returns the job's own habits, or the habits for all jobs if it has none. Nil if there are
  /// neither.
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

  /// Restores the habits from the shared memory. Unreadable parts are left out.
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

/// The log of the times at which people read a store. It has one line for each noted read. The line
/// has the job's name, as a JSON string, if only one job was read. The log is not in the store, so
/// that a reader needs no right to write to the store.
package struct ReadLog: Sendable {
  private let path: String
  /// The path of the file for a process that may write only in the folder of the web process.
  private let webPath: String

  /// The size of the file in bytes from which no more reads are noted.
  private static let bytesMax = 1 << 20

  package init(_ state: StateFolder) {
    path = state.readLog
    webPath = state.webFolder + "/reads"
  }

  /// Notes a read. Ignores errors, since a read must not fail because it cannot be noted.
  package func note(_ job: JobName?, at now: Timestamp) {
    var descriptor = Self.open(path)
    if descriptor < 0, errno == EACCES { descriptor = Self.open(webPath) }
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_size < Self.bytesMax else { return }
    let name = job.flatMap { try? JSONWriter.text(.string($0.text)) }.map { " " + $0 } ?? ""
    let line = Array("\(now.seconds)\(name)\n".utf8)
    _ = write(descriptor, line, line.count)
  }

  private static func open(_ path: String) -> Int32 {
    Glibc.open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
  }

  /// Removes and returns the noted reads, sorted by time.
  func take() -> [Read] { (Self.take(path) + Self.take(webPath)).sorted { $0.at < $1.at } }

  private static func take(_ path: String) -> [Read] {
    let taken = path + ".taken"
    if access(taken, F_OK) != 0, rename(path, taken) != 0 { return [] }
    defer { unlink(taken) }
    guard case .success(let bytes) = FileBytes.read(taken, max: 2 * bytesMax) else {
      return []
    }
    return bytes.split(separator: UInt8(ascii: "\n")).compactMap(read)
  }

  private static func read(_ line: ArraySlice<UInt8>) -> Read? {
    let parts = line.split(separator: UInt8(ascii: " "), maxSplits: 1)
    guard let first = parts.first, let seconds = Int64(String(decoding: first, as: UTF8.self)),
      (0...1 << 40).contains(seconds)
    else { return nil }
    var read = Read(at: Timestamp(seconds: seconds))
    if parts.count > 1 {
      guard let job = try? JSONReader.decode(Array(parts[1])).stringValue else { return nil }
      read.job = JobName(job)
    }
    return read
  }
}
