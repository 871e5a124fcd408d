import Foundation
import Testing

/// Tests of the automatic names of jobs that were run without a name, and the identity of their
/// items.
@Suite struct JobNameTests {
  private let program: Program
  /// The path of the folder without links, as in file: URLs.
  private var folder: String { program.folder.resolvingSymlinksInPath().path }

  init() throws { program = try Program() }

  private func url(_ name: String) throws -> String {
    try program.write(
      "\(name)/feed.xml",
      """
      <rss version="2.0"><channel><title>t</title>
      <item><guid>1</guid><title>one</title><link>https://a.example/1</link></item>
      </channel></rss>
      """)
    return "url=file://\(folder)/\(name)/feed.xml"
  }

  private func once(_ option: String, _ more: String...) throws -> String {
    let words = ["--plugin", "rss", "--option", option, "--allow-read", folder] + more
    let ending = try program.run(in: "here", words)
    return ending.lines.first.map { $0.split(separator: " ").prefix(2).joined(separator: " ") }
      ?? ending.messages
  }

  @Test func `an automatic name is readable, and has a hash only if another job has that name`()
    throws
  {
    defer { program.remove() }
    let (a, b) = (try url("a"), try url("b"))
    #expect(try once(a) == "newData rss-feed")
    let second = try once(b)
    #expect(second.firstMatch(of: /^newData rss-feed-[0-9a-f]{10}$/) != nil)
    #expect(try once(a) == "noData rss-feed")
    #expect(try once(b) == second.replacing("newData", with: "noData"))
  }

  @Test func `an automatic name that a user gave to another source stays with that source`() throws
  {
    defer { program.remove() }
    #expect(try once(try url("a"), "--job", "rss-other") == "newData rss-other")
    #expect(try once(try url("b"), "--job", "rss-feed") == "newData rss-feed")
    // The source is that of the run with `--job rss-feed`.
    #expect(try once(try url("b")) == "noData rss-feed")
    #expect(try once(try url("a")).hasPrefix("newData rss-feed-"))
  }

  @Test func `a job that an earlier version named is found by its old name`() throws {
    defer { program.remove() }
    let (a, b) = (try url("a"), try url("b"))
    _ = try once(a)
    let name = try #require(try once(b).split(separator: " ").last)
    let old = "rss-" + name.suffix(10)
    _ = try program.run("reset", String(name), "--yes")
    try FileManager.default.removeItem(atPath: folder + "/fetchrun/store.sqlite")
    #expect(try once(b, "--job", old) == "newData \(old)")
    #expect(try once(b) == "noData \(old)")
    #expect(try once(a) == "newData rss-feed")
    let added = try program.run(in: "here", ["add", "rss", "--option", b])
    #expect(added.messages.hasPrefix("fetchrun: the job '\(old)' was added to fetchrun.yaml\n"))
  }

  @Test func `a job of the config keeps its name before its first run`() throws {
    defer { program.remove() }
    let (a, b) = (try url("a"), try url("b"))
    let added = try program.run(in: "here", ["add", "rss", "--option", a])
    #expect(added.messages.hasPrefix("fetchrun: the job 'rss-feed' was added to fetchrun.yaml\n"))
    #expect(try once(b).hasPrefix("newData rss-feed-"))
    #expect(try once(a) == "newData rss-feed")
    #expect(try once(a) == "noData rss-feed")
  }

  @Test func `add says that a job which has run before has no first run`() throws {
    defer { program.remove() }
    let (a, b) = (try url("a"), try url("b"))
    #expect(try once(a) == "newData rss-feed")
    let added = try program.run(in: "here", ["add", "rss", "--option", a])
    #expect(
      added.messages == """
        fetchrun: the job 'rss-feed' was added to fetchrun.yaml
        fetchrun: a job of this name has run before: it keeps its items and state, and its next \
        run is not a first run; to begin anew, type `fetchrun reset rss-feed`

        """)
    let other = try program.run(
      in: "here", ["add", "rss", "--option", b, "--config", "fetchrun.yaml"])
    #expect(other.messages.hasSuffix("all items of its first run are news (first_run: all)\n"))
    #expect(try program.run(in: "here", ["reset", "rss-feed", "--yes"]).status == 0)
    #expect(try once(a) == "newData rss-feed")
  }

  @Test func `items that a job of the config has stored are not news on the command line`() throws {
    defer { program.remove() }
    let a = try url("a")
    _ = try program.run(in: "here", ["add", "rss", "--option", a])
    let config = folder + "/here/fetchrun.yaml"
    let text = try String(contentsOfFile: config, encoding: .utf8)
    try program.write("here/fetchrun.yaml", text + "    allow_read: \(folder)\n")
    #expect(try program.run(in: "here", ["run"]).output.hasPrefix("newData  rss-feed  1 added"))
    try FileManager.default.removeItem(atPath: config)
    #expect(try once(a) == "noData rss-feed")
  }
}
