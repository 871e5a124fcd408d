import Foundation
import Testing

/// Tests of a machine without a library that the worker needs.
@Suite struct MissingLibraryTests {
  /// Writes a copy of the worker in which the name of one library is replaced by the name of a
  /// missing library. Returns the path of the copy.
  private func crippledWorker(_ program: Program) throws -> String {
    let worker = Program.executable.deletingLastPathComponent().appending(path: "fetchrun-worker")
    var bytes = try Data(contentsOf: worker)
    let place = try #require(bytes.range(of: Data("liblua5.4.so.0\0".utf8)))
    bytes.replaceSubrange(place, with: Data("libnone.4.so.0\0".utf8))
    let path = program.folder.appending(path: "fetchrun-worker")
    try bytes.write(to: path)
    chmod(path.path, 0o755)
    return path.path
  }

  @Test func `doctor and a run name the library, without lines of a log`() throws {
    let program = try Program()
    defer { program.remove() }
    let environment = ["FETCHRUN_WORKER": try crippledWorker(program)]
    let words =
      "fetchrun-worker cannot start: libnone.4.so.0 is missing: install its package"
    let doctor = try program.run("doctor", environment: environment)
    #expect(doctor.status == 1)
    #expect(doctor.lines.first == "bad   worker: " + words)
    #expect(doctor.messages == "")
    let feed = Program.top.path + "/examples/top-news.xml"
    let run = try program.run(
      "--plugin", "rss", "--option", "url=file://" + feed, "--allow-read", feed,
      environment: environment)
    #expect(run.status != 0)
    #expect(run.messages.contains(words))
    #expect(!run.messages.contains("warning fetchrun.workers"))
  }
}
