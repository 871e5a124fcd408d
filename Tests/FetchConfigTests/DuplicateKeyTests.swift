import FetchConfig
import Foundation
import Testing

/// What of a file hides nothing else of it.
struct DuplicateKeyTests {
  @Test func `keys that stand twice hide nothing of the rest`() throws {
    let problems = try ConfigFolder.problems(
      """
      stoer: x
      jobs:
        - name: a
          plugin: rss
          options:
            url: x
            'url': y
          plugin: rss
          intervall: 1h
        - name: b
          plugin: rss
          hosts:
          - a.example
          # mine
          hosts:
          - b.example

          enabled: maybe
      """)
    #expect(
      problems == [
        "fetchrun.yaml:1:1: unknown key 'stoer' (did you mean 'store'?)",
        "fetchrun.yaml:7:7: the key 'url' stands in line 6 already",
        "fetchrun.yaml:8:5: the key 'plugin' stands in line 4 already",
        "fetchrun.yaml:9:5: unknown key 'intervall' (did you mean 'interval'?)",
        "fetchrun.yaml:15:5: the key 'hosts' stands in line 12 already",
        "fetchrun.yaml:18:14: enabled must be true or false",
      ])
  }

  @Test func `bytes that are no UTF-8 are told with their place`() throws {
    let folder = try ConfigFolder()
    defer { folder.remove() }
    try (Data("# ä\njobs: ".utf8) + [0xFF, 0x0A]).write(to: URL(filePath: folder.mainFile))
    #expect(folder.problems() == ["fetchrun.yaml:2:7: is not UTF-8 text"])
  }
}
