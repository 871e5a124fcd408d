import ArgumentParser
import FetchEngine
import FetchHost
import FetchModel
import FetchValues
import Glibc

/// `fetchrun secret set NAME`: stores a secret, whose value is never on the command line.
struct SecretSetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set",
    abstract: "Store a secret; asks for its value on a terminal, otherwise reads standard input.")

  @Argument(help: "The secret's name, which configs refer to.")
  var name: String

  /// Words, accepted only for the message that refuses a value.
  @Argument(help: .hidden)
  var words: [String] = []

  @OptionGroup var place: SecretOptions

  mutating func validate() throws {
    guard SecretName.isValid(name) else {
      throw ValidationError("a secret's name has \(SecretName.rule)")
    }
    guard words.isEmpty else {
      throw ValidationError(
        "the value of a secret cannot be an argument, where others see it: type it when asked, or"
          + " write it to standard input")
    }
  }

  func run() throws {
    let output = RunOutput(asJSON: false)
    let vault = try place.vault(output)
    do {
      let value = try SecretValue(read: bytes())
      try vault.set(value, named: name, now: RunTime.system.now())
      output.message("the secret '\(name)' was stored in \(vault.path)")
      if let service = place.service { output.message("warning: " + service.advice(name)) }
    } catch let problem as SecretProblem {
      output.message("the secret '\(name)' was not stored: \(problem.message)")
      throw ExitStatus.runFailed
    }
  }

  private func bytes() throws -> [UInt8] {
    if isatty(STDIN_FILENO) == 1 {
      return try HiddenInput.line("value of '\(name)' (not shown): ")
    }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while bytes.count <= 2 * SecretValue.bytesMax {
      let count = read(STDIN_FILENO, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      bytes += chunk[..<count]
    }
    guard !bytes.isEmpty else { throw SecretProblem("standard input is empty") }
    return bytes
  }
}
