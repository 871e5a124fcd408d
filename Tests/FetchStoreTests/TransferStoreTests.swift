import FetchModel
import FetchStore
import FetchStoreSQLite
import FetchTestSupport
import FetchValues
import Foundation
import Testing

/// Tests of transfers in the store. A transfer is queued together with the run that requested it,
/// and each path has at most one pending transfer.
@Suite struct TransferStoreTests {
  let folder: TemporaryFolder
  let store: SQLiteStore

  init() async throws {
    folder = try TemporaryFolder()
    store = try await SQLiteStore.open(at: folder.file("store.sqlite"))
  }

  private func reader() throws -> StoreReader { try StoreReader(at: store.path) }

  private func request(_ to: String = "film.mkv", url: String = "https://a.test/film.mkv") throws
    -> TransferRequest
  {
    TransferRequest(url: url, to: try FilePath(to))
  }

  /// Stores a run that requests these transfers. Returns the transfers' ids.
  @discardableResult
  private func queue(
    _ number: Int, _ requests: [TransferRequest], job: JobName = "films",
    outcome: Outcome = .noData(.empty)
  ) async throws -> [Int64] {
    _ = try await store.openJob(job, run: Runs.id(number))
    var commit = RunCommit(record: Runs.record(number, job: job, outcome: outcome))
    for request in requests {
      commit.transfers.append(
        QueuedTransfer(id: try await store.newTransferID(), request: request))
    }
    _ = try await store.commit(commit)
    return commit.transfers.map(\.id)
  }

  @Test func `a complete request is read back`() async throws {
    var request = try request("a/ö.mkv")
    request.sha256 = [UInt8](0..<32)
    request.size = 1 << 40
    request.modified = Runs.start
    request.headers = [HTTPField("Authorization", "Bearer ä"), HTTPField("X-Empty", "")]
    request.backup = try FilePath("old")
    let token = SecretText([.text("Token "), .secret(name: "token", spelling: .plain)])
    var sealed = SealedRequest()
    sealed.url = SecretText([
      .text("https://a.test/film.mkv?key="), .secret(name: "key", spelling: .url),
    ])
    sealed.headers = [.init(name: "X-Key", value: token)]
    (sealed.user, sealed.password, sealed.bearer) = (SecretText([.text("ada")]), token, token)
    sealed.aws = SealedRequest.AWS(
      keyID: SecretText([.text("AKID")]), secretKey: token, region: "eu-central-1", service: "s3")
    sealed.aws?.sessionToken = token
    request.sealed = sealed
    let ids = try await queue(1, [request])
    let record = try #require(try reader().transfer(ids[0]))
    #expect(record.request == request)
    #expect(record.job == "films")
    #expect(record.state == .queued)
    #expect(record.createdAt == Runs.start)
    #expect(record.download.totalBytes == 1 << 40)
    #expect(try reader().openTransfers() == [record])
  }

  @Test func `a transfer's state is read back`() async throws {
    let id = try await queue(1, [try request()])[0]
    var record = try #require(try reader().transfer(id))
    record.state = .waiting
    record.download.receivedBytes = 5_000_000_000
    record.download.totalBytes = nil
    record.download.validators = RangeValidators(
      etag: "\"v\"", lastModified: "Sun, 06 Nov 1994 08:49:37 GMT", hasStrongDate: true)
    record.boot = "boot"
    record.attemptCount = 3
    record.failureCount = 2
    record.failingSince = Runs.start + .seconds(1)
    record.changeCount = 1
    record.nextAttemptAt = Runs.start + .milliseconds(12_345)
    record.failure = Failure(.connection, "the line was cut", retryable: true)
    record.updatedAt = Runs.start + .seconds(9)
    #expect(try await store.update(record))
    #expect(try reader().transfer(id) == record)
    record.state = .done
    record.sha256 = [1, 2, 3]
    record.isTold = true
    record.failure = nil
    record.nextAttemptAt = nil
    #expect(try await store.update(record))
    #expect(try reader().transfer(id) == record)
    #expect(try reader().openTransfers().isEmpty)
  }

  @Test func `another request for a path replaces the pending transfer`() async throws {
    let first = try await queue(1, [try request(), try request("other")])
    let second = try await queue(2, [try request(url: "https://a.test/new.mkv")])
    #expect(try reader().openTransfers().map(\.id) == [first[1], second[0]])
    #expect(try reader().transfer(first[0]) == nil)
    let paths = try ["film.mkv", "other", "nothing"].map { try FilePath($0) }
    let pending = try await store.pendingTransfers(of: "films", to: paths)
    #expect(pending.mapValues(\.id) == [paths[0]: second[0], paths[1]: first[1]])
    #expect(try await store.pendingTransfer(of: "films", to: paths[1])?.id == first[1])
    // The replaced transfer cannot be stored again.
    var old = TransferRecord(
      id: first[0], job: "films", request: try request(), createdAt: Runs.start)
    old.state = .running
    #expect(try await store.update(old) == false)
  }

  @Test func `an ended transfer is kept beside a new one for the same path`() async throws {
    let first = try await queue(1, [try request()])[0]
    var record = try #require(try reader().transfer(first))
    record.state = .done
    _ = try await store.update(record)
    #expect(try await store.pendingTransfer(of: "films", to: try FilePath("film.mkv")) == nil)
    let second = try await queue(2, [try request()])[0]
    #expect(try reader().transfers().map(\.id) == [second, first])
  }

  @Test func `different jobs may use the same path`() async throws {
    let ids =
      try await queue(1, [try request()]) + queue(2, [try request()], job: "more")
    #expect(try reader().transfers().map(\.id) == ids)
    #expect(try reader().transfers(job: "more").map(\.id) == [ids[1]])
    #expect(try await store.pendingTransfer(of: "nobody", to: try FilePath("film.mkv")) == nil)
  }

  @Test func `ended transfers are listed last, the newest first, up to a limit`() async throws {
    let ids = try await queue(1, try (1...4).map { try request("f\($0)") })
    for (offset, id) in ids.dropFirst().enumerated() {
      var record = try #require(try reader().transfer(id))
      record.state = offset == 1 ? .failed : .done
      record.failure = offset == 1 ? Failure(.httpStatus, "gone") : nil
      record.updatedAt = Runs.start + .seconds(Int64(offset))
      _ = try await store.update(record)
    }
    #expect(try reader().transfers().map(\.id) == [ids[0], ids[3], ids[2], ids[1]])
    #expect(try reader().transfers(endedLimit: 1).map(\.id) == [ids[0], ids[3]])
  }

  @Test func `a run that notifies the plugin of a transfer marks the transfer`() async throws {
    let id = try await queue(1, [try request()])[0]
    var record = try #require(try reader().transfer(id))
    record.state = .done
    _ = try await store.update(record)
    #expect(try reader().openTransfers().map(\.id) == [id])
    _ = try await store.openJob("films", run: Runs.id(2))
    var commit = RunCommit(record: Runs.record(2, job: "films"))
    commit.toldTransfer = id
    _ = try await store.commit(commit)
    #expect(try reader().openTransfers().isEmpty)
    #expect(try reader().transfer(id)?.state == .done)
  }

  @Test func `ids are never assigned twice, even after a restart`() async throws {
    let ids = try await queue(1, [try request("a"), try request("b")])
    #expect(ids == [1, 2])
    #expect(try await store.reset(job: "films"))
    #expect(try reader().transfers().isEmpty)
    try await store.close()
    let again = try await SQLiteStore.open(at: store.path)
    #expect(try await again.newTransferID() == 3)
    #expect(try await again.newTransferID() == 4)
  }

  @Test func `an attempt that a crash interrupted is queued again`() async throws {
    let ids = try await queue(1, [try request("a"), try request("b"), try request("c")])
    for (id, state) in zip(ids, [TransferState.running, .waiting, .done]) {
      var record = try #require(try reader().transfer(id))
      record.state = state
      _ = try await store.update(record)
    }
    try await store.close()
    let again = try await SQLiteStore.open(at: store.path)
    #expect(try again.reader.openTransfers().map(\.state) == [.queued, .waiting, .done])
  }

  @Test func `retention removes ended transfers that were reported`() async throws {
    let ids = try await queue(1, [try request("a"), try request("b"), try request("c")])
    for id in ids.dropFirst() {
      var record = try #require(try reader().transfer(id))
      record.state = .done
      record.isTold = id == ids[2]
      _ = try await store.update(record)
    }
    _ = try await store.prune(Retention(), now: Runs.start + .seconds(91 * 86_400))
    #expect(try reader().transfers().map(\.id) == [ids[0], ids[1]])
  }
}
