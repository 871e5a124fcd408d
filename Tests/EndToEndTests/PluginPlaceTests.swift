import Foundation
import Testing

/// Tests of the search for plugins, from any working folder.
@Suite struct PluginPlaceTests {
  private static let feed = [
    "--option", "url=\(MainJobTests.feed)", "--allow-read", "\(Program.top.path)/examples",
  ]
  private static let shipped = Program.top.path + "/plugins"

  @Test(arguments: ["reuters", "reuters.lua", "rss"])
  func `shipped plugins run in an empty folder`(plugin: String) throws {
    let program = try Program()
    defer { program.remove() }
    let ending = try program.run(in: "empty", ["--plugin", plugin, "--job", "j"] + Self.feed)
    #expect(ending.status == 0)
    #expect(ending.output.hasPrefix("newData  j  20 added"))
  }

  @Test func `a file that is named without its path is answered with the path`() throws {
    let program = try Program()
    defer { program.remove() }
    try program.write("here/ships.lua", "return {}")
    let named = try program.run(in: "here", ["--plugin", "ships"])
    #expect(named.status == 78)
    #expect(
      named.messages.hasSuffix(
        "; to use the file ships.lua in this folder, write ./ships.lua\n"), "\(named)")
    let home = try program.run(in: "here", ["--plugin=~/ships.lua"])
    #expect(home.status == 78)
    #expect(
      home.messages.hasSuffix("; `~` is not expanded here: write the whole path\n"), "\(home)")
  }

  @Test func `installed plugins are found through a link to the program, without the checkout`()
    throws
  {
    let program = try Program()
    defer { program.remove() }
    let files = FileManager.default
    let root = program.folder.resolvingSymlinksInPath().path
    let (prefix, link) = (root + "/usr", root + "/links/fetchrun")
    for folder in ["/usr/bin", "/usr/share/fetchrun/plugins", "/links", "/empty"] {
      try files.createDirectory(atPath: root + folder, withIntermediateDirectories: true)
    }
    for name in ["fetchrun", "fetchrun-worker"] {
      let built = Program.executable.resolvingSymlinksInPath().deletingLastPathComponent().path
      let (from, to) = (built + "/" + name, prefix + "/bin/" + name)
      // The programs are large, so they are linked. A hard link to a file has its own path.
      do { try files.linkItem(atPath: from, toPath: to) } catch {
        try files.copyItem(atPath: from, toPath: to)
      }
    }
    for name in ["rss.lua", "reuters.lua"] {
      try files.copyItem(
        atPath: Self.shipped + "/" + name, toPath: prefix + "/share/fetchrun/plugins/" + name)
    }
    try files.createSymbolicLink(atPath: link, withDestinationPath: prefix + "/bin/fetchrun")
    func run(_ words: String...) throws -> (output: String, messages: String) {
      let process = Process()
      process.executableURL = URL(filePath: link)
      process.arguments = words
      process.currentDirectoryURL = URL(filePath: root + "/empty")
      process.environment = program.environment
      let pipes = (output: Pipe(), messages: Pipe())
      process.standardOutput = pipes.output
      process.standardError = pipes.messages
      try process.run()
      process.waitUntilExit()
      let texts = try [pipes.output, pipes.messages].map {
        String(decoding: try $0.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
      }
      return (texts[0], texts[1])
    }
    let checked = try run("check", "reuters", "web-page")
    #expect(
      checked.output.hasPrefix("\(prefix)/share/fetchrun/plugins/reuters.lua: fine: reuters 1.1.0"))
    #expect(
      checked.messages.hasSuffix(
        "no plugin 'web-page': there is no web-page.lua in plugins, "
          + "\(program.folder.path)/.local/share/fetchrun/plugins, "
          + "\(prefix)/share/fetchrun/plugins; `fetchrun plugins` lists the plugins\n"))
    // The first command of the README builds no page.
    #if DEBUG
      let configuration = "debug"
    #else
      let configuration = "release"
    #endif
    #expect(
      try run("web").messages
        == "fetchrun: fetchrun-web is missing: install the whole package, or build it beside "
        + "fetchrun with `swift build -c \(configuration) --product fetchrun-web`\n")
  }

  @Test func `a copy of reuters.lua in another folder finds the module rss`() throws {
    let program = try Program()
    defer { program.remove() }
    try program.write(
      "mine/reuters.lua", String(contentsOfFile: Self.shipped + "/reuters.lua", encoding: .utf8))
    let ending = try program.run(
      in: "mine", ["--plugin", "reuters.lua", "--job", "j"] + Self.feed)
    #expect(ending.status == 0)
    #expect(ending.output.hasPrefix("newData  j  20 added"))
  }

  @Test func `a missing file is searched for here and in the plugin folders`() throws {
    let program = try Program()
    defer { program.remove() }
    let ending = try program.run(in: "empty", ["--plugin", "reutres.lua"])
    #expect(ending.status == 78)
    #expect(
      ending.messages
        == "fetchrun: reutres.lua: no plugin 'reutres.lua' (did you mean 'reuters'?): there is no "
        + "reutres.lua in this folder, plugins, \(program.folder.path)/.local/share/fetchrun/plugins"
        + ", \(Self.shipped); `fetchrun plugins` lists the plugins\n")
  }

  @Test(arguments: ["run", "check", "simulate"])
  func `a file that a config names without a slash is found beside it, from any working folder`(
    verb: String
  ) throws {
    let program = try Program()
    defer { program.remove() }
    try program.write("config/source.lua", HookFileTests.source)
    try program.write(
      "config/tell.lua", "return { on_new_data = function(run) end }")
    let config = try program.write(
      "config/fetchrun.yaml",
      """
      store: store.sqlite
      hooks: [{ name: tell, lua: tell.lua }]
      jobs: [{ name: source, plugin: source.lua, hooks: [{ name: own, lua: { file: tell.lua } }] }]
      """)
    let words = verb == "check" ? [verb, config] : [verb, "--config", config]
    for place in ["elsewhere", "config"] {
      let ending = try program.run(in: place, words)
      #expect(ending.status == 0, "\(ending)")
    }
  }

  @Test(arguments: ["run", "check"])
  func `a file in the working folder alone is not found for a config elsewhere`(
    verb: String
  ) throws {
    let program = try Program()
    defer { program.remove() }
    try program.write("elsewhere/source.lua", HookFileTests.source)
    try program.write("elsewhere/tell.lua", "return { on_new_data = function(run) end }")
    let config = try program.write(
      "config/fetchrun.yaml",
      """
      store: store.sqlite
      hooks: [{ name: tell, lua: tell.lua }]
      jobs: [{ name: source, plugin: source.lua }]
      """)
    let words = verb == "check" ? [verb, config] : [verb, "--config", config]
    let ending = try program.run(in: "elsewhere", words)
    #expect(ending.status != 0)
    let folder = program.folder.path + "/config"
    let said = ending.output + ending.messages
    for name in ["source.lua", "tell.lua"] {
      #expect(
        said.contains(
          "; the \(name) in the working folder is not used: a path in a config is relative to the "
            + "config's folder, \(folder)"), "\(ending)")
    }
    #expect(said.contains("there is no source.lua in \(folder), plugins, "), "\(said)")
  }

  @Test func `a plugin that another plugin requires counts as part of its file`() throws {
    let program = try Program()
    defer { program.remove() }
    func writeBase(_ host: String) throws {
      try program.write(
        "shelf/base.lua",
        """
        return { api = 1, name = "base", version = "1", permissions = { http = { "\(host)" } },
          fetch = function(ctx) return { { id = "1", title = "one" } } end }
        """)
    }
    try writeBase("a.example")
    try program.write(
      "mine/probe.lua",
      """
      local base = require "base"
      return { api = 1, name = "probe", version = "1", permissions = base.permissions,
        fetch = base.fetch }
      """)
    let config = try program.write(
      "fetchrun.yaml",
      """
      store: store.sqlite
      plugins: [shelf]
      jobs: [{ name: probe, plugin: mine/probe.lua }]
      """)
    #expect(try program.run("run", "--config", config).status == 0)
    try writeBase("b.example")
    let held = try program.run("run", "--config", config)
    #expect(held.status == 1)
    #expect(held.output.contains("to reach b.example; the file has not run"))
  }
}
