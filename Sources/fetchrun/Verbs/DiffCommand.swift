import ArgumentParser
import FetchEngine
import FetchModel
import FetchStore
import FetchValues

/// `fetchrun diff JOB ID`: what changed in an item.
struct DiffCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Show how an item changed, as a unified diff of its versions.")

  @Argument(help: "The job's name.", completion: .jobs)
  var job: String

  @Argument(help: "The item's id, as fetchrun items --json shows it.", completion: .items)
  var id: String

  @OptionGroup var place: StorePlace

  @Flag(name: .long, help: "Print the kept versions instead, newest first, one JSON object each.")
  var json = false

  func run() async throws {
    let output = RunOutput(asJSON: json)
    let terminal = Terminal.current
    try await Reading.from(place, output) { reader in
      let versions = try await reader.versions(job: job, key: ItemKey(id))
      if versions.isEmpty { try await Reading.check(job, reader, output) }
      ReadLog(StateFolder(of: reader.address)).note(job, at: RunTime.system.now())
      guard !versions.isEmpty else {
        let listing = SuggestedCommand.reading(
          "items \(ShellWord.quoted(job)) --json", "\(reader.address)")
        output.message("the job '\(job)' has no item '\(id)'; `\(listing)` lists the ids")
        throw ExitStatus.runFailed
      }
      if json {
        for version in versions { terminal.output(json: version.json) }
      } else if versions.count == 1 {
        output.message("the item has one version only")
      } else {
        for (new, old) in zip(versions, versions.dropFirst()).reversed() {
          terminal.output(ItemDiff.text(from: old, to: new))
        }
      }
    }
  }
}
