package import FetchModel
import Glibc

/// The requests of one attempt at a transfer, until the file is complete or further requests are
/// useless.
struct TransferFetch {
  private let setup: TransferAttempt.Setup
  private let file: PartialFile
  private let startSize: Int64
  private(set) var download: PartialDownload
  /// Whether this attempt has dropped the partial contents, to request the whole file.
  private(set) var hasStartedOver = false
  private var hasChanged = false
  /// Whether the server ignored a range and sent the whole, unchanged file. The bytes received so
  /// far then do not shorten the next attempt.
  private var ignoresRanges = false

  /// The maximum number of requests in one attempt. If a server sends only a few bytes for each
  /// request, the next attempt requests the rest of the file.
  private static let requestsMax = 1_000

  init(setup: TransferAttempt.Setup, file: PartialFile, known: PartialDownload) {
    self.setup = setup
    self.file = file
    download = known
    startSize = known.receivedBytes
  }

  private var url: String { setup.record.request.url }

  /// Requests the missing part. Returns nil when the file is complete, otherwise the result that
  /// ends the attempt.
  mutating func run() async -> TransferAttemptEnd? {
    for _ in 0..<Self.requestsMax where !download.isComplete {
      let before = download
      switch await ask() {
      case .complete: return nil
      case .ended(let end): return end
      case .more where download == before: break
      case .more: continue
      }
      break
    }
    return download.isComplete ? nil : failed(notAll)
  }

  private var notAll: Failure {
    Failure(.invalidResponse, "the server did not send the whole file \(url)", retryable: true)
  }

  private enum Step {
    case complete
    /// A part of the file is still missing.
    case more
    case ended(TransferAttemptEnd)
  }

  private mutating func ask() async -> Step {
    let keeper = TransferKeeper(file, setup)
    let sink = TransferSink(
      download, size: setup.record.request.size, file: file,
      watch: TransferWatch(admit: setup.admit) { keeper.keep($0) }, now: setup.now())
    let result = await setup.session.send(request, into: sink)
    await keeper.finish()
    let finding = sink.finish()
    let asked = download
    download = finding.download
    if let stop = finding.stop { return await stopped(stop) }
    switch result {
    case .failure(let failure): return .ended(Task.isCancelled ? .stopped : failed(failure))
    case .success(let answer):
      guard let decision = finding.decision else {
        return .ended(failed(Failure(.redirect, "the redirect from \(answer.url) has no address")))
      }
      ignoresRanges = ignoresRanges || finding.ignoresRanges
      return await taken(decision, asked)
    }
  }

  private var request: HTTPRequest {
    var request = HTTPRequest(url: url)
    request.headers = setup.record.request.headers + ResumeRule.headers(download)
    request.sealed = setup.record.request.sealed
    request.conditional = false
    request.timeout = TransferAttempt.timeMax
    return request
  }

  private mutating func stopped(_ stop: TransferSink.Stop) async -> Step {
    switch stop {
    case .fault(let fault): .ended(failed(fault.transferFailure))
    case .excess: await startOver(.contradiction)
    case .notAdmitted: .ended(.stopped)
    }
  }

  private mutating func taken(
    _ decision: ResumeRule.Decision, _ asked: PartialDownload
  ) async -> Step {
    switch decision {
    case .append: return download.isComplete ? .complete : .more
    case .replace where asked.offset > 0:
      return await startOver(ignoresRanges ? .contradiction : .changed)
    case .replace:
      // If the server sent no length, the end of the answer is the end of the file.
      let total = download.totalBytes ?? download.receivedBytes
      download.totalBytes = total
      return total == download.receivedBytes ? .complete : .ended(failed(notAll))
    case .complete: return .complete
    case .askForWhole(let misfit): return await startOver(misfit)
    case .fail(let failure): return .ended(failed(failure))
    }
  }

  /// Drops the partial contents and stores the empty state, so that the whole file is requested.
  /// Fails if this attempt has already started over.
  private mutating func startOver(_ misfit: ResumeRule.Misfit) async -> Step {
    hasChanged = hasChanged || misfit == .changed
    if hasStartedOver { return .ended(failed(notTheSame)) }
    hasStartedOver = true
    download = PartialDownload()
    await setup.keep(download)
    let file = file
    do throws(FileFault) {
      try await setup.threads.attempt { () throws(FileFault) in try file.truncate() }
      return .more
    } catch {
      return .ended(failed(error.transferFailure))
    }
  }

  private var notTheSame: Failure {
    Failure(
      .invalidResponse, "the server's answers for \(url) are inconsistent",
      retryable: true)
  }

  private func failed(_ failure: Failure) -> TransferAttemptEnd {
    var attempt = TransferEvent.AttemptFailure(failure)
    let canGoOn = download.validators.ifRange != nil && !ignoresRanges
    attempt.gainedBytes = canGoOn ? max(0, download.receivedBytes - startSize) : 0
    attempt.hasChanged = hasChanged
    attempt.notBefore = setup.session.retryAfters.map(\.until).max()
    return .failed(attempt)
  }

  // MARK: Keeping

  /// Makes the partial file durable and then stores its state. If the file cannot be made durable,
  /// the state is not stored.
  static func keep(
    _ download: PartialDownload, _ file: PartialFile, _ setup: TransferAttempt.Setup
  ) async {
    do throws(FileFault) {
      try await setup.threads.attempt { () throws(FileFault) in try file.sync() }
      await setup.keep(download)
    } catch {}
  }
}

/// A granted file that a transfer copies.
package enum TransferSource {
  /// Returns the reason why the file at the address may not be copied; nil if the file may be
  /// copied. The file need not exist.
  package static func refusal(of target: TargetURL, _ grant: Grant) -> Failure? {
    do throws(Failure) {
      _ = try GrantedFile.place(of: target, grant.readPaths)
      return nil
    } catch {
      return error
    }
  }

  static func open(_ target: TargetURL, _ readPaths: [String]) throws(Failure) -> RegularFile {
    let place = try GrantedFile.place(of: target, readPaths)
    do throws(FileFault) { return try ReadGrant.file(place.start, place.rest) } catch {
      throw Failure(.fileAccess, "\(error)", retryable: error.isPassing)
    }
  }

  /// Returns validators that distinguish one state of the file from another.
  static func validators(of facts: FileFacts) -> RangeValidators {
    let time = "\(facts.modifiedSeconds).\(facts.modifiedNanoseconds)"
    return RangeValidators(
      etag: "\"\(time)-\(facts.size)-\(facts.node)\"",
      lastModified: HTTPDate.text(facts.modified))
  }
}
