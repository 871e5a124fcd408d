import Foundation
import Testing

/// The systemd units, rated by systemd's own tools without a running systemd.
@Suite(.enabled(if: Systemd.isInstalled, "systemd is not installed")) struct UnitTests {
  private static let folder = Program.top.appending(path: "examples/systemd")

  private func analyze(_ words: [String]) throws -> (status: Int32, text: String) {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/systemd-analyze")
    process.arguments = words
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let text = String(
      decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, text)
  }

  /// The unit starts a program that exists, as it does after installation.
  @Test func `systemd finds nothing wrong with the units`() throws {
    let program = try Program()
    defer { program.remove() }
    for name in ["fetchrun.service", "fetchrun-due.service", "fetchrun-due.timer"] {
      let unit = try String(contentsOf: Self.folder.appending(path: name), encoding: .utf8)
      try program.write(
        name, unit.replacing("/usr/local/bin/fetchrun", with: Program.executable.path))
    }
    for name in ["fetchrun.service", "fetchrun-due.service", "fetchrun-due.timer"] {
      let verified = try analyze([
        "verify", "--man=no", "--recursive-errors=no", program.folder.path + "/" + name,
      ])
      let complaints = verified.text.split(separator: "\n")
        .filter { !$0.hasPrefix("#") && $0.contains("fetchrun") }
      #expect(verified.status == 0)
      #expect(complaints == [])
    }
  }

  /// A unit without any protection has 10.
  @Test(arguments: ["fetchrun.service", "fetchrun-due.service"])
  func `a unit is as exposed as 2 of 10 at most`(name: String) throws {
    let judged = try analyze([
      "security", "--offline=true", "--threshold=20", Self.folder.appending(path: name).path,
    ])
    #expect(judged.status == 0, "\(judged.text)")
    #expect(judged.text.contains("Overall exposure level"))
  }

  @Test(arguments: ["fetchrun.service", "fetchrun-due.service"])
  func `a unit uses the config whose store root's commands find`(name: String) throws {
    let unit = try String(contentsOf: Self.folder.appending(path: name), encoding: .utf8)
    #expect(unit.contains(" --config /etc/fetchrun/fetchrun.yaml\n"))
    #expect(unit.contains("\nStateDirectory=fetchrun\n"))
  }
}

private enum Systemd {
  static let isInstalled = FileManager.default.isExecutableFile(atPath: "/usr/bin/systemd-analyze")
}
