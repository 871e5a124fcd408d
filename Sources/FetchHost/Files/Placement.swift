import FetchModel
import FetchValues
import Glibc
import Synchronization

/// The way in which a complete partial file is placed at its path; see
/// `PartialFile.place(keepingReplacedAt:leavingProof:)`.
struct Placement: Sendable {
  /// The modification time that the file receives; nil to keep the present one.
  var modified: Timestamp?
  /// The path at which a replaced file is kept; nil to drop a replaced file.
  var backup: FilePath?
  var leavesProof = false
}

/// The complete partial files of a root that wait to be placed.
struct PlacementQueue: Sendable {
  typealias Caller = CheckedContinuation<FileFault?, Never>

  fileprivate struct Request: Sendable {
    var file: PartialFile
    var placement: Placement
    var caller: Caller
  }

  fileprivate var requests: [Request] = []
  /// The number of threads that place files of the root at present, or will do so.
  fileprivate var threadCount = 0

  /// The number of waiting files for which a second thread is worth its start. A slow disk makes
  /// several files durable in about the time of one, but with smaller groups, fewer files would
  /// share the sync of a folder and a commit of the store.
  private static let groupMin = 16
  private static let threadsMax = 4

  /// Adds a file. Returns whether another thread must start to place the waiting files.
  fileprivate mutating func add(_ request: Request) -> Bool {
    requests.append(request)
    let isGroup = requests.count.isMultiple(of: Self.groupMin)
    guard threadCount == 0 || isGroup && threadCount < Self.threadsMax else { return false }
    threadCount += 1
    return true
  }

  /// Returns true if one of the threads has nothing to do. The thread must then not place more
  /// files. The last thread places even a single file.
  fileprivate mutating func leave() -> Bool {
    guard requests.count < (threadCount > 1 ? Self.groupMin : 1) else { return false }
    threadCount -= 1
    return true
  }

  /// Returns the waiting files for one of the threads; none if `leave` returns true.
  fileprivate mutating func takeAll() -> [Request] {
    if leave() { return [] }
    defer { requests = [] }
    return requests
  }
}

extension FileRoot {
  /// Places a complete partial file on one of the threads. Files that arrive while the threads place
  /// other files are then placed together, so that they share the syncs of their folders.
  func place(
    _ file: PartialFile, _ placement: Placement, on threads: FileThreads
  ) async throws(FileFault) {
    let fault = await withCheckedContinuation { caller in
      let request = PlacementQueue.Request(file: file, placement: placement, caller: caller)
      let mustStart = waiting.withLock { $0.add(request) }
      if mustStart { threads.start { self.placeWaiting(on: threads) } }
    }
    if let fault { throw fault }
  }

  /// Places one group of waiting files. The next group waits behind the other work of the threads.
  private func placeWaiting(on threads: FileThreads) {
    guard let placed = placeNext() else { return }
    for (caller, fault) in placed { caller.resume(returning: fault) }
    if waiting.withLock({ $0.leave() }) { return }
    threads.start { self.placeWaiting(on: threads) }
  }

  /// Places the waiting files. Returns the caller and the fault of each file; nil if no file waits.
  /// When this function returns, it holds no file open.
  private func placeNext() -> [(PlacementQueue.Caller, FileFault?)]? {
    let requests = waiting.withLock { $0.takeAll() }
    if requests.isEmpty { return nil }
    return Array(zip(requests.map(\.caller), place(requests.map { ($0.file, $0.placement) })))
  }

  /// Makes the files durable, creates missing folders and moves the files to their paths. Returns
  /// the fault of each file; nil for a file whose move is durable.
  func place(_ files: [(PartialFile, Placement)]) -> [FileFault?] {
    var faults = [FileFault?](repeating: nil, count: files.count)
    let folders = Dictionary(grouping: files.indices) { files[$0].0.path.folder }
    for (folder, indices) in folders {
      let found = place(indices.map { files[$0] }, in: folder)
      for (index, fault) in zip(indices, found) { faults[index] = fault }
    }
    return faults
  }

  /// Places files that all belong in the folder at `path`.
  private func place(
    _ files: [(PartialFile, Placement)], in path: FilePath
  ) -> [FileFault?] {
    var faults = files.map { file, placement in
      fault { () throws(FileFault) in
        if let modified = placement.modified { try file.setModified(modified) }
        try file.sync()
      }
    }
    // A file with a fault of its own is not moved, and keeps this fault.
    func note(_ fault: (Int) -> FileFault?) {
      for index in files.indices where faults[index] == nil { faults[index] = fault(index) }
    }
    func noteAll(_ code: Int32) {
      note { FileFault(.write, files[$0].0.path.text, .system(code)) }
    }
    let common = fault { () throws(FileFault) in
      let hidden = try hiddenFolder()
      defer { close(hidden) }
      let folder = try made(path)
      guard folder >= 0 else { return noteAll(-folder) }
      defer { close(folder) }
      note { index in
        let (file, placement) = files[index]
        return fault { () throws(FileFault) in
          try file.move(to: folder, from: hidden, placement)
        }
      }
      // Some file systems cannot sync a folder and report EINVAL.
      if fsync(folder) != 0, errno != EINVAL { noteAll(errno) }
    }
    if let common { note { _ in common } }
    return faults
  }

  /// Opens the folder at `path` and creates it if necessary. Returns the descriptor, which the
  /// caller must close, or the negated errno.
  private func made(_ path: FilePath) throws(FileFault) -> Int32 {
    let opened = Beneath.open(folder.descriptor, path.text, O_RDONLY | O_DIRECTORY)
    if opened >= 0 { return opened }
    try makeFolders(path, for: path)
    return Beneath.open(folder.descriptor, path.text, O_RDONLY | O_DIRECTORY)
  }

  private func fault(_ body: () throws(FileFault) -> Void) -> FileFault? {
    do throws(FileFault) { try body() } catch { return error }
    return nil
  }
}
