package import FetchModel
package import FetchValues

/// One attempt at a transfer. The attempt requests or copies the missing part of the file, and then
/// places the complete file at its path.
///
/// The attempt resumes the partial file if the source is unchanged. Otherwise it drops the partial
/// file and begins with the whole file, once. Cancelling the task stops the attempt and keeps the
/// received bytes.
package struct TransferAttempt: Sendable {
  package struct Setup: Sendable {
    package var record: TransferRecord
    /// The function that opens the folder of the job. It may wait for the disk.
    package var root: @Sendable () throws(FileFault) -> FileRoot
    /// The session for this transfer alone, with the job's grant.
    package var session: HTTPSession
    /// The threads for work that waits for the disk.
    package var threads: FileThreads
    /// The paths from which a transfer with a `file:` address may copy; see `Grant.readPaths`.
    package var readPaths: [String]
    /// The id of the system's current boot; see `TransferRecord.boot`.
    package var boot: String?
    package var now: @Sendable () -> Timestamp
    /// The function that receives the number of bytes that have arrived since its previous call. It
    /// returns false to pause the transfer. A copy of a local file, and a download that cannot be
    /// resumed, ignore the result. The function must not block, because a download calls it on the
    /// engine's thread.
    package var admit: @Sendable (Int) -> Bool
    /// The function that stores which part of the file is durable. Every call ends before the
    /// attempt ends.
    package var keep: @Sendable (PartialDownload) async -> Void
    /// The function that is called when all bytes of a file smaller than
    /// `TransferRequest.repeatedBytesMax` have arrived, before the file is placed.
    package var arrived: @Sendable () -> Void

    package init(
      record: TransferRecord, root: @escaping @Sendable () throws(FileFault) -> FileRoot,
      session: HTTPSession, threads: FileThreads, readPaths: [String] = [], boot: String?,
      now: @escaping @Sendable () -> Timestamp,
      admit: @escaping @Sendable (Int) -> Bool,
      keep: @escaping @Sendable (PartialDownload) async -> Void,
      arrived: @escaping @Sendable () -> Void = {}
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
      self.arrived = arrived
    }
  }

  private let setup: Setup
  private var request: TransferRequest { setup.record.request }

  package init(_ setup: Setup) {
    var kept = setup
    kept.keep = { download in await setup.keep(setup.session.redactor.redacted(download)) }
    self.setup = kept
  }

  /// The time limit of one attempt at a download, even if bytes still arrive. A later attempt
  /// resumes the download.
  package static let timeMax: Duration = .seconds(7 * 86_400)

  /// Runs the attempt. The result contains no value of a secret that the attempt sent.
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
      // Releases the file here. The next attempt must not wait until other threads release their
      // references to the file.
      defer { file.leave() }
      let known = try await trusted(in: file)
      return await fill(file, from: known)
    } catch {
      return .failed(.init(error.transferFailure))
    }
  }

  /// Returns the result of an earlier attempt that placed the file but did not report its result.
  /// Returns nil if there is no proof of such an attempt; see `FileRoot.placed`.
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
    let url = setup.record.request.url
    if let server = try? TargetURL.server(of: url), server.scheme == .file,
      let target = try? TargetURL(url)
    {
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

  /// Returns the state of the bytes that the attempt can use. Removes all other bytes from the
  /// partial file.
  private func trusted(in file: PartialFile) async throws(FileFault) -> PartialDownload {
    var download = setup.record.download
    // After a reboot, bytes that were not made durable may be missing.
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

/// The result of one attempt at a transfer.
package enum TransferAttemptEnd: Equatable, Sendable {
  /// The file was placed at its path. The hash is set if the request has a hash.
  case finished(PartialDownload, sha256: [UInt8]?)
  case failed(TransferEvent.AttemptFailure)
  /// The attempt was cancelled, or the transfer's owner has paused it.
  case stopped
}

extension Failure {
  static func wrongSize(of url: String, _ size: Int64, wanted: Int64) -> Failure {
    Failure(
      .invalidResponse,
      "the file from \(url) has \(size) bytes instead of the requested \(wanted)")
  }

  static func wrongHash(of url: String, _ hash: [UInt8], wanted: [UInt8]) -> Failure {
    Failure(
      .invalidResponse,
      "the file from \(url) has the SHA-256 \(Hexadecimal.text(of: hash)) instead of the requested "
        + "\(Hexadecimal.text(of: wanted))")
  }
}

/// The receivers of a transfer's progress. Neither function may block, because the engine's thread
/// calls both.
struct TransferWatch: Sendable {
  /// The function that receives the number of bytes that have arrived since its previous call. It
  /// returns false to pause the transfer. A download that cannot be resumed ignores the result.
  var admit: @Sendable (Int) -> Bool
  /// The function that receives the state of the partial file. The state must not be stored before
  /// the file is durable.
  var keep: @Sendable (PartialDownload) -> Void
}

extension Redactor {
  /// Returns the download without the validators that contain a secret. Without any validator, the
  /// next request is for the whole file.
  func redacted(_ download: PartialDownload) -> PartialDownload {
    if isEmpty { return download }
    var download = download
    download.validators.etag = kept(download.validators.etag)
    download.validators.lastModified = kept(download.validators.lastModified)
    return download
  }

  private func kept(_ text: String?) -> String? {
    text.flatMap { finds(inValidator: $0) ? nil : $0 }
  }

  /// Whether a validator contains a secret value, as text or as bytes.
  func finds(inValidator text: String) -> Bool {
    if ExactText(redacted(text)) != ExactText(text) { return true }
    guard let bytes = HTTPField.bytes(ofValidator: text) else { return false }
    return redacted(bytes) != bytes
  }
}
