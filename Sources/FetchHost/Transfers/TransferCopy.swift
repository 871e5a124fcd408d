import FetchModel

/// A transfer that copies a granted file. The kernel copies the bytes where it can. A later attempt
/// resumes the copy if the source is unchanged.
struct TransferCopy {
  private let setup: TransferAttempt.Setup
  private let target: TargetURL
  private let file: PartialFile
  private(set) var download: PartialDownload
  private(set) var hasStartedOver = false
  private let startSize: Int64

  /// The maximum number of bytes that one call to the kernel copies. A copy can be stopped between
  /// calls.
  private static let chunkBytes = 8 << 20
  private static let keptBytes: Int64 = 256 << 20

  init(
    setup: TransferAttempt.Setup, target: TargetURL, file: PartialFile, known: PartialDownload
  ) {
    self.setup = setup
    self.target = target
    self.file = file
    download = known
    startSize = known.receivedBytes
  }

  /// Copies the missing bytes. Returns nil when the file is complete, otherwise the result that
  /// ends the attempt.
  mutating func run() async -> TransferAttemptEnd? {
    let (setup, file, target) = (setup, file, target)
    let found = await setup.threads.run { _ in
      Result { () throws(Failure) in
        let facts = try TransferSource.open(target, setup.readPaths).facts
        var download = PartialDownload()
        download.totalBytes = facts.size
        download.validators = TransferSource.validators(of: facts)
        return download
      }
    }
    switch found {
    case .failure(let failure): return .failed(.init(failure))
    case .success(let source):
      if let wanted = setup.record.request.size, let size = source.totalBytes, wanted != size {
        return .failed(.init(.wrongSize(of: target.text, size, wanted: wanted)))
      }
      if let end = await begin(source) { return end }
    }
    if download.totalBytes == download.receivedBytes { return nil }
    return await copy(file)
  }

  /// Drops the bytes of the partial file if the source has changed since they were copied. Stores
  /// the new, empty state before any byte is appended. The exception is an empty partial file of a
  /// source smaller than `repeatedBytesMax`.
  private mutating func begin(_ source: PartialDownload) async -> TransferAttemptEnd? {
    if download.validators == source.validators { return nil }
    hasStartedOver = download.receivedBytes > 0
    download = source
    let size = source.totalBytes ?? .max
    if file.size > 0 || size >= TransferRequest.repeatedBytesMax { await setup.keep(source) }
    let file = file
    do throws(FileFault) {
      try await setup.threads.attempt { () throws(FileFault) in try file.truncate() }
      return nil
    } catch {
      return .failed(.init(error.transferFailure))
    }
  }

  private mutating func copy(_ file: PartialFile) async -> TransferAttemptEnd? {
    let (setup, target, begun) = (setup, target, download)
    let keeper = TransferKeeper(file, setup)
    let result = await setup.threads.run { isCancelled in
      Result { () throws(Failure) in
        try Self.copy(target, into: file, begun, setup, keeper, isCancelled)
      }
    }
    await keeper.finish()
    download.receivedBytes = file.size
    switch result {
    case .success(true): return nil
    case .success(false): return .stopped
    case .failure(let failure):
      var attempt = TransferEvent.AttemptFailure(failure)
      attempt.gainedBytes = max(0, file.size - startSize)
      attempt.hasChanged = failure == Self.changed(target)
      return .failed(attempt)
    }
  }

  /// Copies the missing bytes; returns false if the copy was stopped.
  private static func copy(
    _ target: TargetURL, into file: PartialFile, _ begun: PartialDownload,
    _ setup: TransferAttempt.Setup, _ keeper: TransferKeeper, _ isCancelled: () -> Bool
  ) throws(Failure) -> Bool {
    let source = try TransferSource.open(target, setup.readPaths)
    var download = begun
    var keptSize = begun.receivedBytes
    do throws(FileFault) {
      while let total = begun.totalBytes, file.size < total {
        if isCancelled() { return false }
        let wanted = min(Int64(chunkBytes), total - file.size)
        let count = try source.copy(to: file, countMax: Int(wanted))
        if count == 0 { throw FileFault(.read, target.text, .cancelled) }
        _ = setup.admit(count)
        download.receivedBytes = file.size
        if file.size - keptSize >= keptBytes {
          keptSize = file.size
          keeper.keep(download)
        }
      }
    } catch {
      // Here, `cancelled` means that the source has become shorter than it was at the start.
      if error.reason == .cancelled { throw changed(target) }
      throw error.transferFailure
    }
    let now = try TransferSource.open(target, setup.readPaths).facts
    guard TransferSource.validators(of: now) == begun.validators else { throw changed(target) }
    return true
  }

  private static func changed(_ target: TargetURL) -> Failure {
    Failure(
      .invalidResponse, "\(target.text) changed while it was being copied", retryable: true)
  }
}
