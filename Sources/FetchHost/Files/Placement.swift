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
///
/// The first file is placed immediately. Files that follow within `gatheringTime` are placed as a
/// group, because a group shares the syncs and a commit of the store, and wakes each thread once.
struct PlacementQueue: Sendable {
  struct Request: Sendable {
    var file: PartialFile
    var placement: Placement
    /// The function that receives the fault; nil after the file was placed.
    var completion: @Sendable (FileFault?) -> Void
  }

  /// The step after a group was placed: the next group now, the next group after `gatheringTime`, or
  /// none.
  enum Step { case placeNext, gather, leave }

  private var requests: [Request] = []
  /// The number of groups that are being placed or gathered.
  private var groupCount = 0

  /// The maximum time for which a file waits for others.
  static let gatheringTime: Duration = .milliseconds(10)
  /// The number of waiting files that need not wait for others, and for which a further thread is
  /// worth its start. A slow disk makes several files durable in about the time of one.
  static let groupMin = 32
  /// The maximum number of groups at the same time.
  static let groupsMax = 4

  /// Adds a file. Returns whether a thread must place the waiting files now.
  mutating func add(_ request: Request) -> Bool {
    requests.append(request)
    let isGroup = requests.count.isMultiple(of: Self.groupMin)
    guard groupCount == 0 || isGroup && groupCount < Self.groupsMax else { return false }
    groupCount += 1
    return true
  }

  /// Returns the next step of a thread that has placed a group.
  mutating func next() -> Step {
    if requests.count >= Self.groupMin { return .placeNext }
    if groupCount == 1 { return .gather }
    groupCount -= 1
    return .leave
  }

  /// Returns the waiting files; none if no file has come, which ends the group.
  mutating func takeAll() -> [Request] {
    if requests.isEmpty { groupCount -= 1 }
    defer { requests = [] }
    return requests
  }
}

extension FileRoot {
  /// Places a complete partial file on one of the threads, together with other files that arrive at
  /// about the same time.
  func place(
    _ file: PartialFile, _ placement: Placement, on threads: FileThreads
  ) async throws(FileFault) {
    let fault = await withCheckedContinuation { caller in
      let request = PlacementQueue.Request(file: file, placement: placement) {
        caller.resume(returning: $0)
      }
      let mustStart = waiting.withLock { $0.add(request) }
      if mustStart { threads.start { self.placeWaiting(on: threads) } }
    }
    if let fault { throw fault }
  }

  /// Places one group of waiting files. The next group waits behind the other work of the threads.
  private func placeWaiting(on threads: FileThreads) {
    guard let placed = placeNext() else { return }
    for (completion, fault) in placed { completion(fault) }
    switch waiting.withLock({ $0.next() }) {
    case .placeNext: threads.start { self.placeWaiting(on: threads) }
    case .gather:
      Task(executorPreference: HostExecutor.shared) {
        try? await HostClock().sleep(for: PlacementQueue.gatheringTime)
        threads.start { self.placeWaiting(on: threads) }
      }
    case .leave: break
    }
  }

  /// Places the waiting files. Returns the completion and the fault of each file; nil if no file
  /// waits. When this function returns, it holds no file open.
  private func placeNext() -> [(@Sendable (FileFault?) -> Void, FileFault?)]? {
    let requests = waiting.withLock { $0.takeAll() }
    if requests.isEmpty { return nil }
    let faults = place(requests.map { ($0.file, $0.placement) })
    return Array(zip(requests.map(\.completion), faults))
  }

  /// Makes the files durable, creates missing folders and moves the files to their paths. Returns
  /// the fault of each file; nil for a file whose move is durable.
  func place(_ files: [(PartialFile, Placement)]) -> [FileFault?] {
    var faults = files.map { file, placement in
      fault { () throws(FileFault) in
        if let modified = placement.modified { try file.setModified(modified) }
      }
    }
    let dated = files.indices.filter { faults[$0] == nil }
    for (index, fault) in zip(dated, PartialFile.sync(dated.map { files[$0].0 })) {
      faults[index] = fault
    }
    let durable = dated.filter { faults[$0] == nil }
    let folders = Dictionary(grouping: durable) { files[$0].0.path.folder }
    for (folder, indices) in folders {
      let found = move(indices.map { files[$0] }, to: folder)
      for (index, fault) in zip(indices, found) { faults[index] = fault }
    }
    return faults
  }

  /// Moves durable files that all belong in the folder at `path`.
  private func move(
    _ files: [(PartialFile, Placement)], to path: FilePath
  ) -> [FileFault?] {
    var faults = [FileFault?](repeating: nil, count: files.count)
    // A file with a fault of its own keeps this fault.
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
