import ArgumentParser
import FetchEngine
import FetchModel
import FetchStore
import FetchValues

/// `fetchrun prune`: applies the retention.
struct PruneCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "prune",
    abstract: "Delete old item versions, old run records and, if a maximum age is set, old items.",
    usage: "fetchrun prune [<options>]",
    discussion: """
      A pruned item does not come back as new: it leaves a tombstone. Without an option, `keep` of the \
      config applies. serve and run also prune once a day; only this command shrinks the store's file.
      """)

  @OptionGroup var place: StorePlace

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Versions of an item to keep, including the current one (default: `keep` of the config,"
        + " otherwise of the last config that used the store, otherwise 20)."))
  var keepVersions: Int?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Days of run records to keep (default: `keep` of the config, otherwise of the last config"
        + " that used the store, otherwise 90)."))
  var keepRunDays: Int?

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Forget items that their source has not listed for this many days (default: `keep` of"
        + " the config, otherwise of the last config that used the store, otherwise never)."))
  var keepItemDays: Int?

  mutating func validate() throws {
    for (name, value) in [
      ("--keep-versions", keepVersions ?? 1), ("--keep-run-days", keepRunDays ?? 1),
      ("--keep-item-days", keepItemDays ?? 1),
    ] where !(1...36_500).contains(value) {
      throw ValidationError("\(name) must be from 1 to 36500")
    }
  }

  func run() async throws {
    let output = RunOutput(asJSON: false)
    let found = try place.find(output)
    found.warn(output)
    do throws(StoreError) {
      let store = try await Services.openStore(
        found.address, creates: false, keep: found.keep, output)
      var retention = try await store.retention()
      if let keep = found.keep { retention = keep }
      retention.versionCount = keepVersions ?? retention.versionCount
      retention.runDays = keepRunDays ?? retention.runDays
      retention.itemDays = keepItemDays ?? retention.itemDays
      let count = try await store.prune(retention, now: RunTime.system.now())
      await compact(store, output)
      try await store.close()
      output.message("\(count) rows were pruned")
    } catch {
      output.message(place.sentence(error))
      throw ExitStatus.runFailed
    }
  }

  /// Shrinks the file of a SQLite store. If this fails, for example because the disk is full,
  /// prints the error.
  private func compact(_ store: any Store, _ output: RunOutput) async {
    do throws(StoreError) { try await store.compact() } catch {
      output.message("the store's file was not shrunk: \(error.message)")
    }
  }
}
