import ArgumentParser
import FetchEngine
import FetchModel
import FetchValues

/// `fetchrun diff JOB ID`: shows the changes of an item.
struct DiffCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Show how an item changed, as a unified diff of its versions.")

  @Argument(help: "The job's name.", completion: .jobs)
  var job: JobName

  @Argument(help: "The item's id, as fetchrun items --json shows it.", completion: .items)
  var id: String

  @OptionGroup var place: StorePlace

  @Flag(name: .long, help: "Print the kept versions instead, newest first, one JSON object each.")
  var json = false

  func run() async throws {
    let output = RunOutput(asJSON: json)
    let terminal = Terminal.current
    let store = try place.address(output)
    try await Reading.from(store: store, of: place, output) { queries in
      let versions = try await queries.versions(job: job, id: id)
      guard !versions.isEmpty else {
        let listing = SuggestedCommand.reading("items \(ShellWord.quoted(job.text)) --json", store)
        output.message("the job '\(job)' has no item '\(id)'; `\(listing)` lists the ids")
        throw ExitStatus.runFailed
      }
      if json {
        for version in versions { terminal.output(json: version.json) }
      } else if versions.count == 1 {
        output.message("the store has only one version of the item")
      } else {
        for (new, old) in zip(versions, versions.dropFirst()).reversed() {
          terminal.output(ItemDiff.text(from: old, to: new))
        }
      }
    }
  }
}
