import FetchTestSupport
import Foundation
import Testing

/// Mirrors of what Apache shows of its folders, with times and sizes beside the names and without.
@Suite(.enabled(if: ApacheServer.isInstalled, "apache2-bin is not installed"))
struct ListingSyncTests {
  private static func mirror(_ listing: ApacheServer.Listing) throws -> (ApacheServer, Mirror) {
    let server = try ApacheServer(listing: listing)
    let mirror = try Mirror(
      source: server.folder + "/files", address: "http://127.0.0.1:\(server.port)/")
    return (server, mirror)
  }

  @Test(arguments: ApacheServer.Listing.allCases)
  func `listings of Apache`(listing: ApacheServer.Listing) throws {
    let (server, mirror) = try Self.mirror(listing)
    defer { withExtendedLifetime(server) { mirror.remove() } }
    // Where there are names alone, each file is asked for.
    let heads = listing == .plain ? Mirror.liveCount : 0
    try mirror.live(first: 4 + heads, later: 3 + heads)
  }

  @Test func `files of which nothing is told are asked for by turns, those least known first`()
    throws
  {
    let (server, mirror) = try Self.mirror(.plain)
    defer { withExtendedLifetime(server) { mirror.remove() } }
    for name in ["a", "b", "c", "d", "e"] { try mirror.write(name, name) }
    let options = ["max_heads": "2", "kind": "index"]
    let told = "requested 2 of 5 files whose size and time the listing lacks;"
    func isTold(_ run: Mirror.Run) -> Bool { run.messages.contains { $0.contains(told) } }

    // All of them are fetched. What is learned later of those that were not asked for is no news.
    let began = try mirror.run(options)
    #expect(began.outcome == "newData +5 ~0 -0")
    #expect(began.requestCount == 3 && isTold(began))
    #expect(try mirror.isSame())
    for _ in ["c d", "e a"] {
      let again = try mirror.run(options)
      #expect(again.outcome == "noData sameItems")
      #expect(again.requestCount == 3 && isTold(again) && again.messages.count == 1)
    }

    // The size is the same, so only the time shows the change. The run sees it when its turn comes.
    try mirror.write("d", "D", at: 1_700_000_100)
    let unseen = try mirror.run(options)
    #expect(unseen.changes == [:])
    let seen = try mirror.run(options)
    #expect(seen.changes == ["d": "updated"])
    #expect(try mirror.isSame())
    // What is changed here comes back, though its time was never that of the source.
    try mirror.writeCopy("c", "x")
    _ = try mirror.run(options)
    #expect(try mirror.isSame())
  }

  @Test func `what changed between being fetched and being asked for is fetched again`() throws {
    let (server, mirror) = try Self.mirror(.plain)
    defer { withExtendedLifetime(server) { mirror.remove() } }
    for name in ["a", "b"] { try mirror.write(name, name) }
    _ = try mirror.run(["max_heads": "0"])
    #expect(try mirror.isSame())
    // Later than it was fetched, so far that no clock is that wrong. The server tells the present for it
    // (RFC 9110, 8.8.2.1), each time another one, so there is no asking whether it is quiet after that.
    try mirror.write("b", "B", at: Date.now.timeIntervalSince1970 + 7_200)
    let run = try mirror.run()
    #expect(run.changes == ["b": "updated"])
    #expect(try mirror.isSame())
  }
}
