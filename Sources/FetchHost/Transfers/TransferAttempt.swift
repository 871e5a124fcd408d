package import FetchModel
package import FetchValues

/// One attempt at a transfer: asks for what is missing, writes what comes, and puts the file under
/// its path once all of it is there.
///
/// What lies in the partial file is gone on from where the server says that its file is still the
/// same; else it is dropped and the whole is asked for, once. Cancelling the task breaks it off;
/// what has come by then is kept.
package struct TransferAttempt: Sendable {
  package struct Setup: Sendable {
    package var record: TransferRecord
    /// Opens the folder of the job; may wait for the disk.
    package var root: @Sendable () throws(FileFault) -> FileRoot
    /// Of its own, with the job's grant.
    package var session: HTTPSession
    /// For what waits for the disk.
    package var threads: FileThreads
    /// What a `file:` address may copy; see `Grant.readPaths`.
    package var readPaths: [String]
    /// The boot of the system that goes on now; see `TransferRecord.boot`.
    package var boot: String?
    package var now: @Sendable () -> Timestamp
    /// So many bytes have come. False lets the transfer pause. Called on the engine's thread.
    package var admit: @Sendable (Int) -> Bool
    /// How far the file is there for good: to be written down. Ends before the attempt does.
    package var keep: @Sendable (PartialDownload) async -> Void

    package init(
      record: TransferRecord, root: @escaping @Sendable () throws(FileFault) -> FileRoot,
      session: HTTPSession, threads: FileThreads, readPaths: [String] = [], boot: String?,
      now: @escaping @Sendable () -> Timestamp,
      admit: @escaping @Sendable (Int) -> Bool,
      keep: @escaping @Sendable (PartialDownload) async -> Void
    ) {
      self.record = record
      self.root = root
      self.session = session
      self.threads = threads
      self.readPaths = readPaths
      self.boot = boot
      self.now = now
      self.admit = admit
      self.keep = keep
    }
  }

  private let setup: Setup
  private var request: TransferRequest { setup.record.request }

  package init(_ setup: Setup) {
    var kept = setup
    kept.keep = { download in await setup.keep(setup.session.redactor.redacted(download)) }
    self.setup = kept
  }

  /// For one attempt, however much comes: then it is gone on from.
  package static let timeMax: Duration = .seconds(7 * 86_400)

  /// Of the values of secrets that it was sent with, nothing is in what it came to.
  @concurrent package func run() async -> TransferAttemptEnd {
    let end = await attempt()
    let redactor = setup.session.redactor
    switch end {
    case .finished(let download, let sha256):
      return .finished(redactor.redacted(download), sha256: sha256)
    case .failed(var failure):
      failure.failure = redactor.redacted(failure.failure)
      return .failed(failure)
    case .stopped: return .stopped
    }
  }

  private func attempt() async -> TransferAttemptEnd {
    let setup = setup
    do throws(FileFault) {
      if let placed = try await placed() { return placed }
      let file = try await setup.threads.attempt { () throws(FileFault) in
        try setup.root().partial(setup.record.id, for: setup.record.request.to)
      }
      // Who asks for it next must not wait for threads to let go of it.
      defer { file.leave() }
      let known = try await trusted(in: file)
      return await fill(file, from: known)
    } catch {
      return .failed(.init(error.transferFailure))
    }
  }

  /// The end of an earlier attempt that nobody was told of: its process was killed when the file was in
  /// its place.
  private func placed() async throws(FileFault) -> TransferAttemptEnd? {
    guard setup.record.attemptCount > 1 else { return nil }
    let setup = setup
    let size = try await setup.threads.attempt { () throws(FileFault) in
      try setup.root().placed(setup.record.id, at: setup.record.request.to)
    }
    guard let size else { return nil }
    var download = setup.record.download
    download.receivedBytes = size
    download.totalBytes = size
    return .finished(download, sha256: setup.record.request.sha256)
  }

  private func fill(
    _ file: PartialFile, from known: PartialDownload
  ) async -> TransferAttemptEnd {
    let (end, download, hasStartedOver): (TransferAttemptEnd?, PartialDownload, Bool)
    if let target = try? TargetURL(setup.record.request.url), target.scheme == .file {
      var copy = TransferCopy(setup: setup, target: target, file: file, known: known)
      end = await copy.run()
      (download, hasStartedOver) = (copy.download, copy.hasStartedOver)
    } else {
      var fetch = TransferFetch(setup: setup, file: file, known: known)
      end = await fetch.run()
      (download, hasStartedOver) = (fetch.download, fetch.hasStartedOver)
    }
    if let end {
      await TransferFetch.keep(download, file, setup)
      return end
    }
    let isPieced = known.receivedBytes > 0 && !hasStartedOver
    return await TransferFinish(
      setup: setup, file: file, download: download, isPieced: isPieced
    ).run()
  }

  /// What of the partial file can be gone on from; the rest is dropped.
  private func trusted(in file: PartialFile) async throws(FileFault) -> PartialDownload {
    var download = setup.record.download
    // After another boot, what was not made durable may be holes.
    let isSameBoot = setup.boot != nil && setup.boot == setup.record.boot
    download.receivedBytes = isSameBoot ? file.size : min(file.size, download.receivedBytes)
    let isTooLong = download.totalBytes.map { download.receivedBytes > $0 } ?? false
    if isTooLong || download.offset == 0 && !download.isComplete { download = PartialDownload() }
    let size = download.receivedBytes
    if size == file.size { return download }
    try await setup.threads.attempt { () throws(FileFault) in try file.truncate(to: size) }
    return download
  }
}

/// What one attempt at a transfer came to.
package enum TransferAttemptEnd: Equatable, Sendable {
  /// The file is in its place; its hash where one was asked for.
  case finished(PartialDownload, sha256: [UInt8]?)
  case failed(TransferEvent.AttemptFailure)
  /// Broken off: cancelled, or not admitted any more.
  case stopped
}
