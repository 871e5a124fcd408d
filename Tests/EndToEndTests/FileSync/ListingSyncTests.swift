import FetchTestSupport
import Foundation
import Testing

/// Tests of mirrors of Apache's folder listings, with and without times and sizes beside the names.
@Suite(.enabled(if: ApacheServer.isInstalled, "apache2-bin is not installed"))
struct ListingSyncTests {
  private static func mirror(_ listing: ApacheServer.Listing) throws -> (ApacheServer, Mirror) {
    let server = try ApacheServer(listing: listing)
    let mirror = try Mirror(
      source: server.folder + "/files", address: "http://127.0.0.1:\(server.port)/")
    return (server, mirror)
  }

  @Test(arguments: ApacheServer.Listing.allCases)
  func `the listings of Apache are mirrored`(listing: ApacheServer.Listing) throws {
    let (server, mirror) = try Self.mirror(listing)
    defer { withExtendedLifetime(server) { mirror.remove() } }
    // If the listing has only names, each file needs a HEAD request.
    let heads = listing == .plain ? Mirror.liveCount : 0
    try mirror.live(first: 4 + heads, later: 3 + heads)
  }

  @Test
  func
    `files without size and time in the listing get HEAD requests in turn, oldest answers first`()
    throws
  {
    let (server, mirror) = try Self.mirror(.plain)
    defer { withExtendedLifetime(server) { mirror.remove() } }
    for name in ["a", "b", "c", "d", "e"] { try mirror.write(name, name) }
    let options = ["max_heads": "2", "kind": "index"]
    let told = "requested 2 of 5 files whose size and time the listing lacks;"
    func isTold(_ run: Mirror.Run) -> Bool { run.messages.contains { $0.contains(told) } }

    // The first run fetches all files. Each run learns the size and time of two files from HEAD
    // requests, which is not news.
    let began = try mirror.run(options)
    #expect(began.outcome == "newData +5 ~0 -0")
    #expect(began.requestCount == 3 && isTold(began))
    #expect(try mirror.isSame())
    for _ in ["c d", "e a"] {
      let again = try mirror.run(options)
      #expect(again.outcome == "noData sameItems")
      #expect(again.requestCount == 3 && isTold(again) && again.messages.count == 1)
    }

    // The size is the same, so only the time shows the change. A run finds the change with the
    // file's next HEAD request.
    try mirror.write("d", "D", at: 1_700_000_100)
    let unseen = try mirror.run(options)
    #expect(unseen.changes == [:])
    let seen = try mirror.run(options)
    #expect(seen.changes == ["d": "updated"])
    #expect(try mirror.isSame())
    // A file that was changed in the mirror is restored, even if its time was never that of the
    // source.
    try mirror.writeCopy("c", "x")
    _ = try mirror.run(options)
    #expect(try mirror.isSame())
  }

  @Test
  func `a file that changed between its download and its first HEAD request is fetched again`()
    throws
  {
    let (server, mirror) = try Self.mirror(.plain)
    defer { withExtendedLifetime(server) { mirror.remove() } }
    for name in ["a", "b"] { try mirror.write(name, name) }
    _ = try mirror.run(["max_heads": "0"])
    #expect(try mirror.isSame())
    // The time is so far after the download that no wrong clock explains it. The server sends the
    // present time instead (RFC 9110, section 8.8.2.1). Each answer has a different time, so the
    // test cannot check that a later run finds no change.
    try mirror.write("b", "B", at: Date.now.timeIntervalSince1970 + 7_200)
    let run = try mirror.run()
    #expect(run.changes == ["b": "updated"])
    #expect(try mirror.isSame())
  }
}
