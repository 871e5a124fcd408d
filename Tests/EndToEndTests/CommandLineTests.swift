import Foundation
import Testing

/// Tests of the messages and exit statuses of commands that send no request.
@Suite struct CommandLineTests {
  @Test func `the version is a number`() throws {
    let program = try Program()
    defer { program.remove() }
    let ending = try program.run("--version")
    #expect(ending.status == 0)
    #expect(ending.output == "0.1.0\n")
  }

  @Test func `an option without a value is a usage error`() throws {
    let program = try Program()
    defer { program.remove() }
    let ending = try program.run("--plugin", "rss", "--option", "url")
    #expect(ending.status == 64)
    #expect(ending.messages.contains("--option needs NAME=VALUE, not 'url'"))
    #expect(ending.output.isEmpty)
  }

  @Test(arguments: [
    "--allow-read", "--option", "--secret", "--allow-private-network", "--on-new", "--hook",
    "--hook-option", "--hook-secret", "--job",
  ]) func `the next option is not the value of an option without a value`(option: String) throws {
    let program = try Program()
    defer { program.remove() }
    let ending = try program.run("--plugin", "rss", option, "--option", "url=https://a.example/")
    #expect(ending.status == 64)
    #expect(ending.messages.hasPrefix("fetchrun: Missing value for '\(option) <"), "\(ending)")
    #expect(ending.output.isEmpty)
  }

  @Test(arguments: [
    (["items", "--limit"], "--limit must be 0 or more"),
    (["items", "--since"], "--since must be 0 or more"),
    (["runs", "--limit"], "--limit must be 0 or more"),
    (["transfers", "--limit"], "--limit must be 0 or more"),
    (["run", "--parallel"], "--parallel must be from 1 to 10000"),
    (["simulate", "--days"], "--days must be from 1 to 3660"),
    (["prune", "--keep-versions"], "--keep-versions must be from 1 to 36500"),
    (["prune", "--keep-run-days"], "--keep-run-days must be from 1 to 36500"),
    (["prune", "--keep-item-days"], "--keep-item-days must be from 1 to 36500"),
    (["record", "rss", "--case", "a", "--runs"], "--runs must be from 1 to 20"),
    (["items", "--since", "-1", "--limit"], "--limit must be 0 or more"),
  ]) func `a negative number is reported with the permitted numbers`(
    words: [String], message: String
  ) throws {
    let program = try Program()
    defer { program.remove() }
    let ending = try program.run(words + ["-1"])
    #expect(ending.status == 64)
    #expect(ending.messages.hasPrefix("fetchrun: \(message)\nUsage: fetchrun \(words[0]) "))
  }

  @Test(arguments: [
    (
      "htp://a.example/x",
      "unknown scheme 'htp' in 'htp://a.example/x': use https://a.example/x or http://a.example/x"
    ),
    (
      "file:///srv/feed.xml",
      "'file:///srv/feed.xml' is a file, not a web page; to add a feed in a file, type"
        + " `fetchrun add rss --option url=file:///srv/feed.xml`"
    ),
  ]) func `an address that is neither http nor https is not added`(
    word: String, message: String
  ) throws {
    let program = try Program()
    defer { program.remove() }
    let ending = try program.run("add", word)
    #expect(ending.status == 64)
    #expect(ending.messages.hasPrefix("fetchrun: \(message)\n"), "\(ending)")
  }

  @Test func `a missing name of a plugin is suggested from the file's name`() throws {
    let program = try Program()
    defer { program.remove() }
    let path = try program.write(
      "My tab.lua", "return { api = 1, version = \"1\", fetch = function() end }")
    let ending = try program.run("check", path)
    #expect(ending.status == 78)
    #expect(ending.messages == "\(path): name: is missing; write name = \"my-tab\"\n")
  }

  @Test func `a mistyped command gets a suggestion`() throws {
    let program = try Program()
    defer { program.remove() }
    let ending = try program.run("itms")
    #expect(ending.status == 64)
    #expect(
      ending.messages.contains(
        "unknown command 'itms' (did you mean 'items'?); `fetchrun --help` lists the commands"))
  }

  @Test func `a store that cannot be created is reported in one sentence, before any request`()
    throws
  {
    let program = try Program()
    defer { program.remove() }
    let ending = try program.run(
      "--plugin", "rss", "--option", "url=https://nowhere.invalid/", "--store", "/proc/x/y")
    #expect(ending.status == 1)
    #expect(
      ending.messages.hasSuffix(
        "fetchrun: the path /proc/x of the store cannot be used (No such file or directory): "
          + "check the path\n"))
  }

  @Test func `the message about a mistyped option has its name and not its value`() throws {
    let program = try Program()
    defer { program.remove() }
    let ending = try program.run("--plugin", "rss", "--optoin", "url=x")
    #expect(ending.status == 64)
    #expect(ending.messages.contains("Unknown option '--optoin'"))
  }

  @Test func `a command without a plugin is a usage error`() throws {
    let program = try Program()
    defer { program.remove() }
    let ending = try program.run("--job", "a")
    #expect(ending.status == 64)
    #expect(
      ending.messages.contains(
        "missing plugin: add --plugin FILE; `fetchrun plugins` lists the plugins"))
    #expect(ending.messages.contains("Usage: fetchrun --plugin FILE [--option NAME=VALUE]..."))
  }

  @Test func `check reports code that would fail in a run, and a run still starts`() throws {
    let program = try Program()
    defer { program.remove() }
    let file = program.folder.appending(path: "slip.lua").path
    let text = """
      return {
        api = 1, name = "slip", version = "1.0.0",
        fetch = function(ctx)
          if ctx.trigger == "schedule" then tosrting("x") end
          return { { id = ctx.option } }
        end,
      }
      """
    try Data(text.utf8).write(to: URL(filePath: file))
    let ending = try program.run("check", file)
    #expect(ending.status == 78)
    #expect(ending.output.isEmpty)
    #expect(
      ending.messages == """
        \(file):4: undefined global 'tosrting': did you mean 'tostring'?
        \(file):5: ctx has no field 'option'; it has checkpoint, complete, emit, job, note, options, run, \
        secret, state, time_left, transfer, trigger

        """)
    let run = try program.run("--plugin", file)
    #expect(run.status == 1)
    #expect(run.output.contains("pluginError: ctx has no field 'option'"))
  }

  @Test func `a byte order mark and an interpreter's line are skipped`() throws {
    let program = try Program()
    defer { program.remove() }
    let path = try program.write(
      "marked.lua",
      """
      \u{FEFF}#![/usr/bin/env lua
      return {
        api = 1, name = "marked", version = "1",
        fetch = function(ctx) error("here") end,
      }
      """)
    #expect(try program.run("check", path).status == 0)
    let run = try program.run("--plugin", path)
    #expect(run.output.hasPrefix("failed  marked  pluginError: here (marked.lua:4)  ("))
  }

  @Test func `a plugin in UTF-16 gets advice on its encoding`() throws {
    let program = try Program()
    defer { program.remove() }
    let path = program.folder.appending(path: "wide.lua").path
    try #require("return {}".data(using: .utf16)).write(to: URL(filePath: path))
    let run = try program.run("--plugin", path)
    #expect(run.status == 78)
    #expect(run.messages.contains("\(path) is UTF-16 text; save it as UTF-8"))
  }

  @Test func `an option that is given twice is a usage error`() throws {
    let program = try Program()
    defer { program.remove() }
    let ending = try program.run(
      "--plugin", "rss", "--option", "url=https://a.example/", "--option", "url=https://b.example/")
    #expect(ending.status == 64)
    #expect(ending.messages.contains("--option url is given twice; keep one"))
  }

  @Test func `a job's name is one line, on the command line and in a config`() throws {
    let program = try Program()
    defer { program.remove() }
    let once = try program.run("--plugin", "rss", "--job", "a\u{1B}[2Jb")
    #expect(once.status == 64)
    #expect(once.messages.contains("--job must be a name on one line"))
    let config = try program.write(
      "fetchrun.yaml", "jobs:\n  - name: \"a\\eb\"\n    plugin: rss\n")
    let run = try program.run("run", "--config", config)
    #expect(run.status == 78)
    #expect(
      run.messages
        == "fetchrun: \(config):2:11: name must be one line of text, not empty and without control "
        + "characters\n")
  }

  @Test func `an unknown flag is a usage error`() throws {
    let program = try Program()
    defer { program.remove() }
    #expect(try program.run("--plugin", "rss", "--jsno").status == 64)
  }

  @Test func `a missing plugin is reported with the searched places`() throws {
    let program = try Program()
    defer { program.remove() }
    let ending = try program.run("--plugin", "reutres")
    #expect(ending.status == 78)
    #expect(
      ending.messages.hasPrefix(
        "fetchrun: reutres: no plugin 'reutres' (did you mean 'reuters'?): there is no reutres.lua"
          + " in "))
  }

  @Test(arguments: ["items", "runs"])
  func `a command that reads a missing store reports what to do`(
    verb: String
  ) throws {
    let program = try Program()
    defer { program.remove() }
    let path = program.folder.path + "/none.sqlite"
    let ending = try program.run(verb, "--store", path)
    #expect(ending.status == 1)
    #expect(
      ending.messages
        == "fetchrun: there is no store at \(path): run a job first, or name another store with"
        + " `--store FILE`\n")
  }

  @Test func `a limit in the config ends the run that reaches it`() throws {
    let program = try Program()
    defer { program.remove() }
    try program.write(
      "loop.lua",
      """
      return { api = 1, name = "loop", version = "1", fetch = function() while true do end end }
      """)
    let path = try program.write(
      "fetchrun.yaml",
      """
      plugins: [.]
      jobs:
        - name: endless
          plugin: loop
          limits: { cpu: 100ms }
      """)
    let ending = try program.run("run", "--config", path, "--json")
    #expect(ending.status == 1)
    #expect(ending.output.contains("\"code\":\"cpuLimit\""))
    #expect(ending.output.contains("more than its 100 ms of CPU time (limit cpu)"))
  }

  @Test func `an invalid limit is reported with its place`() throws {
    let program = try Program()
    defer { program.remove() }
    let path = try program.write(
      "fetchrun.yaml",
      """
      jobs:
        - name: a
          plugin: rss
          limits: { cpu: soon, memroyBytes: 1MB }
      """)
    let ending = try program.run("run", "--config", path)
    #expect(ending.status == 78)
    #expect(
      ending.messages.contains(
        "\(path):4:15: the limit cpu must be a duration such as 30s, more than zero and "
          + "at most 1h\n"))
    #expect(
      ending.messages.contains("unknown limit 'memroyBytes' (did you mean 'memoryBytes'?)"))
  }

  @Test func `all mistakes of a config are reported with their places`() throws {
    let program = try Program()
    defer { program.remove() }
    let path = try program.write(
      "fetchrun.yaml",
      """
      jobs:
        - name: a
          plugni: rss
        - name: b
          plugin: rss
          options: 7
      stoer: x
      """)
    let ending = try program.run("run", "--config", path)
    #expect(ending.status == 78)
    #expect(
      ending.messages == """
        fetchrun: \(path):2:5: the job has no plugin; add plugin: NAME
        fetchrun: \(path):3:5: unknown key 'plugni' (did you mean 'plugin'?)
        fetchrun: \(path):6:14: options must be a mapping of names and values
        fetchrun: \(path):7:1: unknown key 'stoer' (did you mean 'store'?)

        """)
  }
}
