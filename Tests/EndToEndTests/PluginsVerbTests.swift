import Foundation
import Testing

@Suite struct PluginsVerbTests {
  private static let shipped = Program.top.path + "/plugins"

  @Test func `plugins are listed with descriptions and folders`() throws {
    let program = try Program()
    defer { program.remove() }
    try program.write(
      "here/plugins/probe.lua",
      "return { api = 1, name = \"probe\", version = \"2\", fetch = function() end }")
    try program.write("here/plugins/broken.lua", "return {")
    try program.write("here/plugins/notes.txt", "")
    let table = try program.run(in: "here", ["plugins"])
    #expect(table.status == 0)
    let rows = table.lines.map { $0.split(separator: " ").map(String.init) }
    #expect(
      rows.map { $0[0] }
        == ["NAME", "broken", "file-sync", "json-api", "probe", "reuters", "rss", "web-page"])
    #expect(rows[4] == ["probe", "2", "plugins"])
    #expect(rows[6] == ["rss", "1.0.0", "RSS,", "Atom", "and", "JSON", "Feed", Self.shipped])
    let json = try program.run(in: "here", ["plugins", "--json"])
    #expect(json.lines.count == 7)
    #expect(
      json.lines[0].hasPrefix(
        "{\"name\":\"broken\",\"file\":\"plugins/broken.lua\",\"version\":null,\"description\":null,"
          + "\"problem\":\"plugins/broken.lua:1: "))
    #expect(
      json.lines[5]
        == "{\"name\":\"rss\",\"file\":\"\(Self.shipped)/rss.lua\",\"version\":\"1.0.0\","
        + "\"description\":\"RSS, Atom and JSON Feed\",\"problem\":null}")
  }

  @Test func `a plugin is shown with its options, permissions and an example`() throws {
    let program = try Program()
    defer { program.remove() }
    let shown = try program.run(in: "here", ["plugins", "rss"])
    #expect(shown.status == 0)
    #expect(
      shown.output == """
        rss 1.0.0: RSS, Atom and JSON Feed
        \(Self.shipped)/rss.lua

        Options
          url  (url, required)
              address of the feed

        Permissions that the plugin asks for
          reach the hostname in its option url

        Interval
          adaptive

        Example
          fetchrun --plugin rss --option url=https://www.swift.org/atom.xml

          jobs:
            - name: rss-swift.org
              plugin: rss
              options:
                url: https://www.swift.org/atom.xml

        """)
    let json = try program.run(in: "here", ["plugins", "rss", "--json"])
    #expect(
      json.output
        == "{\"name\":\"rss\",\"version\":\"1.0.0\",\"description\":\"RSS, Atom and JSON Feed\","
        + "\"file\":\"\(Self.shipped)/rss.lua\",\"options\":[{\"name\":\"url\",\"type\":\"url\","
        + "\"required\":true,\"default\":null,\"choices\":[],\"description\":\"address of the feed\","
        + "\"example\":\"https://www.swift.org/atom.xml\"}],\"asks\":[{\"reach\":\"{options.url}\"}],"
        + "\"interval\":\"adaptive\","
        + "\"command\":\"fetchrun --plugin rss --option url=https://www.swift.org/atom.xml\","
        + "\"config\":\"jobs:\\n  - name: rss-swift.org\\n    plugin: rss\\n    options:\\n"
        + "      url: https://www.swift.org/atom.xml\\n\"}\n")
  }

  @Test(arguments: ["file-sync", "json-api", "reuters", "rss", "web-page"])
  func `the example config is valid, and the text fits a terminal`(name: String) throws {
    let program = try Program()
    defer { program.remove() }
    let lines = try program.run(in: "here", ["plugins", name]).lines
    let start = try #require(lines.firstIndex(of: "  jobs:"))
    let config = lines[start...].map { $0.dropFirst(2) + "\n" }.joined()
    try program.write("here/fetchrun.yaml", config)
    let check = try program.run(in: "here", ["check"])
    #expect(check.output == "fetchrun.yaml: fine: 1 job\n", "\(check.messages)")
    let free = ["  fetchrun --plugin", "        fields:"]
    #expect(
      lines.filter { $0.count > 80 }.allSatisfy { line in free.contains { line.hasPrefix($0) } })
  }

  @Test func `plugins of the config's folders are found`() throws {
    let program = try Program()
    defer { program.remove() }
    try program.write(
      "shelf/probe.lua",
      "return { api = 1, name = \"probe\", version = \"2\", fetch = function() end }")
    let config = try program.write("fetchrun.yaml", "plugins: [shelf]\njobs: []\n")
    let shown = try program.run(in: "here", ["plugins", "probe", "--config", config])
    #expect(shown.output.hasPrefix("probe 2\n"))
    #expect(shown.output.contains("\nPermissions that the plugin asks for\n  nothing\n"))
  }

  @Test func `an unknown plugin gets a suggestion`() throws {
    let program = try Program()
    defer { program.remove() }
    let ending = try program.run(in: "here", ["plugins", "rsss"])
    #expect(ending.status == 78)
    #expect(ending.messages.hasPrefix("fetchrun: rsss: no plugin 'rsss' (did you mean 'rss'?): "))
  }

  @Test(arguments: [[], ["--markdown"]])
  func `a plugin's description cannot act on a terminal or a shell`(more: [String]) throws {
    let program = try Program()
    defer { program.remove() }
    try program.write(
      "here/evil.lua",
      """
      return { api = 1, name = "evil", version = "1\\27[2J", description = "a\\27]0;b\\7\\n\\27[1A",
        options = { ["x; reboot"] = { required = true, example = "$(reboot)" } },
        fetch = function() end }
      """)
    let shown = try program.run(in: "here", ["plugins", "./evil.lua"] + more)
    #expect(shown.status == 0)
    #expect(!shown.output.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
    #expect(
      shown.output.contains("fetchrun --plugin ./evil.lua --option 'x; reboot=$(reboot)'\n"))
  }
}
