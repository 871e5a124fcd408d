import Foundation
import Testing

/// Tests of command lines in two forms. `FastArguments` reads the form with separate words if the
/// words are valid. ArgumentParser reads the form with `=`. Both forms must have the same meaning.
@Suite struct FastArgumentsTests {
  private static let feed = "url=file://\(Program.top.path)/examples/top-news.xml"
  private static let granted = ["--option", feed, "--allow-read", "examples"]

  @Test(arguments: [
    granted, granted + ["--json"], granted + ["--job", "news", "--json", "--error-on-no-data"],
    granted + ["--isolate", "--no-wait", "--json"], ["--option", feed, "--json"],
    granted + ["--store", "x/y.db", "--files-root", "files", "--json"],
    granted + ["--allow-private", "--insecure", "--ca-file", "/etc/hosts", "--json"],
    granted + ["--sandbox", "best-effort", "--json"], granted + ["--sandbox", "none"],
    granted + ["--secret", "token=env:HOME"], granted + ["--secret", "token"],
    ["--allow-private-network", "10.0.0.0/8", "--allow-private-network", "::1", "--json"],
    ["--allow-private-network", "10.0.0.1/8"], ["--allow-private-network"],
    granted + ["--hook", "nothing"], ["--hook"],
    granted + ["--hook", "ntfy", "--hook-option", "topic=x", "--hook-secret", "token"],
    granted + ["--hook-option", "topic=x"],
    granted + ["--first-run", "baseline", "--json"], granted + ["--first-run", "some"],
    granted + ["--dry-run", "--json"], granted + ["--dry-run", "--on-new", "cat"],
    ["--option", "url"], ["--option", "uri=x"], [], ["--job", ""],
    ["--option", feed, "--allow-read", "--json"], granted + ["--on-new", "--json"],
  ]) func `a run of one plugin has the same meaning in both forms`(words: [String]) throws {
    try same(["--plugin", "rss"] + words, ["--plugin=rss"] + words)
  }

  @Test(arguments: [
    [], ["--json"], ["a"], ["b", "a", "--json"], ["nobody"], ["--parallel", "1", "--json"],
    ["--parallel", "0"], ["--parallel", "many"], ["--due", "--json"], ["--due", "--now"],
    ["--now", "--error-on-no-data", "--json"], ["--no-wait", "--error-on-no-data"],
    ["--no-wait", "--json", "--allow-private", "--insecure"],
    ["--dry-run", "--json"], ["--dry-run", "--due"],
    ["--json", "--sandbox", "required"], ["--sandbox", "some"],
    ["--json", "--allow-private-network", "10.0.0.0/8"], ["--allow-private-network", "lan"],
    ["--allow-private-network", "--json"],
  ]) func `a run of a config's jobs has the same meaning in both forms`(words: [String]) throws {
    try same(
      ["run", "--config", "jobs.yaml"] + words, ["run", "--config=jobs.yaml"] + words)
  }

  /// Runs both forms and compares their results. A store reports an item as new only once, so each
  /// run has its own store.
  private func same(_ plain: [String], _ parsed: [String]) throws {
    let endings = try [plain, parsed].map { words in
      let program = try Program()
      defer { program.remove() }
      try program.write(
        "jobs.yaml",
        """
        jobs:
          - {name: a, plugin: rss, interval: 1h, options: {\(Self.option)}, allow_read: ["\(Self.examples)"]}
          - {name: b, plugin: rss, interval: 1h, options: {\(Self.option)}}
        """)
      let words = words.map { word in
        word.replacing("jobs.yaml", with: program.folder.path + "/jobs.yaml")
          .replacing("x/y.db", with: program.folder.path + "/x/y.db")
      }
      let ending = try program.run(words)
      return [
        "\(ending.status)", Self.timeless(ending.output, program),
        Self.timeless(ending.messages, program),
      ]
    }
    #expect(endings[0] == endings[1])
  }

  private static let examples = Program.top.path + "/examples"
  private static let option = "url: \"file://\(examples)/top-news.xml\""

  /// Removes the parts that differ between runs, and sorts the lines, because jobs run
  /// concurrently.
  private static func timeless(_ text: String, _ program: Program) -> String {
    let times = #/"run":"[^"]*"|[0-9-]+T[0-9:.]+Z|(Seconds":|in )[0-9.e-]+|[0-9.]+ (ms|s)\b/#
    return text.replacing(program.folder.path, with: "").replacing(times, with: "")
      .split(separator: "\n").sorted().joined(separator: "\n")
  }
}
