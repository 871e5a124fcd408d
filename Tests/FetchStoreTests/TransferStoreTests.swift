import FetchModel
import FetchStore
import FetchTestSupport
import FetchValues
import Testing

/// Tests of transfers in the store. A transfer is queued together with the run that requested it,
/// and each path of a job has at most one pending transfer.
@Suite struct TransferStoreTests {
  private func request(_ to: String = "film.mkv", url: String = "https://a.test/film.mkv") throws
    -> TransferRequest
  {
    TransferRequest(url: url, to: try FilePath(to))
  }

  /// Stores a run that requests these transfers. Returns the transfers' ids.
  @discardableResult
  private func queue(
    _ store: any Store, _ number: Int, _ requests: [TransferRequest], job: JobName = "films",
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

  @Test(arguments: StoreKind.allCases)
  func `a complete request is read back`(kind: StoreKind) async throws {
    let bench = try await StoreBench(kind)
    let store = bench.store
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
    let ids = try await queue(store, 1, [request])
    let record = try #require(try await store.transfer(ids[0]))
    #expect(record.request == request)
    #expect(record.job == "films")
    #expect(record.state == .queued)
    #expect(record.createdAt == Runs.start)
    #expect(record.download.totalBytes == 1 << 40)
    #expect(try await store.openTransfers(after: 0, limit: nil) == [record])
  }

  @Test(arguments: StoreKind.allCases)
  func `a transfer's state is read back`(kind: StoreKind) async throws {
    let bench = try await StoreBench(kind)
    let store = bench.store
    let id = try await queue(store, 1, [try request()])[0]
    var record = try #require(try await store.transfer(id))
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
    #expect(try await store.transfer(id) == record)
    record.state = .done
    record.sha256 = [1, 2, 3]
    record.isTold = true
    record.failure = nil
    record.nextAttemptAt = nil
    #expect(try await store.update(record))
    #expect(try await store.transfer(id) == record)
    #expect(try await store.openTransfers(after: 0, limit: nil).isEmpty)
  }

  @Test(arguments: StoreKind.allCases)
  func `another request for a path replaces the pending transfer`(kind: StoreKind) async throws {
    let bench = try await StoreBench(kind)
    let store = bench.store
    let first = try await queue(store, 1, [try request(), try request("other")])
    let second = try await queue(store, 2, [try request(url: "https://a.test/new.mkv")])
    #expect(try await store.openTransferIDs() == [first[1], second[0]])
    #expect(try await store.transfer(first[0]) == nil)
    let paths = try ["film.mkv", "other", "nothing"].map { try FilePath($0) }
    let pending = try await store.pendingTransfers(of: "films", to: paths)
    #expect(pending.mapValues(\.id) == [paths[0]: second[0], paths[1]: first[1]])
    #expect(try await store.pendingTransfer(of: "films", to: paths[1])?.id == first[1])
    // The replaced transfer cannot be stored again.
    var old = TransferRecord(
      id: first[0], job: "films", request: try request(), createdAt: Runs.start)
    old.state = .running
    #expect(try await store.update(old) == false)
    var done = try #require(try await store.transfer(second[0]))
    done.state = .done
    done.isTold = true
    #expect(try await store.update(done))
    #expect(try await store.openTransferIDs() == [first[1]])
    #expect(try await store.hasOpenTransfers(of: "films"))
    #expect(try await !store.hasOpenTransfers(of: "news"))
  }

  @Test(arguments: StoreKind.allCases)
  func `an ended transfer is kept beside a new one for the same path`(kind: StoreKind) async throws
  {
    let bench = try await StoreBench(kind)
    let store = bench.store
    let first = try await queue(store, 1, [try request()])[0]
    var record = try #require(try await store.transfer(first))
    record.state = .done
    _ = try await store.update(record)
    #expect(try await store.pendingTransfer(of: "films", to: try FilePath("film.mkv")) == nil)
    let second = try await queue(store, 2, [try request()])[0]
    #expect(try await store.transfers(job: nil, endedLimit: nil).map(\.id) == [second, first])
  }

  @Test(arguments: StoreKind.allCases)
  func `different jobs may use the same path`(kind: StoreKind) async throws {
    let bench = try await StoreBench(kind)
    let store = bench.store
    let ids =
      try await queue(store, 1, [try request()]) + queue(store, 2, [try request()], job: "more")
    #expect(try await store.transfers(job: nil, endedLimit: nil).map(\.id) == ids)
    #expect(try await store.transfers(job: "more", endedLimit: nil).map(\.id) == [ids[1]])
    #expect(try await store.pendingTransfer(of: "nobody", to: try FilePath("film.mkv")) == nil)
  }

  @Test(arguments: StoreKind.allCases)
  func `ended transfers are listed last, the newest first, up to a limit`(kind: StoreKind)
    async throws
  {
    let bench = try await StoreBench(kind)
    let store = bench.store
    let ids = try await queue(store, 1, try (1...4).map { try request("f\($0)") })
    for (offset, id) in ids.dropFirst().enumerated() {
      var record = try #require(try await store.transfer(id))
      record.state = offset == 1 ? .failed : .done
      record.failure = offset == 1 ? Failure(.httpStatus, "gone") : nil
      record.updatedAt = Runs.start + .seconds(Int64(offset))
      _ = try await store.update(record)
    }
    let all = try await store.transfers(job: nil, endedLimit: nil)
    #expect(all.map(\.id) == [ids[0], ids[3], ids[2], ids[1]])
    #expect(try await store.transfers(job: nil, endedLimit: 1).map(\.id) == [ids[0], ids[3]])
  }

  @Test(arguments: StoreKind.allCases)
  func `a run that notifies the plugin of a transfer marks the transfer`(kind: StoreKind)
    async throws
  {
    let bench = try await StoreBench(kind)
    let store = bench.store
    let id = try await queue(store, 1, [try request()])[0]
    var record = try #require(try await store.transfer(id))
    record.state = .done
    _ = try await store.update(record)
    #expect(try await store.openTransfers(after: 0, limit: nil).map(\.id) == [id])
    _ = try await store.openJob("films", run: Runs.id(2))
    var commit = RunCommit(record: Runs.record(2, job: "films"))
    commit.toldTransfer = id
    _ = try await store.commit(commit)
    #expect(try await store.openTransfers(after: 0, limit: nil).isEmpty)
    #expect(try await store.transfer(id)?.state == .done)
  }

  @Test(arguments: StoreKind.allCases)
  func `ids are never assigned twice, even after a restart`(kind: StoreKind) async throws {
    let bench = try await StoreBench(kind)
    let store = bench.store
    let ids = try await queue(store, 1, [try request("a"), try request("b")])
    #expect(ids == [1, 2])
    #expect(try await store.reset(job: "films"))
    #expect(try await store.transfers(job: nil, endedLimit: nil).isEmpty)
    let again = try await bench.restarted().store
    #expect(try await again.newTransferID() == 3)
    #expect(try await again.newTransferID() == 4)
  }

  @Test(arguments: StoreKind.allCases)
  func `an attempt that a crash interrupted is queued again`(kind: StoreKind) async throws {
    let bench = try await StoreBench(kind)
    let store = bench.store
    let ids = try await queue(store, 1, [try request("a"), try request("b"), try request("c")])
    for (id, state) in zip(ids, [TransferState.running, .waiting, .done]) {
      var record = try #require(try await store.transfer(id))
      record.state = state
      _ = try await store.update(record)
    }
    let again = try await bench.restarted().store
    #expect(try await again.recover() == StoreRecovery(requeuedTransferCount: 1))
    let open = try await again.openTransfers(after: 0, limit: nil)
    #expect(open.map(\.state) == [.queued, .waiting, .done])
  }

  @Test(arguments: StoreKind.lasting)
  func `retention removes ended transfers that were reported`(kind: StoreKind) async throws {
    let bench = try await StoreBench(kind)
    let store = bench.store
    let ids = try await queue(store, 1, [try request("a"), try request("b"), try request("c")])
    for id in ids.dropFirst() {
      var record = try #require(try await store.transfer(id))
      record.state = .done
      record.isTold = id == ids[2]
      _ = try await store.update(record)
    }
    _ = try await store.prune(Retention(), now: Runs.start + .seconds(91 * 86_400))
    #expect(try await store.transfers(job: nil, endedLimit: nil).map(\.id) == [ids[0], ids[1]])
  }
}
