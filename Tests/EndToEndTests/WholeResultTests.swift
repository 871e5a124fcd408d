import FetchTestSupport
import Testing

/// Tests of the removal of items that are missing from a complete result, and of the cases in which
/// a result is complete.
@Suite struct WholeResultTests {
  /// Returns a plugin that emits an item for each name in its option. If requested, a checkpoint
  /// follows each item.
  private static func plugin(manifest: String, said: String) -> String {
    """
    return {
      api = 1, name = "names", version = "1", \(manifest)
      options = {
        names = { type = "list", required = true }, parts = { type = "boolean", default = false },
      },
      fetch = function(ctx)
        for _, name in ipairs(ctx.options.names) do
          ctx:emit({ id = name, title = name })
          if ctx.options.parts then ctx:checkpoint() end
        end
        \(said)
      end,
    }
    """
  }

  private func counts(_ program: Program, _ path: String, _ names: String, parts: Bool) throws
    -> [Substring]
  {
    let run = try program.run(
      "--plugin", path, "--job", "names", "--option", "names=\(names)", "--option",
      "parts=\(parts)", "--json")
    #expect(run.status == 0)
    let line = try #require(run.lines.last)
    return line.split(separator: ",").filter { text in
      ["\"added\"", "\"updated\"", "\"removed\""].contains { text.hasPrefix($0) }
    }
  }

  @Test(arguments: [
    ("items = { complete = true },", ""), ("", "ctx:complete()"),
  ])
  func `items missing from a complete result are removed, whether it was emitted in parts or not`(
    manifest: String, said: String
  ) throws {
    let program = try Program()
    defer { program.remove() }
    let path = try program.write("names.lua", Self.plugin(manifest: manifest, said: said))
    #expect(
      try counts(program, path, "a,b,c", parts: true)
        == ["\"added\":3", "\"updated\":0", "\"removed\":0"])
    // Items of an earlier part of the run are not missing.
    #expect(
      try counts(program, path, "a,b,c", parts: true)
        == ["\"added\":0", "\"updated\":0", "\"removed\":0"])
    #expect(
      try counts(program, path, "a,c", parts: true)
        == ["\"added\":0", "\"updated\":0", "\"removed\":1"])
    #expect(
      try counts(program, path, "c,d", parts: false)
        == ["\"added\":1", "\"updated\":0", "\"removed\":1"])
    #expect(
      try counts(program, path, "a,c,d", parts: false)
        == ["\"added\":1", "\"updated\":0", "\"removed\":0"])
  }

  @Test func `a run without a complete result removes nothing`() throws {
    let program = try Program()
    defer { program.remove() }
    let path = try program.write(
      "names.lua",
      Self.plugin(manifest: "", said: "if #ctx.options.names > 1 then ctx:complete() end"))
    #expect(
      try counts(program, path, "a,b", parts: false)
        == ["\"added\":2", "\"updated\":0", "\"removed\":0"])
    #expect(
      try counts(program, path, "a", parts: false)
        == ["\"added\":0", "\"updated\":0", "\"removed\":0"])
    #expect(
      try counts(program, path, "b,c", parts: false)
        == ["\"added\":1", "\"updated\":0", "\"removed\":1"])
  }
}
