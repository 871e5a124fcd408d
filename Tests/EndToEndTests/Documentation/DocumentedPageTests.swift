import FetchTestSupport
import Foundation
import Testing

/// Tests that run the commands and check the files of each page of the documentation, in the order
/// of the page. Each page has an empty folder, and a network in which the examples' servers answer.
@Suite(
  .enabled(if: Namespace.isAvailable, "only root may give a program its own network"),
  .timeLimit(.minutes(5)))
struct DocumentedPageTests {
  static let pages = DocumentedPage.all.filter { page in
    page.blocks.contains { $0.kind == "sh" || $0.file != nil }
  }

  @Test func `the pages are found`() {
    #expect(Self.pages.count > 5)
  }

  @Test
  func `a block has one of the kinds that the checks support`() {
    let kinds = ["sh", "yaml", "lua", "json", "text", "mermaid", "swift"]
    let unknown = DocumentedPage.all.flatMap { page in
      page.blocks.filter { !kinds.contains($0.kind) }.map { "\(page.path):\($0.line)" }
    }
    #expect(unknown == [])
  }

  @Test
  func `a file's block has the file's name in its first line`() {
    let nameless = DocumentedPage.all.flatMap { page in
      page.blocks.filter { ["yaml", "lua"].contains($0.kind) && $0.file == nil }
        .map { "\(page.path):\($0.line)" }
    }
    #expect(nameless == [])
  }

  @Test func `a command that fails and a file with a mistake are reported`() throws {
    let text = "```lua\n-- a.lua\nretur {}\n```\n```sh\ntrue\n```\n"
    let ending = try run(DocumentedPage(path: "PAGE.md", text: text))
    #expect(ending.status == 1)
    #expect(ending.messages.hasSuffix("PAGE.md:1: exit status 78, not 0\n"), "\(ending.messages)")
    let other = try run(
      DocumentedPage(path: "PAGE.md", text: "```sh\nfalse # exits 1\nfalse\n```\n"))
    #expect(other.messages.hasSuffix("PAGE.md:3: exit status 1, not 0\n"), "\(other.messages)")
  }

  @Test(arguments: pages)
  func `every block of a page runs without changes`(page: DocumentedPage) throws {
    let ending = try run(page)
    #expect(ending.status == 0, "\(ending.output.suffix(2000))\n\(ending.messages.suffix(2000))")
  }

  private func run(_ page: DocumentedPage) throws -> Program.Ending {
    let program = try Program()
    defer { program.remove() }
    let internet = try SmallInternet()
    defer { withExtendedLifetime(internet) {} }
    let script = try program.write("page.sh", page.script)
    let folder = program.folder.appending(path: "work")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let programs = Program.executable.deletingLastPathComponent().path
    // A daemon that a page leaves running ends when the page's script ends.
    let command =
      try internet.launcher() + [
        "/usr/bin/unshare", "--pid", "--fork", "--kill-child", "--mount-proc", "/usr/bin/env",
        "--chdir=" + folder.path, "/bin/sh", script,
      ]
    var environment = ["PATH": "\(programs):/usr/sbin:/usr/bin:/bin", "LANG": "C.UTF-8"]
    if page.path.hasSuffix("PostgreSQL.md") {
      let server = try #require(PostgresServer.shared)
      _ = try server.newDatabase(named: "fetchrun")
      environment.merge(["PGHOST": server.folder, "PGUSER": "fetchrun"]) { $1 }
    }
    return try program.start(command: command, environment: environment).wait()
  }
}
