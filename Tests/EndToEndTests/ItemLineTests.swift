import Foundation
import Testing

/// The line of an item on a terminal, which is cut to its width, and in a pipe, which is not.
@Suite struct ItemLineTests {
  private static let long = "https://a.example/" + String(repeating: "ship/", count: 30)

  private func program() throws -> (Program, String) {
    let program = try Program()
    let path = try program.write(
      "ships.lua",
      """
      return {
        api = 1, name = "ships", version = "1",
        fetch = function()
          return { { id = 1, title = "Ada", url = "/ships/1" },
            { id = 2, title = "Bea", url = "\(Self.long)" },
            { id = 3, title = ("C"):rep(70), url = "\(Self.long)" } }
        end,
      }
      """)
    return (program, path)
  }

  @Test(.enabled(if: TypedTerminal.isAvailable))
  func `a short address, as a relative one, is shown on a terminal too`() throws {
    let (program, path) = try program()
    defer { program.remove() }
    for words in [["--plugin", path], ["items"]] {
      let terminal = try TypedTerminal(program, words, environment: ["NO_COLOR": "1"])
      #expect(terminal.end() == 0)
      #expect(terminal.shown.contains("  Ada  /ships/1\r\n"), "\(terminal.shown)")
      #expect(terminal.shown.contains("  Bea  https://a.example/ship/"))
      // Of the last one only a few characters would be left.
      #expect(!terminal.shown.contains(Self.long) && !terminal.shown.contains(/C…?  h/))
    }
  }

  @Test func `a pipe has all of it`() throws {
    let (program, path) = try program()
    defer { program.remove() }
    let ending = try program.run("--plugin", path)
    #expect(ending.output.contains("  Ada  /ships/1\n"))
    #expect(ending.output.contains("  Bea  \(Self.long)\n"))
  }
}
