import ArgumentParser
import FetchEngine
import FetchHost
import FetchModel
import FetchStore
import FetchValues

/// `fetchrun store`: shows, copies and converts stores.
struct StoreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "store", abstract: "Show a store, copy it to another place, or convert it.",
    subcommands: [StoreInfoCommand.self, StoreCopyCommand.self, StoreMigrateCommand.self])
}

/// `fetchrun store info`: shows facts about the store.
struct StoreInfoCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "info", abstract: "Show the place, the format and the size of the store.")

  @OptionGroup var place: StorePlace

  @Flag(name: .long, help: "Print one JSON object.")
  var json = false

  func run() async throws {
    let output = RunOutput(asJSON: json)
    try await Reading.from(place, output) { queries in
      let info = try await queries.storeInfo()
      if json {
        Terminal.current.output(json: (try? JSONWriter.text(info.value)) ?? "{}")
      } else {
        for line in info.lines { Terminal.current.output(line) }
        for weakness in info.facts.weaknesses { output.warning(weakness) }
      }
    }
  }
}

/// `fetchrun store copy FROM TO`: copies a whole store.
struct StoreCopyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "copy", abstract: "Copy a whole store into a new file or an empty database.",
    usage: "fetchrun store copy <from> <to> [--json]",
    discussion: """
      FROM and TO are files or `postgresql://` addresses. Numbers, ids and due times stay the same. \
      The copy is compared with the original, and appears as a whole or not at all.
      """)

  @Argument(help: "The store to copy.", completion: .file())
  var from: String

  @Argument(help: "The new store, which must not have data yet.", completion: .file())
  var to: String

  @Flag(name: .long, help: "Print one JSON object per table.")
  var json = false

  func run() async throws {
    let output = RunOutput(asJSON: json)
    let (from, to) = (address(from), address(to))
    do throws(StoreError) {
      var rowCount = 0
      try await StoreCopy.copy(
        from: from, to: to,
        open: { address, creates async throws(StoreError) in
          try await Services.openStore(address, creates: creates, output)
        },
        onTable: { table in
          rowCount += table.count
          show(table)
        })
      output.message("copied \(counted(rowCount, "row")) from \(from) to \(to)")
    } catch {
      output.message(error.message)
      throw ExitStatus.runFailed
    }
    let (old, new) = (StateFolder(of: from).filesFolder, StateFolder(of: to).filesFolder)
    if old != new, FileBytes.isFolder(old) {
      output.message("the files of the jobs were not copied: move \(old) to \(new)")
    }
    output.message(
      "not copied: parts of unfinished downloads, tokens and logins of the web process, and reads"
        + " of items that no schedule has learned from yet")
  }

  private func address(_ text: String) -> StoreAddress {
    var storage = StoreOptions()
    storage.store = text
    return storage.address()
  }

  private func show(_ table: StoreCopy.Table) {
    let digest = Hexadecimal.text(of: table.digest)
    if json {
      let value: Value = [
        "table": .string(table.name), "rows": .integer(Int64(table.count)),
        "sha256": .string(digest),
      ]
      Terminal.current.output(json: (try? JSONWriter.text(value)) ?? "{}")
    } else {
      let count = String(table.count)
      let name = table.name + String(repeating: " ", count: max(1, 14 - table.name.utf8.count))
      let gap = String(repeating: " ", count: max(0, 10 - count.utf8.count))
      Terminal.current.output("\(name)\(gap)\(count) rows  sha256 \(digest.prefix(16))…")
    }
  }
}

/// `fetchrun store migrate`: converts the store to the present format.
struct StoreMigrateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "migrate", abstract: "Convert the store to the format of this fetchrun.",
    discussion: """
      A store in a file is converted by the first command that writes it. A store in a database is \
      only converted by this command, since other machines may use it.
      """)

  @OptionGroup var place: StorePlace

  func run() async throws {
    let output = RunOutput(asJSON: false)
    let address = try place.address(output)
    do throws(StoreError) {
      let (before, after) = try await StoreOpener.migrate(address)
      output.message(
        before == after
          ? "the store \(address) already has format \(after)"
          : "the store \(address) was converted from format \(before) to \(after)")
    } catch {
      output.message(place.sentence(error))
      throw ExitStatus.runFailed
    }
  }
}
