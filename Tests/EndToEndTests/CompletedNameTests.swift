import Foundation
import Testing

/// Tests of the words that are offered for jobs, hooks, plugins and ids, also in bash and zsh.
@Suite struct CompletedNameTests {
  let program: Program

  init() throws {
    program = try Program()
    try program.write(
      "fetchrun.yaml",
      """
      store: own.sqlite
      hooks:
        - name: post-office
          file: { path: news.txt }
      jobs:
        - name: swift
          plugin: rss
          options: { url: "file://\(Program.top.path)/examples/top-news.xml" }
          allow_read: \(Program.top.path)/examples
        - name: summer
          plugin: rss
          options: { url: "https://example.org/feed" }
        - name: kernel
          plugin: rss
          options: { url: "https://example.org/feed" }
      """)
  }

  private var config: String { program.folder.path + "/fetchrun.yaml" }

  /// Requests a completion in the form that shells use: the argument, the index of the completed
  /// word, the place of the cursor in this word, and the words.
  private func asked(
    _ verb: [String], _ argument: String, _ words: [String]
  ) throws -> Program.Ending {
    let line = ["fetchrun"] + words
    return try program.run(
      ["---completion"] + verb
        + ["--", argument, "\(line.count - 1)", "\(line.last?.utf8.count ?? 0)"] + line)
  }

  private func offered(
    _ verb: [String], _ argument: String, _ words: [String]
  ) throws -> [String] {
    let ending = try asked(verb, argument, words)
    #expect(ending.status == 0)
    #expect(ending.messages == "")
    return ending.lines
  }

  @Test func `jobs of the typed config are offered by their first letters`() throws {
    defer { program.remove() }
    let words = ["explain", "--config", config]
    #expect(
      try offered(["explain"], "positional@0", words + [""]) == ["swift", "summer", "kernel"])
    #expect(try offered(["explain"], "positional@0", words + ["s"]) == ["swift", "summer"])
    #expect(
      try offered(["run"], "positional@0", ["run", "--config=\(config)", "k"]) == ["kernel"])
  }

  @Test func `jobs of the store are offered even if they are in no config`() throws {
    defer { program.remove() }
    let store = program.folder.path + "/other.sqlite"
    let feed = Program.top.path + "/examples/top-news.xml"
    let run = try program.run(
      "--plugin", "rss", "--job", "once-only", "--option", "url=file://" + feed, "--allow-read",
      feed, "--store", store)
    #expect(run.status == 0)
    #expect(
      try offered(["runs"], "positional@0", ["runs", "--store", store, "o"]) == ["once-only"])
  }

  @Test func `hooks are offered for --hook, and plugins by name and as files`() throws {
    defer { program.remove() }
    #expect(
      try offered(
        ["deliveries"], "--hook", ["deliveries", "--config", config, "--hook", "p"])
        == ["post-office"])
    #expect(
      try offered(
        ["permissions"], "positional@0", ["permissions", "--config", config, "--hook", ""])
        == ["post-office"])
    try program.write("mine.lua", "")
    #expect(try offered(["add"], "positional@0", ["add", "js"]) == ["json-api"])
    let path = program.folder.path + "/m"
    #expect(try offered(["once"], "--plugin", ["--plugin", path]) == [path + "ine.lua"])
  }

  @Test func `ids of items are offered for the job that was typed`() throws {
    defer { program.remove() }
    #expect(try program.run("run", "swift", "--config", config).status == 0)
    let items = try program.run("items", "--config", config, "--json", "--limit", "0").lines
    #expect(items.count > 3)
    let before = try names()
    let ids = try offered(["diff"], "positional@1", ["diff", "--config", config, "swift", ""])
    #expect(ids.count == items.count)
    #expect(try offered(["diff"], "positional@1", ["diff", "--config", config, "none", ""]) == [])
    #expect(try names() == before, "completion must not leave files")
  }

  private func names() throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: program.folder.path).sorted()
  }

  /// bash expands the offered words, and servers choose the ids. A hostile id must not become a
  /// command.
  @Test func `an id that a shell would execute is not offered`() throws {
    defer { program.remove() }
    let mark = program.folder.path + "/carried-out"
    try program.write(
      "hostile.lua",
      """
      return { api = 1, name = "hostile", version = "1.0.0", fetch = function()
        return { { id = "$(touch \(mark))", title = "a" }, { id = "`touch \(mark)`", title = "b" },
                 { id = "a b", title = "c" }, { id = "-x", title = "d" },
                 { id = "fine-1", title = "e" } }
      end }
      """)
    let store = program.folder.path + "/h.sqlite"
    let run = try program.run(
      "--plugin", program.folder.path + "/hostile.lua", "--job", "h", "--store", store)
    #expect(run.status == 0, "\(run.messages)")
    #expect(
      try offered(["diff"], "positional@1", ["diff", "--store", store, "h", ""]) == ["fine-1"])
  }

  @Test func `without config and store, nothing is printed and nothing is created`() throws {
    defer { program.remove() }
    let missing = program.folder.path + "/none/fetchrun.yaml"
    for (verb, argument) in [
      ("explain", "positional@0"), ("transfers", "positional@1"), ("deliveries", "positional@1"),
    ] {
      #expect(
        try offered([verb], argument, [verb, "--config", missing, "--store", missing, ""]) == [])
    }
    #expect(!FileManager.default.fileExists(atPath: program.folder.path + "/none"))
  }

  @Test func `an invalid completion request gets no output and no message`() throws {
    defer { program.remove() }
    for words in [
      ["---completion"], ["---completion", "none", "--", "x"], ["---completion", "--"],
    ] {
      let asked = try program.run(words)
      #expect(asked.status != 0)
      #expect(asked.output + asked.messages == "")
    }
  }

  @Test func `jobs are offered although the config has mistakes elsewhere`() throws {
    defer { program.remove() }
    let text = try String(contentsOfFile: config, encoding: .utf8)
    try program.write("fetchrun.yaml", text + "\nnonsense: true\n")
    #expect(
      try offered(["explain"], "positional@0", ["explain", "--config", config, "k"]) == ["kernel"])
  }

  /// bash splits the typed word at its colons, so `wire:2` arrives as three words.
  @Test func `bash completes an id with a colon, at which it splits words`() throws {
    defer { program.remove() }
    try program.write(
      "colons.lua",
      """
      return { api = 1, name = "colons", version = "1.0.0", fetch = function()
        return { { id = "wire:2026", title = "a" }, { id = "wire:1999", title = "b" } }
      end }
      """)
    let store = program.folder.path + "/c.sqlite"
    let run = try program.run(
      "--plugin", program.folder.path + "/colons.lua", "--job", "c", "--store", store)
    #expect(run.status == 0, "\(run.messages)")
    let script = try program.write(
      "completion.bash", program.run("--generate-completion-script", "bash").output)
    let line = "fetchrun diff --store \(store) c wire:2"
    let asked = """
      fetchrun() { \(Program.executable.path) "$@"; }
      source \(script)
      COMP_LINE='\(line)'; COMP_POINT=${#COMP_LINE}; COMP_WORDBREAKS=$' \\t\\n"\\'><=;|&(:'
      COMP_WORDS=(fetchrun diff --store \(store) c wire : 2); COMP_CWORD=7
      _fetchrun_words fetchrun 2 :
      printf '%s\\n' "${COMPREPLY[@]}"
      """
    let process = Process()
    process.executableURL = URL(filePath: "/bin/bash")
    process.arguments = ["-c", asked]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = String(
      decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    #expect(text.split(separator: "\n") == ["2026"])
  }

  @Test func `zsh gets colons that are not read as the start of a description`() throws {
    defer { program.remove() }
    try program.write(
      "colons.lua",
      """
      return { api = 1, name = "colons", version = "1.0.0", fetch = function()
        return { { id = "wire:2026", title = "a" } }
      end }
      """)
    let store = program.folder.path + "/z.sqlite"
    let run = try program.run(
      "--plugin", program.folder.path + "/colons.lua", "--job", "z", "--store", store)
    #expect(run.status == 0, "\(run.messages)")
    let words = ["fetchrun", "diff", "--store", store, "z", ""]
    let asked = try program.run(
      ["---completion", "diff", "--", "positional@1", "5", "0"] + words,
      environment: ["SAP_SHELL": "zsh"])
    #expect(asked.lines.first == "wire\\:2026")
  }
}
