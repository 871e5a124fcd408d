import FetchHost
import FetchTestSupport
import Glibc
import Testing

@Suite(.timeLimit(.minutes(5))) struct FileWatcherTests {
  private let folder: String

  init() throws { folder = try TemporaryFolder.make("watch") }

  private func path(_ name: String) -> String { folder + "/" + name }

  /// Creates a file, or appends to it, in one step. Two steps could be reported as two changes.
  private func write(_ text: String, _ name: String) throws {
    let file = open(path(name), O_WRONLY | O_APPEND | O_CLOEXEC)
    guard file >= 0 else {
      let unseen = try TemporaryFolder.make("unseen") + "/file"
      try TemporaryFolder.write(text, to: unseen)
      try #require(rename(unseen, path(name)) == 0)
      return
    }
    defer { close(file) }
    try #require(Glibc.write(file, text, text.utf8.count) == text.utf8.count)
  }

  /// Watches files while the body runs. The clock advances whenever the watcher sleeps.
  private func watching(
    _ names: [String], _ body: (_ next: () async -> [String]?) async throws -> Void
  ) async throws {
    let clock = ManualClock()
    let (changes, source) = AsyncStream<[String]>.makeStream()
    let watcher = FileWatcher(paths: names.map(path), clock: clock)
    try watcher.start { source.yield($0) }
    let time = Task {
      while !Task.isCancelled {
        await clock.waitForSleeper()
        clock.advance(by: FileWatcher.quietTime)
      }
    }
    do {
      try await body { await changes.next()?.map { String($0.dropFirst(folder.count + 1)) } }
    } catch { Issue.record(error) }
    await watcher.stop()
    time.cancel()
    source.finish()
    #expect(await changes.next() == nil, "more changes were reported than were made")
  }

  @Test func `a change of a watched file is reported, and that of a neighbour is not`() async throws
  {
    try write("1", "a")
    try write("1", "b")
    try await watching(["a"]) { next in
      try write("22", "b")
      try write("22", "a")
      #expect(await next() == ["a"])
      try write("333", "a")
      #expect(await next() == ["a"])
    }
  }

  @Test func `a file may be replaced repeatedly`() async throws {
    try write("1", "a")
    try await watching(["a"]) { next in
      for text in ["2", "3", "4"] {
        try write(text, "a.new")
        rename(path("a.new"), path("a"))
        #expect(await next() == ["a"])
      }
    }
  }

  @Test func `a file may be removed and created again`() async throws {
    try write("1", "a")
    try await watching(["a"]) { next in
      unlink(path("a"))
      #expect(await next() == ["a"])
      try write("1", "a")
      #expect(await next() == ["a"])
    }
  }

  @Test func `changes of a link and of its target are reported`() async throws {
    try TemporaryFolder.makeFolder(path("1"))
    try TemporaryFolder.makeFolder(path("2"))
    try write("1", "1/a")
    try write("22", "2/a")
    symlink("1", path("now"))
    symlink("now/a", path("a"))
    try await watching(["a"]) { next in
      symlink("2", path("now.new"))
      rename(path("now.new"), path("now"))
      #expect(await next() == ["a"])
      try write("333", "2/a")
      #expect(await next() == ["a"])
      try write("4444", "2/a.new")
      rename(path("2/a.new"), path("2/a"))
      #expect(await next() == ["a"])
    }
  }

  @Test func `a change in a watched folder is reported`() async throws {
    try TemporaryFolder.makeFolder(path("d"))
    try await watching(["d"]) { next in
      try write("1", "d/a")
      #expect(await next() == ["d"])
      try write("22", "d/a")
      #expect(await next() == ["d"])
      unlink(path("d/a"))
      #expect(await next() == ["d"])
    }
  }

  @Test func `the replacement of a watched folder is reported`() async throws {
    try TemporaryFolder.makeFolder(path("d"))
    try TemporaryFolder.makeFolder(path("e"))
    try write("1", "d/a")
    try write("1", "e/a")
    try await watching(["d"]) { next in
      rename(path("d"), path("f"))
      #expect(await next() == ["d"])
      rename(path("e"), path("d"))
      #expect(await next() == ["d"])
      try write("22", "d/a")
      #expect(await next() == ["d"])
    }
  }

  @Test func `a missing file is reported when it appears`() async throws {
    try await watching(["x/y/a"]) { next in
      try TemporaryFolder.makeFolder(path("x"))
      try TemporaryFolder.makeFolder(path("x/y"))
      try write("1", "x/y/a")
      #expect(await next() == ["x/y/a"])
    }
  }

  @Test func `changes in quick succession are reported once`() async throws {
    try write("1", "a")
    try write("1", "b")
    let clock = ManualClock()
    let (changes, source) = AsyncStream<[String]>.makeStream()
    let watcher = FileWatcher(paths: [path("a"), path("b")], clock: clock)
    try watcher.start { source.yield($0) }
    try write("22", "b")
    await clock.waitForSleeper()
    for number in 0..<10 { try write("\(number)\(number)\(number)", "a") }
    let time = Task {
      while !Task.isCancelled {
        await clock.waitForSleeper()
        clock.advance(by: .milliseconds(100))
      }
    }
    #expect(await changes.next() == [path("a"), path("b")])
    await watcher.stop()
    time.cancel()
    source.finish()
    #expect(await changes.next() == nil)
  }

  @Test func `a file that changes all the time is reported after ten seconds`() async throws {
    try write("", "a")
    let clock = ManualClock()
    let (reportedAt, source) = AsyncStream<Duration>.makeStream()
    let watcher = FileWatcher(paths: [path("a")], clock: clock)
    try watcher.start { _ in
      // The clock may advance before this call, while the watcher already waits for the next
      // changes.
      source.yield(clock.now.offset)
      source.finish()
    }
    try write("1", "a")
    let time = Task {
      var text = ""
      while !Task.isCancelled {
        await clock.waitForSleeper()
        text += "x"
        try write(text, "a")
        clock.advance(by: .milliseconds(500))
      }
    }
    let reported = await reportedAt.first { _ in true }
    #expect(reported.map { $0 <= FileWatcher.delayMax + .milliseconds(500) } == true)
    time.cancel()
    await watcher.stop()
    _ = await time.result
  }

  @Test func `a stop ends the wait for changes`() async throws {
    try write("1", "a")
    let clock = ManualClock()
    let watcher = FileWatcher(paths: [path("a")], clock: clock)
    try watcher.start { _ in Issue.record("a change was reported after the stop") }
    try write("22", "a")
    await clock.waitForSleeper()
    await watcher.stop()
  }
}

extension AsyncStream {
  fileprivate func next() async -> Element? {
    for await element in self { return element }
    return nil
  }
}
