import FetchTestSupport
import Foundation
import Testing

/// Tests of the environment of a hook's program.
@Suite(.timeLimit(.minutes(5))) struct HookEnvironmentTests {
  @Test func `a hook's program has a minimal environment, without the secrets of any job`() throws {
    let program = try Program()
    defer { program.remove() }
    let written = program.folder.path + "/environment"
    try program.write(
      "probe.lua",
      """
      return {
        api = 1, name = "probe", version = "1",
        permissions = { secrets = { token = { hosts = { "a.example" } } } },
        fetch = function() return { { id = "1", title = "one" } } end,
      }
      """)
    let config = try program.write(
      "fetchrun.yaml",
      """
      store: \(program.store)
      secrets: { other: { env: LC_OTHER } }
      hooks:
        - name: tell
          command: { run: "env > \(written)", shell: true, env: [NAMED, ABSENT] }
      jobs:
        - name: probe
          plugin: ./probe.lua
          secrets: { token: { env: FETCHRUN_TOKEN } }

      """)
    let ending = try program.start(
      ["run", "--config", config],
      environment: [
        "FETCHRUN_TOKEN": "hunter2222", "LC_OTHER": "hunter3333", "NAMED": "yes", "UNNAMED": "no",
        "AWS_SECRET_ACCESS_KEY": "no", "LC_TIME": "C", "TZ": "UTC", "TMPDIR": "/tmp",
      ]
    ).wait()
    #expect(ending.status == 0, "\(ending)")
    let lines = try String(contentsOfFile: written, encoding: .utf8).split(separator: "\n")
    let names = Set(lines.compactMap { $0.split(separator: "=").first.map(String.init) })
    for name in ["PATH", "LC_TIME", "TZ", "TMPDIR", "NAMED", "FETCHRUN_JOB", "FETCHRUN_TITLE"] {
      #expect(names.contains(name), "\(name)")
    }
    for name in ["FETCHRUN_TOKEN", "LC_OTHER", "UNNAMED", "AWS_SECRET_ACCESS_KEY", "ABSENT"] {
      #expect(!names.contains(name), "\(name)")
    }
    #expect(!lines.contains { $0.contains("hunter") })
  }
}
