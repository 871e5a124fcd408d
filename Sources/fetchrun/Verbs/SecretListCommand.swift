import ArgumentParser
import FetchHost
import FetchModel
import FetchValues

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
