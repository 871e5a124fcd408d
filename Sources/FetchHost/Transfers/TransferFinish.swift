import FetchModel

/// The last step of an attempt, in which the complete partial file is checked and placed.
struct TransferFinish {
  let setup: TransferAttempt.Setup
  let file: PartialFile
  let download: PartialDownload
  /// Whether the file consists of parts that different attempts received.
  let isPieced: Bool

  private var request: TransferRequest { setup.record.request }

  func run() async -> TransferAttemptEnd {
    let size = file.size
    if let wanted = request.size, wanted != size {
      return .failed(.init(.wrongSize(of: request.url, size, wanted: wanted)))
    }
    do throws(FileFault) {
      if let wanted = request.sha256 {
        let found = try await hash()
        if found != wanted { return await wrong(found, wanted: wanted) }
      }
      try await place()
    } catch {
      await TransferFetch.keep(download, file, setup)
      return Task.isCancelled ? .stopped : .failed(.init(error.transferFailure))
    }
    var finished = download
    finished.receivedBytes = size
    finished.totalBytes = size
    return .finished(finished, sha256: request.sha256)
  }

  private func hash() async throws(FileFault) -> [UInt8] {
    let file = file
    return try await setup.threads.attempt { isCancelled throws(FileFault) in
      try file.sha256(isCancelled: isCancelled)
    }
  }

  /// Returns the failure for a wrong hash. Parts that different attempts received may belong to
  /// different versions, so the next attempt requests the whole file. A file that was received in
  /// one attempt is not requested again.
  private func wrong(_ hash: [UInt8], wanted: [UInt8]) async -> TransferAttemptEnd {
    var failure = TransferEvent.AttemptFailure(
      .wrongHash(of: request.url, hash, wanted: wanted))
    guard isPieced else { return .failed(failure) }
    await setup.keep(PartialDownload())
    let file = file
    // A failure here has no effect, because the next attempt drops all bytes if the stored state is
    // empty.
    try? await setup.threads.attempt { () throws(FileFault) in try file.truncate() }
    failure.failure.retryable = true
    failure.hasChanged = true
    return .failed(failure)
  }

  private func place() async throws(FileFault) {
    let (file, placement) = (file, try placement())
    if file.size >= TransferRequest.repeatedBytesMax {
      try await setup.threads.attempt { () throws(FileFault) in try file.place(placement) }
    } else {
      setup.arrived()
      try await file.place(placement, on: setup.threads)
    }
  }

  private func placement() throws(FileFault) -> Placement {
    var placement = Placement(
      modified: request.modified, leavesProof: request.leavesProof(size: file.size))
    guard let backup = request.backup else { return placement }
    do throws(FilePathProblem) { placement.backup = try backup.appending(request.to) } catch {
      throw FileFault(.move, request.to.text, .entry(path: backup.text, problem: "\(error)"))
    }
    return placement
  }
}
