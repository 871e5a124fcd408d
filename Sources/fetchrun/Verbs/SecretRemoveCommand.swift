import ArgumentParser
import FetchHost
import FetchModel
import FetchValues

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
      var isMissing = false
      for name in names {
        if try vault.remove(named: name) {
          output.message("the secret '\(name)' was deleted")
        } else {
          let known = try vault.entries().map(\.name)
          output.message("there is no secret '\(name)'\(NearestName.hint(name, among: known))")
          isMissing = true
        }
      }
      if isMissing { throw ExitStatus.runFailed }
    } catch let problem as SecretProblem {
      output.message(problem.message)
      throw ExitStatus.runFailed
    }
  }
}
