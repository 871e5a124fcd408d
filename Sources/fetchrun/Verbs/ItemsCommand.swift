import ArgumentParser
import FetchEngine
import FetchModel
import FetchStore
import FetchValues
import Glibc

/// `fetchrun items`: lists the items in the store.
struct ItemsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "items",
    abstract: "List stored items, newest first.",
    usage: "fetchrun items [<options>] [<job>]")

  @Argument(help: "A job's name; omit for all jobs.", completion: .jobs)
  var job: JobName?

  @Option(
    name: .customLong("job"), help: "The same as the argument: a job's name.", completion: .jobs)
  var namedJob: JobName?

  @OptionGroup var place: StorePlace

  @Option(name: .long, help: "The maximum number of items to list; 0 for all.")
  var limit = 50

  @Option(
    name: .long,
    help: "List only changes after this sequence number, oldest first, including removals.")
  var since: Int64?

  @Flag(name: .long, help: "Print one JSON object per item.")
  var json = false

  mutating func validate() throws {
    if limit < 0 { throw ValidationError("--limit must be 0 or more") }
    if let since, since < 0 { throw ValidationError("--since must be 0 or more") }
    if let namedJob {
      if let job, job != namedJob {
        throw ValidationError(
          "the argument names the job '\(job)' and --job names '\(namedJob)': name one job")
      }
      job = namedJob
    }
  }

  func run() async throws {
    let output = RunOutput(asJSON: json)
    let terminal = Terminal.current
    try await Reading.from(place, output) { queries in
      let query = ItemQuery(job: job, since: since, limit: limit == 0 ? nil : limit)
      var page = try await queries.items(query, after: nil)
      while true {
        if json {
          try terminal.output(page.elements)
        } else {
          for item in page.elements {
            terminal.output(output.row(item, withJob: job == nil))
            if let lost = StandardStreams.lostOutput { throw lost }
          }
        }
        guard let next = page.next else { break }
        page = try await queries.items(query, after: next)
      }
    }
  }
}

extension Terminal {
  /// The number of bytes at which the collected lines are written.
  private static let writtenTogether = 64 << 10

  /// Writes items as JSON lines to standard output, many lines at once. Throws if standard output
  /// accepts no more data.
  fileprivate func output(_ items: [StoredItem]) throws {
    var lines: [UInt8] = []
    lines.reserveCapacity(Self.writtenTogether)
    for (index, item) in items.enumerated() {
      ShownJSON.append(item.jsonBytes, to: &lines)
      lines.append(UInt8(ascii: "\n"))
      guard lines.count >= Self.writtenTogether || index == items.count - 1 else { continue }
      Self.write(lines[...], to: STDOUT_FILENO)
      if let lost = StandardStreams.lostOutput { throw lost }
      lines.removeAll(keepingCapacity: true)
    }
  }
}
