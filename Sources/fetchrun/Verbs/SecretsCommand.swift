import ArgumentParser
import FetchEngine
import FetchHost
import FetchModel
import FetchValues
import Glibc

/// `fetchrun secret`: manages the stored secrets.
struct SecretsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "secret", abstract: "Store secrets for jobs and hooks, encrypted.",
    discussion: """
      Values are encrypted with the key in secrets.key, which is created when first needed: keep a \
      copy of it. In the config, a job gets a stored secret by secrets: { token: { stored: NAME } }.
      """,
    subcommands: [SecretSetCommand.self, SecretListCommand.self, SecretRemoveCommand.self])
}

/// `fetchrun secret list`: lists the names of stored secrets.
struct SecretListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the names of stored secrets, and when each was last changed.")

  @OptionGroup var place: SecretOptions

  @Flag(name: .long, help: "Print one JSON object per secret.")
  var json = false

  func run() throws {
    let output = RunOutput(asJSON: json)
    do {
      let entries = try place.vault(output).entries()
      if json { return print(entries, output) }
      var table = TextTable([.init(heading: "NAME"), .init(heading: "CHANGED")])
      for entry in entries {
        table.append(["\(entry.name)", "\(entry.changedAt.descriptionInSeconds)"])
      }
      table.write(to: .current)
    } catch let problem as SecretProblem {
      output.message(problem.message)
      throw ExitStatus.runFailed
    }
  }

  private func print(_ entries: [SecretVault.Entry], _ output: RunOutput) {
    for entry in entries {
      output.control([
        "name": .string(entry.name), "changedAt": .string(entry.changedAt.description),
      ])
    }
  }
}

/// `fetchrun secret remove NAME…`: deletes stored secrets.
struct SecretRemoveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Delete stored secrets.")

  @Argument(help: "Names, as `fetchrun secret list` prints them.")
  var names: [String]

  @OptionGroup var place: SecretOptions

  func run() throws {
    let output = RunOutput(asJSON: false)
    let vault = try place.vault(output)
    do {
      let known = try vault.entries().map(\.name)
      let missing = names.filter { !known.contains($0) }
      for name in missing {
        output.message("there is no secret '\(name)'\(NearestName.hint(name, among: known))")
      }
      if !missing.isEmpty {
        if names.count > 1 { output.message("no secret was deleted") }
        throw ExitStatus.runFailed
      }
      for name in names {
        if try vault.remove(named: name) { output.message("the secret '\(name)' was deleted") }
      }
    } catch let problem as SecretProblem {
      output.message(problem.message)
      throw ExitStatus.runFailed
    }
  }
}

/// `fetchrun secret set NAME`: stores a secret, whose value is never on the command line.
struct SecretSetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set",
    abstract: "Store a secret; asks for its value on a terminal, otherwise reads standard input.")

  @Argument(help: "The secret's name, which configs refer to.")
  var name: String

  /// The arguments after the name. These arguments are accepted only so that the error message can
  /// explain why a secret's value must not be an argument.
  @Argument(help: .hidden)
  var words: [String] = []

  @OptionGroup var place: SecretOptions

  mutating func validate() throws {
    guard SecretName.isValid(name) else {
      throw ValidationError("invalid secret name: use \(SecretName.rule)")
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
      let secret = try value(bytes())
      try vault.set(secret, named: name, now: RunTime.system.now())
      output.message("the secret '\(name)' was stored in \(vault.path)")
      if let service = place.service { output.message("warning: " + service.advice(name)) }
    } catch let problem as SecretProblem {
      output.message("the secret '\(name)' was not stored: \(problem.message)")
      throw ExitStatus.runFailed
    }
  }

  /// Returns the secret's value from the bytes. The message of a problem begins with `its value`.
  private func value(_ bytes: [UInt8]) throws(SecretProblem) -> SecretValue {
    do throws(SecretProblem) { return try SecretValue(read: bytes) } catch {
      throw SecretProblem("its value \(error.message)")
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
      guard count >= 0 else {
        throw SecretProblem("standard input cannot be read: \(String(cString: strerror(errno)))")
      }
      if count == 0 { break }
      bytes += chunk[..<count]
    }
    guard !bytes.isEmpty else { throw SecretProblem("standard input is empty") }
    return bytes
  }
}
