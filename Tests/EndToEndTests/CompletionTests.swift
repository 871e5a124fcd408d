import Foundation
import Testing

/// Tests of the completion script, run by bash.
@Suite struct CompletionTests {
  private func completions(of words: [String]) throws -> Set<String> {
    let program = try Program()
    defer { program.remove() }
    let script = try program.write(
      "completion.bash", program.run("--generate-completion-script", "bash").output)
    try program.write("mine.lua", "")
    try program.write("notes.txt", "")
    let asked = """
      fetchrun() { \(Program.executable.path) "$@"; }
      source \(script)
      cd \(program.folder.path)
      COMP_WORDS=(fetchrun \(words.joined(separator: " "))); COMP_CWORD=\(words.count)
      _fetchrun fetchrun "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
      printf '%s\\n' "${COMPREPLY[@]}"
      """
    let process = Process()
    process.executableURL = URL(filePath: "/bin/bash")
    process.arguments = ["-c", asked]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let text = String(
      decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    return Set(text.split(separator: "\n").map { String($0).trimmingCharacters(in: .whitespaces) })
  }

  @Test func `without a verb the options of a single run are offered`() throws {
    #expect(try completions(of: ["--pl"]).contains("--plugin"))
    #expect(try completions(of: ["--json", "--opt"]).contains("--option"))
    #expect(try completions(of: ["it"]) == ["items"])
  }

  @Test func `a plugin is a Lua file`() throws {
    #expect(try completions(of: ["--plugin", "m"]) == ["mine.lua"])
    #expect(try completions(of: ["--plugin", "n"]).contains("notes.txt") == false)
  }
}

/// Tests of the scripts for other shells, run by these shells.
@Suite struct OtherShellTests {
  private static func isInstalled(_ shell: String) -> Bool {
    FileManager.default.isExecutableFile(atPath: "/usr/bin/" + shell)
  }

  @Test(arguments: [("zsh", ["-n"]), ("fish", ["--no-execute"])])
  func `the shell accepts its script, and the script queries the program for jobs`(
    shell: String, options: [String]
  ) throws {
    let program = try Program()
    defer { program.remove() }
    let script = try program.run("--generate-completion-script", shell).output
    #expect(script.contains("---completion explain -- positional@0"))
    guard Self.isInstalled(shell) else { return }
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/" + shell)
    process.arguments = options + [try program.write("script", script)]
    process.environment = ["HOME": program.folder.path]
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
  }
}
