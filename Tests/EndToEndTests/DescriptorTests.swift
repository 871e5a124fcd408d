import Foundation
import Testing

/// Tests of a low limit of file descriptors, and of the limit that started programs have.
@Suite struct DescriptorTests {
  let program: Program
  private let plugin: String

  init() throws {
    program = try Program()
    plugin = try program.write(
      "one.lua",
      """
      return {
        api = 1, name = "one", version = "1",
        fetch = function(ctx) return { { id = ctx.run } } end,
      }
      """)
  }

  private func limited(_ limits: String, _ words: [String]) throws -> Program.Ending {
    let launcher = ["/bin/sh", "-c", "ulimit \(limits) && exec \"$@\"", "sh"]
    return try program.start(words, launcher: launcher).wait()
  }

  private static let advice =
    "too few file descriptors: the limit is 32, and 256 are needed; as root, raise the hard limit"
    + " with `ulimit -Hn 256`, or with LimitNOFILE=256 in a systemd unit\n"

  @Test func `too few descriptors are an error with the number that is needed`() throws {
    defer { program.remove() }
    let config = try program.write("fetchrun.yaml", "jobs: [{name: one, plugin: \(plugin)}]\n")
    for words in [
      ["--plugin", plugin], ["run", "--config", config], ["serve", "--config", config], ["doctor"],
    ] {
      let ending = try limited("-n 32", words)
      #expect(ending.status == 1 && ending.output.isEmpty, "\(words): \(ending)")
      #expect(ending.messages.hasSuffix(Self.advice), "\(words): \(ending)")
    }
  }

  @Test func `a soft limit is raised, and the commands of hooks have the original one`() throws {
    defer { program.remove() }
    let command = "sleep 0.1; echo soft $(ulimit -Sn), hard $(ulimit -Hn)"
    let ending = try limited(
      "-Sn 32 && ulimit -Hn 4096", ["--plugin", plugin, "--on-new", command])
    #expect(ending.status == 0, "\(ending)")
    #expect(ending.lines.last == "soft 32, hard 4096", "\(ending)")
  }
}
