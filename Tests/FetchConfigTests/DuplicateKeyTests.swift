import FetchConfig
import Foundation
import Testing

/// Tests of mistakes of a file that must not hide the file's other mistakes.
struct DuplicateKeyTests {
  @Test func `duplicate keys do not hide other mistakes`() throws {
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
        "fetchrun.yaml:7:7: duplicate key 'url' (first on line 6): remove one",
        "fetchrun.yaml:8:5: duplicate key 'plugin' (first on line 4): remove one",
        "fetchrun.yaml:9:5: unknown key 'intervall' (did you mean 'interval'?)",
        "fetchrun.yaml:15:5: duplicate key 'hosts' (first on line 12): remove one",
        "fetchrun.yaml:18:14: enabled must be true or false",
      ])
  }

  @Test func `bytes that are not UTF-8 are reported with their place`() throws {
    let folder = try ConfigFolder()
    defer { folder.remove() }
    try (Data("# ä\njobs: ".utf8) + [0xFF, 0x0A]).write(to: URL(filePath: folder.mainFile))
    #expect(folder.problems() == ["fetchrun.yaml:2:7: is not UTF-8 text"])
  }

  @Test func `a job without its dash is one problem, and hides no problem of the rest`() throws {
    let problems = try ConfigFolder.problems(
      """
      jobs:
        - name: a
          plugin: rss
          interval: 1h
          options: { url: "https://a.example/" }

          name: b
          plugin: rss
          interval: 1h
          intervall: 2h
      """)
    #expect(
      problems == [
        "fetchrun.yaml:7:5: duplicate key 'name' in one entry of the list (first on line 2): begin"
          + " the next entry with '- name:', or remove one of the two keys",
        "fetchrun.yaml:10:5: unknown key 'intervall' (did you mean 'interval'?)",
      ])
  }

  @Test func `the place of a second name does not depend on other duplicate keys`() throws {
    let problems = try ConfigFolder.problems(
      """
      jobs:
        - plugin: rss
          interval: 1h
          interval: 2h
          name: a
          name: b
          plugin: rss
      """)
    #expect(
      problems == [
        "fetchrun.yaml:4:5: duplicate key 'interval' (first on line 3): remove one",
        "fetchrun.yaml:6:5: duplicate key 'name' in one entry of the list (first on line 5): begin"
          + " the next entry with '- name:', or remove one of the two keys",
      ])
  }

  @Test func `a byte order mark is skipped`() throws {
    let folder = try ConfigFolder()
    defer { folder.remove() }
    let text = "store: a.sqlite\njobs:\n  - { name: a, plugin: rss }\n"
    try (Data([0xEF, 0xBB, 0xBF]) + Data(text.utf8)).write(to: URL(filePath: folder.mainFile))
    #expect(folder.problems() == [])
  }
}
