import FetchValues
import Foundation
import Testing

/// Tests of plugins on a kernel that cannot confine them completely.
@Suite struct SandboxTests {
  private static let plugin = """
    return {
      api = 1, name = "plain", version = "1",
      fetch = function(ctx) return { { id = "a" } } end,
    }
    """
  private static let refusal =
    "fetchrun: plugins are not run: the kernel refuses the system call filter that confines "
    + "plugins (Invalid argument); use a kernel or container that allows seccomp filters, or accept "
    + "the risk with `sandbox: best-effort` in the config or `--sandbox best-effort`\n"
  private static let warning =
    "plugins run without the system call filter (sandbox: best-effort): only Landlock, if "
    + "available, confines a plugin that breaks out of Lua"

  private static func without(_ calls: [String]) -> [String] {
    let launcher = Program.executable.deletingLastPathComponent().appending(path: "WithoutCalls")
    return [launcher.path] + calls + ["--"]
  }

  private func run(_ program: Program, _ words: [String], without calls: [String]) throws
    -> Program.Ending
  {
    try program.start(words, launcher: calls).wait()
  }

  @Test func `without the system call filter no verb runs a plugin`() throws {
    let program = try Program()
    defer { program.remove() }
    let path = try program.write("plain.lua", Self.plugin)
    let config = try program.write(
      "fetchrun.yaml", "jobs:\n  - {name: p, plugin: \(path), interval: 1h}\n")
    let verbs = [
      ["--plugin", path], ["--plugin=\(path)"], ["run", "--config", config],
      ["run", "--config=\(config)"], ["serve", "--config", config], ["check", path],
      ["check", config], ["test", path], ["record", path, "--case", "one"],
      ["simulate", "--config", config],
    ]
    for words in verbs {
      let ending = try run(program, words, without: Self.without(["seccomp"]))
      #expect(ending.status == 78, "\(words)")
      #expect(ending.messages == Self.refusal, "\(words)")
      #expect(ending.output.isEmpty, "\(words)")
    }
  }

  @Test
  func
    `a worker that cannot install its filter runs no plugin, with or without a cached manifest`()
    throws
  {
    let program = try Program()
    defer { program.remove() }
    let path = try program.write("plain.lua", Self.plugin)
    let config = try program.write(
      "fetchrun.yaml", "jobs:\n  - {name: p, plugin: \(path), interval: 1h}\n")
    let refusal = String(Self.refusal.dropFirst("fetchrun: ".count))
    for isKnown in [false, true] {
      // With a cached manifest, the run starts the first worker.
      if isKnown { #expect(try program.run("--plugin", path).status == 0) }
      for words in [
        ["--plugin", path], ["--plugin", path, "--json"], ["run", "--config", config],
        ["serve", "--config", config],
      ] {
        let ending = try run(program, words, without: Self.without(["install"]))
        #expect(ending.status == 78, "\(words)")
        #expect(ending.messages.hasSuffix(refusal), "\(words): \(ending.messages)")
      }
    }
    let loose = ["--plugin", path, "--sandbox", "best-effort"]
    #expect(try run(program, loose, without: Self.without(["install"])).status == 0)
  }

  @Test
  func `best-effort runs plugins with the available protection, and warns of what is missing`()
    throws
  {
    let program = try Program()
    defer { program.remove() }
    let path = try program.write("plain.lua", Self.plugin)
    let job = "jobs:\n  - {name: p, plugin: \(path), interval: 1h}\n"
    let strict = try program.write("strict.yaml", job)
    let loose = try program.write("loose.yaml", "sandbox: best-effort\n" + job)
    for words in [
      ["--plugin", path, "--sandbox", "best-effort"],
      ["--plugin=\(path)", "--sandbox=best-effort"],
      ["run", "--config", strict, "--sandbox", "best-effort"], ["run", "--config", loose],
    ] {
      let ending = try run(program, words, without: Self.without(["seccomp"]))
      #expect(ending.status == 0, "\(words): \(ending.messages)")
      #expect(ending.messages.contains(Self.warning), "\(words)")
    }
    // The command line overrides the config.
    let words = ["run", "--config", loose, "--sandbox", "required"]
    let ending = try run(program, words, without: Self.without(["seccomp"]))
    #expect(ending.status == 78)
  }

  @Test func `without Landlock plugins run, with a warning`() throws {
    let program = try Program()
    defer { program.remove() }
    let path = try program.write("plain.lua", Self.plugin)
    let ending = try run(program, ["--plugin", path], without: Self.without(["landlock"]))
    #expect(ending.status == 0)
    #expect(
      ending.messages.contains(
        "Landlock is not available: only the system call filter confines a plugin that breaks out "
          + "of Lua"))
    let full = try program.run("--plugin", path)
    #expect(!full.messages.contains("Landlock"))
  }

  @Test(arguments: [
    ([], "(sandbox: system call filter, Landlock ABI "),
    (["landlock"], "(sandbox: system call filter, no Landlock)"),
    (["seccomp", "landlock"], "(sandbox: no system call filter, no Landlock)"),
  ])
  func `the first line of serve names the active sandbox`(calls: [String], words: String) throws {
    let program = try Program()
    defer { program.remove() }
    let path = try program.write("plain.lua", Self.plugin)
    let config = try program.write(
      "fetchrun.yaml",
      "sandbox: best-effort\njobs:\n  - {name: p, plugin: \(path), interval: never}\n")
    let launcher = calls.isEmpty ? [] : Self.without(calls)
    let serving = try Watched(program, ["serve", "--config", config], launcher: launcher)
    serving.wait(for: .messages) { !$0.isEmpty }
    #expect(
      serving.messages.first?.contains("serving 1 job of \(config) \(words)") == true,
      "\(serving.messages)")
    serving.signal(SIGTERM)
    #expect(serving.end() == 0)
  }

  @Test func `an unknown value of sandbox is an error`() throws {
    let program = try Program()
    defer { program.remove() }
    let path = try program.write("plain.lua", Self.plugin)
    #expect(try program.run("--plugin", path, "--sandbox", "none").status == 64)
    let config = try program.write("fetchrun.yaml", "sandbox: none\njobs: []\n")
    let ending = try program.run("check", config)
    #expect(ending.status == 78)
    #expect(
      ending.messages.contains(
        "fetchrun.yaml:1:10: sandbox must be required or best-effort"))
  }

  @Test func `no core dump has the memory of the daemon and its workers`() throws {
    let program = try Program()
    defer { program.remove() }
    let path = try program.write("plain.lua", Self.plugin)
    let config = try program.write(
      "fetchrun.yaml", "jobs:\n  - {name: p, plugin: \(path), interval: 1h}\n")
    let serving = try Watched(program, ["serve", "--config", config])
    serving.wait(for: .output) { $0.count == 1 }
    #expect(Self.checkNoCore(of: serving.identifier))
    // The worker that has read the manifest may be ending, the one of the run stays.
    let checked = Self.children(of: serving.identifier).filter { Self.checkNoCore(of: $0) }
    #expect(!checked.isEmpty)
    serving.signal(SIGTERM)
    #expect(serving.end() == 0)
  }

  /// Expects that no core dump shows the memory of a process. Returns false if the process has
  /// ended.
  private static func checkNoCore(of process: Int32) -> Bool {
    guard let limits = try? String(contentsOfFile: "/proc/\(process)/limits", encoding: .utf8),
      !limits.isEmpty,
      // If a process cannot be dumped, the kernel makes root the owner of its /proc files.
      let maps = try? FileManager.default.attributesOfItem(atPath: "/proc/\(process)/maps")
    else { return false }
    let core = limits.split(separator: "\n").first { $0.hasPrefix("Max core file size") }
    #expect(core?.split(separator: " ")[4] == "0", "\(core ?? "")")
    #expect(maps[.ownerAccountID] as? Int == 0)
    return true
  }

  private static func children(of process: Int32) -> [Int32] {
    let tasks = "/proc/\(process)/task"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? []
    return names.flatMap { name in
      ((try? String(contentsOfFile: "\(tasks)/\(name)/children", encoding: .utf8)) ?? "")
        .split(separator: " ").compactMap { Int32($0) }
    }
  }
}
