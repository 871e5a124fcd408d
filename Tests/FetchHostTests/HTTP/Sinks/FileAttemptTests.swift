import FetchHost
import FetchModel
import FetchTestSupport
import FetchValues
import Foundation
import Testing

/// Tests of `file` hooks whose disk does not answer, whose path is not a regular file, or whose
/// file is shared.
@Suite(.timeLimit(.minutes(5))) struct FileAttemptTests {
  private func sink(
    _ path: String, _ format: FeedFileSettings.Format = .jsonl, timeout: Duration = .seconds(30)
  ) -> FeedFileSink {
    var settings = FeedFileSettings(path: path)
    settings.format = format
    return FeedFileSink(settings, hook: "hook", timeout: timeout, now: { SinkTests.now })
  }

  /// Returns the value of `title` in each line of a file.
  private func titles(_ path: String) throws -> [String?] {
    try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map { line in
      try JSONReader.decode(String(line))["title"]?.stringValue
    }
  }

  /// A lock on the file, like the lock that a hanging write holds.
  private struct Holder {
    private let descriptor: Int32

    init(_ path: String) throws {
      descriptor = open(path, O_RDONLY | O_CLOEXEC)
      try #require(descriptor >= 0 && flock(descriptor, LOCK_EX) == 0)
    }

    func letGo() { close(descriptor) }
  }

  @Test(
    arguments: [
      ("pipe", "a named pipe"), ("folder", "a folder"), ("null", "a device"),
      ("link", "a named pipe"),
    ], [FeedFileSettings.Format.jsonl, .atom])
  func `only a regular file is written, and the files of other hooks are not affected`(
    other: (name: String, what: String), format: FeedFileSettings.Format
  ) async throws {
    let folder = try TemporaryFolder.make("sink")
    #expect(mkfifo(folder + "/pipe", 0o600) == 0 && mkdir(folder + "/folder", 0o700) == 0)
    #expect(symlink("/dev/null", folder + "/null") == 0 && symlink("pipe", folder + "/link") == 0)
    let path = folder + "/" + other.name
    #expect(
      try await sink(path, format).deliver(SinkTests.batch())
        == .failed(
          DeliveryFailure(
            "\(path) is \(other.what), but a file hook writes only regular files; give its `file` "
              + "another path, or use a `command`")))
    #expect(try await sink(folder + "/good").deliver(SinkTests.batch()) == .delivered)
    #expect(try titles(folder + "/good") == ["Hello"])
  }

  @Test func `the internal files of a feed must be regular files, too`() async throws {
    let folder = try TemporaryFolder.make("sink")
    #expect(mkfifo(folder + "/a.items", 0o600) == 0)
    let end = try await sink(folder + "/a", .rss).deliver(SinkTests.batch())
    guard case .failed(let failure) = end else {
      Issue.record("delivered")
      return
    }
    #expect(failure.message.hasPrefix("\(folder)/a.items is a named pipe, "))
  }

  @Test func `a feed is first written under an unpredictable name, and no link is followed`()
    async throws
  {
    let folder = try TemporaryFolder.make("sink")
    try TemporaryFolder.write("mine", to: folder + "/victim")
    // Earlier versions used these names.
    for name in ["feed.new", "feed.items.new"] {
      #expect(symlink("victim", folder + "/" + name) == 0)
    }
    for number in 0..<2 {
      let batch = try SinkTests.batch(Int64(number), titles: ["\(number)"])
      #expect(await sink(folder + "/feed", .rss).deliver(batch) == .delivered)
    }
    #expect(try String(contentsOfFile: folder + "/victim", encoding: .utf8) == "mine")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        == ["feed", "feed.items", "feed.items.new", "feed.new", "victim"])
    #expect(try titles(folder + "/feed.items") == ["1", "0"])
  }

  @Test func `partial files of a killed process are removed, and no other files`()
    async throws
  {
    let folder = try TemporaryFolder.make("sink")
    for name in [".fetchrun-feed-0123.new", ".fetchrun-feed-0123", "feed-0123.new"] {
      try TemporaryFolder.write("half", to: folder + "/" + name)
    }
    #expect(try await sink(folder + "/feed", .atom).deliver(SinkTests.batch()) == .delivered)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        == [".fetchrun-feed-0123", "feed", "feed-0123.new", "feed.items"])
  }

  @Test
  func `two hooks with one file do not mix their lines, even if they spell its path differently`()
    async throws
  {
    let folder = try TemporaryFolder.make("sink")
    let long = String(repeating: "x", count: 200_000)
    let paths = [folder + "/news", folder + "/news", folder + "/./news"]
    try await withThrowingTaskGroup(of: DeliveryEnd.self) { group in
      for number in 0..<30 {
        let batch = try SinkTests.batch(Int64(number), titles: ["\(number) \(long)"])
        let sink = sink(paths[number % paths.count])
        group.addTask { await sink.deliver(batch) }
      }
      for try await end in group { #expect(end == .delivered) }
    }
    let numbers = try titles(folder + "/news").map {
      $0?.split(separator: " ").first.map(String.init)
    }
    #expect(Set(numbers) == Set((0..<30).map { "\($0)" }))
    #expect(numbers.count == 30)
  }

  @Test func `two hooks with one feed keep each other's items`() async throws {
    let folder = try TemporaryFolder.make("sink")
    try await withThrowingTaskGroup(of: DeliveryEnd.self) { group in
      for number in 0..<20 {
        let batch = try SinkTests.batch(Int64(number), titles: ["\(number)"])
        let sink = sink(folder + (number % 2 == 0 ? "/feed" : "/./feed"), .jsonfeed)
        group.addTask { await sink.deliver(batch) }
      }
      for try await end in group { #expect(end == .delivered) }
    }
    #expect(try Set(titles(folder + "/feed.items")) == Set((0..<20).map { "\($0)" }))
  }

  @Test(arguments: [FeedFileSettings.Format.jsonl, .jsonfeed])
  func `a write that hangs fails at the time limit, and delays no other hook`(
    format: FeedFileSettings.Format
  ) async throws {
    let folder = try TemporaryFolder.make("sink")
    let other = try TemporaryFolder.make("sink")
    let path = folder + "/news"
    #expect(FileManager.default.createFile(atPath: path, contents: nil))
    let holder = try Holder(format == .jsonl ? path : folder)
    let patient = Task {
      try await sink(path, format).deliver(SinkTests.batch(3, titles: ["late"]))
    }
    for number in 1...2 {
      let end = try await sink(path, format, timeout: .milliseconds(100))
        .deliver(SinkTests.batch(Int64(number), titles: ["given up"]))
      #expect(
        end
          == .failed(
            DeliveryFailure("\(path) was not written within 100ms")))
    }
    #expect(try await sink(other + "/news", format).deliver(SinkTests.batch()) == .delivered)
    holder.letGo()
    #expect(try await patient.value == .delivered)
    #expect(
      try await sink(path, format).deliver(SinkTests.batch(4, titles: ["next"])) == .delivered)
    // An abandoned write does not happen later, because its delivery is repeated.
    let written = try titles(format == .jsonl ? path : path + ".items")
    #expect(format == .jsonl ? written == ["late", "next"] : written == ["next", "late"])
  }

  @Test func `a cancelled delivery does not wait for a write that hangs`() async throws {
    let folder = try TemporaryFolder.make("sink")
    let path = folder + "/news"
    #expect(FileManager.default.createFile(atPath: path, contents: nil))
    let holder = try Holder(path)
    let attempts = (1...3).map { number in
      Task { try await sink(path, timeout: .seconds(3600)).deliver(SinkTests.batch(number)) }
    }
    for attempt in attempts {
      attempt.cancel()
      #expect(
        try await attempt.value
          == .failed(DeliveryFailure("\(path): the attempt was cancelled")))
    }
    holder.letGo()
    #expect(try await sink(path).deliver(SinkTests.batch(4, titles: ["next"])) == .delivered)
    #expect(try titles(path) == ["next"])
  }
}
