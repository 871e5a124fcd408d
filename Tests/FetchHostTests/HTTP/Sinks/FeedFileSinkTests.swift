import FetchHost
import FetchModel
import FetchTestSupport
import FetchValues
import Foundation
import Testing

/// Tests of the feeds of `file` hooks: the times when they are written, and their size.
@Suite struct FeedFileSinkTests {
  @Test func `a feed exists from the first delivery on, and is rewritten only for news`()
    async throws
  {
    let folder = try TemporaryFolder.make("sink")
    var settings = FeedFileSettings(path: folder + "/feed")
    settings.format = .atom
    let sink = FeedFileSink(settings, hook: "feed", now: { SinkTests.now })
    func file() throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: settings.path)[.systemFileNumber] as? Int
    }
    #expect(try await sink.deliver(SinkTests.batch(1, titles: [], event: .noData)) == .delivered)
    let empty = try String(contentsOfFile: settings.path, encoding: .utf8)
    #expect(empty.contains("<feed") && !empty.contains("<entry>"))
    #expect(try await sink.deliver(SinkTests.batch(2, titles: ["a"])) == .delivered)
    let first = try file()
    #expect(try await sink.deliver(SinkTests.batch(3, titles: [], event: .noData)) == .delivered)
    #expect(try file() == first)
    #expect(try await sink.deliver(SinkTests.batch(4, titles: ["b"])) == .delivered)
    #expect(try file() != first)
  }

  @Test func `the items of a feed have at most as many bytes as its limit`() async throws {
    let folder = try TemporaryFolder.make("sink")
    var settings = FeedFileSettings(path: folder + "/feed")
    settings.format = .jsonfeed
    let sink = FeedFileSink(settings, hook: "feed", itemsBytesMax: 1000, now: { SinkTests.now })
    func titles() throws -> [String] {
      let feed = try JSONReader.decode(String(contentsOfFile: settings.path, encoding: .utf8))
      return (feed["items"]?.arrayValue ?? []).compactMap { $0["title"]?.stringValue }
    }
    for number in 1...9 {
      let batch = try SinkTests.batch(Int64(number), titles: ["t\(number)"])
      #expect(await sink.deliver(batch) == .delivered)
    }
    #expect(try titles().prefix(3) == ["t9", "t8", "t7"])
    #expect(try titles().count < 9)
    let huge = String(repeating: "x", count: 2000)
    #expect(try await sink.deliver(SinkTests.batch(10, titles: ["t10", huge])) == .delivered)
    #expect(try titles().prefix(2) == ["t10", "t9"])
    let stored = try FileManager.default.attributesOfItem(atPath: settings.path + ".items")
    #expect(stored[.size] as? Int ?? .max <= 1000)
    // A larger feed, such as that of an earlier version, is read up to the limit.
    let line = #"{"job":"news","id":"old","title":"old","change":"added"}"# + "\n"
    try String(repeating: line, count: 100).write(
      toFile: settings.path + ".items", atomically: false, encoding: .utf8)
    #expect(try await sink.deliver(SinkTests.batch(11, titles: ["t11"])) == .delivered)
    #expect(try titles().prefix(2) == ["t11", "old"])
  }
}
