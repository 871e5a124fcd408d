import FetchConfig
import FetchHost
import FetchModel
import FetchValues

/// The files of a case in its scratch folder: the job's own files, and copies of the files that the
/// plugin may read.
///
/// `write` and `setTimes` set the times of the files to recorded times, so that the next run sees
/// the same times in each replay. Both functions block the calling thread.
struct CaseFiles: Sendable {
  /// The job's own folder.
  let root: String
  /// The path of the folder that takes the place of the case's folder. In a replay, it contains
  /// copies of the files that the plugin may read.
  let folder: String
  private let threads = FileThreads()

  init(scratch: String) {
    root = scratch + "/files"
    folder = scratch + "/case"
  }

  /// Returns the path in the scratch folder for a path in the case.
  func path(of path: FilePath) -> String { folder + "/" + path.text }

  func write(_ recording: Recording) throws(ConfigProblem) {
    for file in recording.files { try write(file, below: root, recording.now) }
    for file in recording.readableFiles { try write(file, below: folder, recording.now) }
  }

  private func write(
    _ file: RecordedFile, below folder: String, _ time: Timestamp
  ) throws(ConfigProblem) {
    let path = folder + "/" + file.path.text
    try NewFile.write(file.bytes, to: path)
    FileTime.set(path, to: time)
  }

  // MARK: What is there

  /// Returns the SHA-256 hashes of the job's files, by path. The hash of an unreadable file is
  /// empty. The result is empty if the folder does not exist or cannot be listed.
  func hashes() async -> [String: [UInt8]] {
    guard NewFile.isThere(root) else { return [:] }
    return await threads.run { [root] isCancelled in
      guard let root = try? FileRoot.open(root, quota: FileQuota()),
        let listing = try? root.folder.list(.root, recursive: true)
      else { return [:] }
      var hashes: [String: [UInt8]] = [:]
      for entry in listing.entries where entry.kind == .file {
        let text = listing.path(of: entry)
        let path = try? FilePath(text)
        hashes[text] = path.flatMap { try? root.folder.sha256($0, isCancelled: isCancelled) } ?? []
      }
      return hashes
    }
  }

  /// Sets the times of the files that a run has written. `time` is the time of the recorded run.
  func setTimes(of changes: [CaseFileChange], _ time: Timestamp) {
    for change in changes where change.hash != nil {
      FileTime.set(root + "/" + change.path, to: time)
    }
  }
}

/// A change that a run made to one of the job's files.
struct CaseFileChange: Equatable, Sendable {
  var path: String
  /// The SHA-256 hash of the file after the run. An unreadable file has an empty hash. The hash of
  /// a removed file is nil.
  var hash: [UInt8]?

  /// Returns the changes from one state of the files to another, sorted by path.
  static func between(
    _ old: [String: [UInt8]], _ new: [String: [UInt8]]
  ) -> [CaseFileChange] {
    let changed = new.filter { old[$0.key] != $0.value }.map {
      CaseFileChange(path: $0.key, hash: $0.value)
    }
    let gone = old.keys.filter { new[$0] == nil }.map { CaseFileChange(path: $0, hash: nil) }
    return (changed + gone).sorted { ExactText($0.path) < ExactText($1.path) }
  }
}
