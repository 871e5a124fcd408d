import Foundation
import Testing

/// Tests of the line about an item, which is cut to the width of a terminal and uncut in a pipe.
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
  func `a short address, such as a relative one, is also shown on a terminal`() throws {
    let (program, path) = try program()
    defer { program.remove() }
    for words in [["--plugin", path], ["items"]] {
      let terminal = try TypedTerminal(program, words, environment: ["NO_COLOR": "1"])
      #expect(terminal.end() == 0)
      #expect(terminal.shown.contains("  Ada  /ships/1\r\n"), "\(terminal.shown)")
      #expect(terminal.shown.contains("  Bea  https://a.example/ship/"))
      // Only a few characters of the long address would fit, so it is omitted.
      #expect(!terminal.shown.contains(Self.long) && !terminal.shown.contains(/C…?  h/))
    }
  }

  @Test func `a job can be named by the argument or by the option`() throws {
    let (program, path) = try program()
    defer { program.remove() }
    #expect(try program.run("--plugin", path, "--job", "one").status == 0)
    #expect(try program.run("--plugin", path, "--job", "two").status == 0)
    let named = try program.run("items", "--job", "one")
    #expect(try named.status == 0 && named.output == program.run("items", "one").output)
    #expect(named.lines.count == 3)
    #expect(try program.run("items", "one", "--job", "one").output == named.output)
    let both = try program.run("items", "two", "--job", "one")
    #expect(both.status == 64)
    #expect(
      both.messages.contains("the argument names the job 'two' and --job names 'one': name one job")
    )
    #expect(try program.run("items", "--job", "on").messages.contains("did you mean 'one'?"))
  }

  @Test func `a pipe gets the whole line`() throws {
    let (program, path) = try program()
    defer { program.remove() }
    let ending = try program.run("--plugin", path)
    #expect(ending.output.contains("  Ada  /ships/1\n"))
    #expect(ending.output.contains("  Bea  \(Self.long)\n"))
  }
}
