import Foundation
import Testing

/// First attempts, each answered with the command to type.
@Suite struct FirstWordsTests {
  private static let usage = """
    Usage: fetchrun --plugin FILE [--option NAME=VALUE]...
           fetchrun <subcommand>
      See 'fetchrun --help' for more information.

    """

  @Test(arguments: [
    (["x.lua"], "'x.lua' is no command; to run a plugin, type `fetchrun --plugin x.lua`"),
    (["rss"], "'rss' is no command; to run a plugin, type `fetchrun --plugin rss`"),
    (
      ["./my plugins/x.lua"],
      "'./my plugins/x.lua' is no command; to run a plugin, type "
        + "`fetchrun --plugin './my plugins/x.lua'`"
    ),
    (
      ["https://a.example/feed"],
      "an address is no command; to read a feed, type "
        + "`fetchrun --plugin rss --option url=https://a.example/feed`"
    ),
    (
      ["jobs.yaml"],
      "'jobs.yaml' is no command; to run the jobs of a config, type "
        + "`fetchrun run --config jobs.yaml`"
    ),
    (["news"], "'news' is no command; to run a job, type `fetchrun run news`"),
    (
      ["itms"],
      "unknown command 'itms' (did you mean 'items'?); `fetchrun --help` lists the commands"
    ),
    (["qqqqqq"], "unknown command 'qqqqqq'; `fetchrun --help` lists the commands"),
    (["--json"], "no plugin named: add --plugin FILE; `fetchrun plugins` lists them"),
    (
      ["--plugin", "rss", "--url", "https://a.example/"],
      "'--url' is an option of the plugin 'rss': write --option url=https://a.example/"
    ),
    (
      ["--plugin=rss", "--url=https://a.example/?a&b"],
      "'--url' is an option of the plugin 'rss': write --option url='https://a.example/?a&b'"
    ),
    (["rss", "--url"], "'--url' is an option of the plugin 'rss': write --option url=VALUE"),
    (
      ["add", "json-api", "--max-pages", "3", "--url", "https://a.example/"],
      "'--max-pages' is an option of the plugin 'json-api': write --option max_pages=3 "
        + "--option url=https://a.example/"
    ),
  ]) func `what was meant is named`(words: [String], message: String) throws {
    let program = try Program()
    defer { program.remove() }
    try program.write("here/fetchrun.yaml", "jobs: [{ name: news, plugin: rss }]\n")
    let ending = try program.run(in: "here", words)
    #expect(ending.status == 64)
    #expect(ending.messages == "Error: \(message)\n\(Self.usage)")
    #expect(ending.output.isEmpty)
  }

  @Test func `a mistyped option of fetchrun is none of the plugin's`() throws {
    let program = try Program()
    defer { program.remove() }
    let ending = try program.run("--plugin", "rss", "--jsno")
    #expect(ending.status == 64)
    #expect(ending.messages.hasPrefix("Error: Unknown option '--jsno'. Did you mean '--json'?\n"))
  }

  @Test func `no word at all prints the help`() throws {
    let program = try Program()
    defer { program.remove() }
    let ending = try program.run([])
    #expect(ending.status == 0)
    #expect(ending.output.contains("USAGE: fetchrun --plugin FILE"))
    #expect(ending.messages.isEmpty)
  }

  @Test(arguments: [
    ["run", "rss"], ["explain", "rss"], ["status", "rss"], ["items", "rss"], ["runs", "rss"],
    ["reset", "rss", "--yes"], ["diff", "rss", "1"],
  ]) func `a job is meant by the beginning of its name`(words: [String]) throws {
    let program = try Program()
    defer { program.remove() }
    try program.write(
      "here/fetchrun.yaml",
      "jobs: [{ name: rss-site.example, plugin: rss, options: { url: \"http://127.0.0.1:1/\" } }]\n"
    )
    _ = try program.run(in: "here", ["run"])
    let ending = try program.run(in: "here", words)
    #expect(ending.status != 0)
    #expect(ending.messages.contains("job 'rss' (did you mean 'rss-site.example'?)\n"))
  }

  @Test func `a plugin among the jobs to run is named with its command`() throws {
    let program = try Program()
    defer { program.remove() }
    try program.write("here/fetchrun.yaml", "jobs: [{ name: news, plugin: rss }]\n")
    let ending = try program.run(in: "here", ["run", "x.lua"])
    #expect(ending.status == 78)
    #expect(
      ending.messages
        == "fetchrun: fetchrun.yaml: no job 'x.lua'; to run a plugin, type "
        + "`fetchrun --plugin x.lua`\n")
  }
}
