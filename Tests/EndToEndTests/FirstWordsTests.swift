import Foundation
import Testing

/// Tests of the first attempts of beginners. If a command line is invalid, the message suggests
/// what to type.
@Suite struct FirstWordsTests {
  private static let usage = """
    Usage: fetchrun --plugin FILE [--option NAME=VALUE]...
           fetchrun <subcommand>
      See 'fetchrun --help' for more information.

    """

  @Test(arguments: [
    (["x.lua"], "'x.lua' is not a command; to run a plugin, type `fetchrun --plugin x.lua`"),
    (["rss"], "'rss' is not a command; to run a plugin, type `fetchrun --plugin rss`"),
    (
      ["./my plugins/x.lua"],
      "'./my plugins/x.lua' is not a command; to run a plugin, type "
        + "`fetchrun --plugin './my plugins/x.lua'`"
    ),
    (
      ["https://a.example/feed"],
      "an address is not a command; to read a feed, type "
        + "`fetchrun --plugin rss --option url=https://a.example/feed`"
    ),
    (
      ["jobs.yaml"],
      "'jobs.yaml' is not a command; to run the jobs of a config, type "
        + "`fetchrun run --config jobs.yaml`"
    ),
    (["news"], "'news' is not a command; to run a job, type `fetchrun run news`"),
    (
      ["itms"],
      "unknown command 'itms' (did you mean 'items'?); `fetchrun --help` lists the commands"
    ),
    (
      ["list"],
      "unknown command 'list'; `fetchrun status` lists the jobs, and `fetchrun items` lists what "
        + "they found"
    ),
    (["version"], "unknown command 'version'; type `fetchrun --version`"),
    (
      ["add", "rss", "url=https://a.example/"],
      "'url' is an option of the plugin 'rss': write --option url=https://a.example/"
    ),
    (["qqqqqq"], "unknown command 'qqqqqq'; `fetchrun --help` lists the commands"),
    (["--json"], "missing plugin: add --plugin FILE; `fetchrun plugins` lists the plugins"),
    (
      ["--plugin", "rss", "--url", "https://a.example/"],
      "'--url' is an option of the plugin 'rss': write --option url=https://a.example/"
    ),
    (
      ["--plugin=rss", "--url=https://a.example/?a&b"],
      "'--url' is an option of the plugin 'rss': write --option url='https://a.example/?a&b'"
    ),
    (
      ["add", "rss", "https://a.example/?a&b"],
      "the plugin 'rss' expects the address in its option 'url': write "
        + "--option url='https://a.example/?a&b'"
    ),
    (
      ["--url", "https://a.example/?a&b", "--json"],
      "'--url' is an option of a plugin: type `fetchrun --plugin NAME --option "
        + "url='https://a.example/?a&b'`; `fetchrun plugins` lists the names"
    ),
    (
      ["help", "rss"],
      "'rss' is not a command; to see how a plugin is used, type `fetchrun plugins rss`"
    ),
    (
      ["help", "itms"],
      "unknown command 'itms' (did you mean 'items'?); `fetchrun --help` lists the commands"
    ),
    (["rss", "--url"], "'--url' is an option of the plugin 'rss': write --option url=VALUE"),
    (
      ["add", "json-api", "--max-pages", "3", "--url", "https://a.example/"],
      "'--max-pages' is an option of the plugin 'json-api': write --option max_pages=3 "
        + "--option url=https://a.example/"
    ),
    (
      ["pause", "news", "--for", "2h"],
      "unknown option '--for': a pause has no duration, it lasts until `fetchrun resume news`"
    ),
  ]) func `the intended command is suggested`(words: [String], message: String) throws {
    let program = try Program()
    defer { program.remove() }
    try program.write("here/fetchrun.yaml", "jobs: [{ name: news, plugin: rss }]\n")
    let ending = try program.run(in: "here", words)
    #expect(ending.status == 64)
    #expect(ending.messages == "fetchrun: \(message)\n\(Self.usage)")
    #expect(ending.output.isEmpty)
  }

  @Test(arguments: [
    (
      ["new", "ships"],
      "unknown command 'new ships'; to create a plugin, type `fetchrun new plugin ships`"
    ),
    (
      ["new", "mine.lua"],
      "unknown command 'new mine.lua'; to create a plugin, type `fetchrun new plugin mine`"
    ),
    (["new", "plugni", "x"], "unknown command 'new plugni' (did you mean 'new plugin'?)"),
    (["store", "inf"], "unknown command 'store inf' (did you mean 'store info'?)"),
    (
      ["token", "mint", "x"],
      "unknown command 'token mint'; `fetchrun token --help` lists the commands"
    ),
  ]) func `an unknown subcommand is reported without the usage of fetchrun`(
    words: [String], message: String
  ) throws {
    let program = try Program()
    defer { program.remove() }
    let ending = try program.run(words)
    #expect(ending.status == 64)
    #expect(ending.messages == "fetchrun: \(message)\n")
    #expect(ending.output.isEmpty)
  }

  @Test(arguments: [["--plugin", "rss"], []])
  func `a mistyped option of fetchrun is not taken for an option of the plugin`(words: [String])
    throws
  {
    let program = try Program()
    defer { program.remove() }
    let ending = try program.run(words + ["--jsno"])
    #expect(ending.status == 64)
    #expect(
      ending.messages.hasPrefix("fetchrun: Unknown option '--jsno'. Did you mean '--json'?\n"))
  }

  @Test(arguments: [
    ["help"], ["help", "help"], ["help", "items"], ["help", "new", "plugin"], ["help", "--help"],
  ])
  func `existing help is printed`(words: [String]) throws {
    let program = try Program()
    defer { program.remove() }
    let ending = try program.run(words)
    #expect(ending.status == 0 && ending.messages.isEmpty)
    #expect(ending.output.contains("USAGE: fetchrun"))
  }

  @Test(arguments: [
    (
      "[]",
      "fetchrun.yaml has no jobs: `fetchrun add ADDRESS` adds a feed, and "
        + "`fetchrun add PLUGIN --option NAME=VALUE` adds any job"
    ),
    (
      "[{ name: news, plugin: rss, enabled: false, options: { url: \"https://a.example/\" } }]",
      "all jobs of fetchrun.yaml are disabled: `fetchrun run JOB` runs one"
    ),
  ]) func `a config without jobs to run is reported`(jobs: String, message: String) throws {
    let program = try Program()
    defer { program.remove() }
    try program.write("here/fetchrun.yaml", "jobs: \(jobs)\n")
    let ending = try program.run(in: "here", ["run"])
    #expect(ending.status == 0 && ending.output.isEmpty)
    #expect(ending.messages == "fetchrun: \(message)\n")
    // A timer may run this command, so the command does not repeat the message.
    #expect(try program.run(in: "here", ["run", "--due"]).messages.isEmpty)
  }

  @Test func `an empty command line prints the help`() throws {
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
  ]) func `the beginning of a job's name gets its name suggested`(words: [String]) throws {
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

  @Test func `a plugin among the jobs to run is reported with the command for plugins`() throws {
    let program = try Program()
    defer { program.remove() }
    try program.write("here/fetchrun.yaml", "jobs: [{ name: news, plugin: rss }]\n")
    let ending = try program.run(in: "here", ["run", "x.lua"])
    #expect(ending.status == 78)
    #expect(
      ending.messages
        == "fetchrun: fetchrun.yaml: no job 'x.lua'; to run a plugin, type "
        + "`fetchrun --plugin x.lua`\n")
    #expect(
      try program.run(in: "here", ["run", "rss"]).messages
        == "fetchrun: fetchrun.yaml: no job 'rss'; to run a plugin, type `fetchrun --plugin rss`\n")
  }
}
