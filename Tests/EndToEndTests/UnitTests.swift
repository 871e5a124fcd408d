import Foundation
import Testing

/// Tests of the systemd units, rated by systemd's own tools. A running systemd is not needed.
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

  /// The test replaces the path of the program by an existing path, as after an installation.
  @Test func `systemd reports no mistake in the units`() throws {
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

  /// The scale of exposure ends at 10, the value of a unit without any protection.
  @Test(arguments: ["fetchrun.service", "fetchrun-due.service"])
  func `systemd rates the exposure of a unit as at most 2 of 10`(name: String) throws {
    let judged = try analyze([
      "security", "--offline=true", "--threshold=20", Self.folder.appending(path: name).path,
    ])
    #expect(judged.status == 0, "\(judged.text)")
    #expect(judged.text.contains("Overall exposure level"))
  }

  @Test(arguments: ["fetchrun.service", "fetchrun-due.service"])
  func `root's commands find the store of the config that a unit uses`(name: String) throws {
    let unit = try String(contentsOf: Self.folder.appending(path: name), encoding: .utf8)
    #expect(unit.contains(" --config /etc/fetchrun/fetchrun.yaml\n"))
    #expect(unit.contains("\nStateDirectory=fetchrun\n"))
  }
}

private enum Systemd {
  static let isInstalled = FileManager.default.isExecutableFile(atPath: "/usr/bin/systemd-analyze")
}
