import Foundation
import Testing

/// Hook files by the real program.
@Suite struct HookFileTests {
  @Test func `check says what is wrong with a hook file, where, and what to do`() throws {
    let program = try Program()
    defer { program.remove() }
    let file = try program.write(
      "tidy.lua",
      """
      local hook = { timeout = "soon" }
      function hook.on_itme(item)
        return item
      end
      return hook
      """)
    let ending = try program.run("check", file)
    #expect(ending.status == 78)
    #expect(
      ending.messages == """
        \(file):1: timeout: write a duration such as "30s" or "2m"
        \(file):2: on_itme: unknown function (did you mean 'on_item'?); a hook file may \
        have before_run, on_item, on_new_data, on_no_data, on_failed, on_recovered

        """)
  }

  @Test func `check says what a shipped hook file asks for`() throws {
    let program = try Program()
    defer { program.remove() }
    let ending = try program.run("check", "plugins/hooks/ntfy.lua")
    #expect(ending.status == 0)
    #expect(
      ending.output == """
        plugins/hooks/ntfy.lua: fine: hook ntfy, asks for {options.server}, the secret token for \
        {options.server}

        """)
  }

  @Test func `a hook file is no plugin`() throws {
    let program = try Program()
    defer { program.remove() }
    let ending = try program.run("--plugin", "plugins/hooks/ntfy.lua")
    #expect(ending.status == 78)
    #expect(ending.messages.contains("a plugin needs a function: fetch = function(ctx) … end"))
  }
}
