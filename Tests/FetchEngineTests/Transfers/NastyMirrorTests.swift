import FetchEngine
import FetchModel
import FetchTestSupport
import FetchValues
import Testing

/// Tests of `plugins/file-sync.lua` with a source that cuts connections, sends false ranges and
/// lengths, and changes its files between requests.
@Suite(.timeLimit(.minutes(5))) struct NastyMirrorTests {
  private static let nastyRuns = 5
  /// The maximum number of runs after the source's last change until all files are right.
  private static let runsMax = 10
  /// The maximum number of attempts at the transfers of one run.
  private static let attemptsMax = 500

  private static let yaml = """
    lanes: {"*": {gap: 0s, connections: 8}}
    jobs:
      - {name: a, plugin: file-sync, options: {source: "{h0}/list.json"},
         hosts: ["h0.localhost:*"], interval: never}
    """

  private let stage: TransferStage

  init() throws { stage = try TransferStage() }

  /// A file of the source, with its entry in the manifest.
  private struct Source {
    var name: String
    var server: NastyServer
    var hasSize: Bool

    var entry: String {
      let pattern = server.pattern
      let size = hasSize ? ", \"size\": \(pattern.size)" : ""
      return """
        {"path": "\(name)", "url": "http://h0.localhost:\(server.port)/\(name)", \
        "etag": "v\(pattern.version)"\(size)}
        """
    }
  }

  private func sources(_ seed: UInt64) throws -> [Source] {
    let sizes: [Int64] = [40_000, 300_000, 900_000]
    return try sizes.enumerated().map { number, size in
      Source(
        name: "in/\(number)",
        server: try NastyServer(seed: seed * 10 + UInt64(number), size: size, .worst),
        hasSize: number != 1)
    }
  }

  /// Moves the clock until no transfer is pending.
  private func settle(_ open: OpenTransfers) async throws {
    for _ in 0..<Self.attemptsMax {
      var pending: [TransferRecord] = []
      try await open.until {
        pending = try open.records().filter(\.state.isPending)
        return pending.allSatisfy { $0.state == .waiting }
      }
      let next = pending.min {
        ($0.nextAttemptAt ?? stage.bench.now) < ($1.nextAttemptAt ?? stage.bench.now)
      }
      guard let next else { return }
      if let at = next.nextAttemptAt, at > stage.bench.now { await open.pass(to: at) }
      try await open.until { try open.record(next.id) != next }
    }
    Issue.record("transfers are still pending after \(Self.attemptsMax) attempts")
  }

  @Test(arguments: 1...2 as ClosedRange<UInt64>)
  func `each file has one of the source's versions or is missing, and finally all are right`(
    seed: UInt64
  ) async throws {
    let sources = try sources(seed)
    stage.site.at("h0/list.json") { _ in
      Site.Answer(body: "[\(sources.map(\.entry).joined(separator: ", "))]")
    }
    let open = try OpenTransfers(bench: stage.bench, open: try await stage.bench.open(Self.yaml))
    for _ in 0..<Self.nastyRuns {
      _ = try await open.run()
      try await settle(open)
      expectWhole(sources)
    }
    var manners = NastyServer.Manners.worst
    manners.change = 0
    for source in sources { source.server.setManners(manners) }
    var runCount = 0
    while runCount < Self.runsMax, !isMirrored(sources) {
      runCount += 1
      #expect(try await open.run().outcome.failure == nil)
      try await settle(open)
      expectWhole(sources)
    }
    #expect(isMirrored(sources))
    // The job now has the state of each file, and requests nothing more.
    _ = try await open.run()
    let before = try open.records().count
    _ = try await open.run()
    #expect(try open.records().count == before)
    #expect(isMirrored(sources))
    try await open.stop()
  }

  private func isMirrored(_ sources: [Source]) -> Bool {
    sources.allSatisfy { $0.server.pattern.isFile(stage.path($0.name)) }
  }

  private func expectWhole(_ sources: [Source]) {
    for source in sources {
      let path = stage.path(source.name)
      guard let found = size(path) else { continue }
      let isVersion = source.server.versions.contains { $0.size == found && $0.isFile(path) }
      #expect(isVersion, "\(source.name) has \(found) bytes, which are no version of the file")
    }
  }
}
