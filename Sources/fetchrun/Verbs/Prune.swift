import ArgumentParser
import FetchEngine
import FetchModel
import FetchStore

/// `fetchrun prune`: applies retention.
struct Prune: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "prune",
    abstract: "Forget old versions, run records and, if wanted, old items.",
    discussion: "What is pruned does not come back as new: each item leaves a tombstone.")

  @OptionGroup var place: StorePlace

  @Option(name: .long, help: "Versions of an item to keep, the current one included.")
  var keepVersions = 20

  @Option(name: .long, help: "Days of run records to keep.")
  var keepRunDays = 90

  @Option(name: .long, help: "Forget items that their source has not shown for so many days.")
  var keepItemDays: Int?

  mutating func validate() throws {
    for (name, value) in [
      ("--keep-versions", keepVersions), ("--keep-run-days", keepRunDays),
      ("--keep-item-days", keepItemDays ?? 1),
    ] where !(1...36_500).contains(value) {
      throw ValidationError("\(name) must be from 1 to 36500")
    }
  }

  func run() async throws {
    let output = RunOutput(asJSON: false)
    var retention = Retention()
    retention.versionCount = keepVersions
    retention.runDays = keepRunDays
    retention.itemDays = keepItemDays
    let path = try place.path(output)
    do {
      let store = try await Services.openStore(path, creates: false, output)
      let count = try await store.prune(retention, now: RunTime.system.now())
      try await store.close()
      output.message("\(count) rows were pruned")
    } catch {
      output.message(error.message)
      throw ExitStatus.runFailed
    }
  }
}
