import Foundation
import Testing

/// Tests of the files that packages install. The tested programs are installed at the same places
/// below a folder of the test.
@Suite(.serialized) struct PackageTests {
  let program: Program
  var root: String { program.folder.path + "/root" }

  init() throws { program = try Program() }

  /// Runs a command of the project and returns its output and messages.
  private func run(_ words: [String]) throws -> (status: Int32, text: String) {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = words
    process.currentDirectoryURL = Program.top
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let text = String(
      decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, text)
  }

  private func layOut() throws {
    let binaries = Program.executable.deletingLastPathComponent().path
    let done = try run(["Sources/Packaging/layout", root, "/usr", binaries])
    #expect(done.status == 0, "\(done.text)")
  }

  private func names(in folder: String) -> [String] {
    (FileManager.default.subpaths(atPath: root + folder) ?? []).sorted()
  }

  private func text(_ path: String) -> String {
    (try? String(contentsOf: Program.top.appending(path: path), encoding: .utf8)) ?? ""
  }

  @Test func `the installed program finds its worker and plugins from an empty folder`() throws {
    defer { program.remove() }
    try layOut()
    let feed = Program.top.path + "/examples/top-news.xml"
    let process = Process()
    process.executableURL = URL(filePath: root + "/usr/bin/fetchrun")
    process.arguments = [
      "--plugin", "rss", "--option", "url=file://" + feed, "--allow-read", feed, "--json",
    ]
    process.environment = ["HOME": program.folder.path, "PATH": "/usr/bin:/bin"]
    process.currentDirectoryURL = program.folder
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let lines = String(
      decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(lines.contains("\"outcome\":\"newData\""))
  }

  @Test func `all shipped plugins and hook files are installed`() throws {
    defer { program.remove() }
    try layOut()
    let shipped = (FileManager.default.subpaths(atPath: Program.top.path + "/plugins") ?? [])
      .filter { $0.hasSuffix(".lua") && !$0.contains(".test/") }
    let installed = names(in: "/usr/share/fetchrun/plugins").filter { $0.hasSuffix(".lua") }
    #expect(installed == shipped.sorted())
    #expect(installed.contains("hooks/ntfy.lua"))
  }

  @Test func `all pages are installed, and their links lead to installed files`() throws {
    defer { program.remove() }
    try layOut()
    let folder = "/usr/share/doc/fetchrun/"
    let installed = Set(names(in: folder))
    let pages = try FileManager.default.subpathsOfDirectory(
      atPath: Program.top.path + "/Sources/Documentation.docc"
    ).filter { $0.hasSuffix(".md") }
    #expect(pages.count > 20 && installed.isSuperset(of: pages))
    for page in pages + ["README.md"] {
      let text = try String(contentsOfFile: root + folder + page, encoding: .utf8)
      #expect(!text.contains("<doc:") && !text.contains("](Sources/"), "\(page)")
      for link in text.matches(of: /\]\(([A-Za-z.\/]+\.md)/) {
        let place = URL(fileURLWithPath: "/" + page).deletingLastPathComponent()
          .appending(path: String(link.1)).standardized.path.dropFirst()
        #expect(installed.contains(String(place)), "\(page) links to \(link.1)")
      }
    }
    let example = try String(contentsOfFile: root + folder + "examples/hooks.yaml", encoding: .utf8)
    #expect(example.contains("# The guide: /usr/share/doc/fetchrun/Using/Hooks.md\n"))
  }

  @Test func `a default in a man page is quoted`() throws {
    defer { program.remove() }
    try layOut()
    let page = try run(["zcat", root + "/usr/share/man/man1/fetchrun-new-plugin.1.gz"])
    #expect(page.text.contains(#"Default: \(aq.\(aq."#))
  }

  /// Returns the names of the program and its verbs, such as `fetchrun add`.
  private func verbs() throws -> [String] {
    let help = try program.run("--experimental-dump-help").output
    let tree = try JSONDecoder().decode(HelpTree.self, from: Data(help.utf8))
    return tree.command.names([])
  }

  private struct HelpTree: Decodable {
    struct Command: Decodable {
      var commandName: String
      var subcommands: [Command]?

      func names(_ before: [String]) -> [String] {
        let words = before + [commandName]
        let verbs = (subcommands ?? []).filter { !["help", "once"].contains($0.commandName) }
        return [words.joined(separator: " ")] + verbs.flatMap { $0.names(words) }
      }
    }
    var command: Command
  }

  @Test func `each verb has a man page, with an example`() throws {
    defer { program.remove() }
    try layOut()
    let verbs = try verbs()
    #expect(verbs.count > 30)
    #expect(
      names(in: "/usr/share/man/man1")
        == verbs.map { $0.replacing(" ", with: "-") + ".1.gz" }.sorted())
    let examples = text("Sources/Packaging/manual-examples.md").split(separator: "\n")
      .filter { $0.hasPrefix("## ") }.map { $0.dropFirst(3) }
    let leaves = verbs.filter { verb in !verbs.contains { $0.hasPrefix(verb + " ") } }
    for verb in leaves.map({ $0.dropFirst("fetchrun ".count) }) {
      #expect(examples.contains(verb), "Sources/Packaging/manual-examples.md lacks '## \(verb)'")
    }
  }

  @Test(.enabled(if: hasMan, "man is not installed"))
  func `man reports no mistake in the pages`() throws {
    defer { program.remove() }
    try layOut()
    let pages = names(in: "/usr/share/man").filter { $0.hasSuffix(".gz") }
    #expect(pages.contains("man5/fetchrun.yaml.5.gz"))
    for page in pages {
      let file = root + "/usr/share/man/" + page
      let shown = try run([
        "MANROFFSEQ=", "MANWIDTH=80", "LC_ALL=C.UTF-8", "sh", "-c",
        "man --warnings -E UTF-8 -l -Tutf8 -Z \"$1\" 2>&1 >/dev/null", "sh", file,
      ])
      #expect(shown.status == 0 && shown.text == "", "\(page): \(shown.text)")
    }
  }

  static let hasMan = FileManager.default.isExecutableFile(atPath: "/usr/bin/man")

  @Test func `the image starts a program that the package installs`() throws {
    defer { program.remove() }
    try layOut()
    let lines = text("Sources/Packaging/Containerfile").split(separator: "\n")
    let entry = try #require(lines.first { $0.hasPrefix("ENTRYPOINT") })
    let path = try #require(entry.split(separator: "\"").first { $0.hasPrefix("/") })
    #expect(FileManager.default.isExecutableFile(atPath: root + path))
    #expect(lines.contains { $0.hasPrefix("CMD") && $0.contains("/etc/fetchrun/fetchrun.yaml") })
    #expect(lines.contains { $0.hasPrefix("USER ") && $0 != "USER root" })
  }

  @Test func `the package's config is valid and names the service's store`()
    throws
  {
    defer { program.remove() }
    let file = Program.top.path + "/Sources/Packaging/fetchrun.yaml"
    let checked = try program.run("check", file)
    #expect(checked.status == 0, "\(checked.messages)")
    #expect(text("Sources/Packaging/fetchrun.yaml").contains("\nstore: /var/lib/fetchrun/"))
  }
}
