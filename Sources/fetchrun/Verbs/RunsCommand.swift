import ArgumentParser
import FetchEngine
import FetchValues

/// `fetchrun runs`: lists ended runs.
struct RunsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "runs", abstract: "List runs, newest first.")

  @Argument(help: "A job's name; omit for all jobs.", completion: .jobs)
  var job: JobName?

  @OptionGroup var place: StorePlace

  @Option(name: .long, help: "The maximum number of runs to list; 0 for all.")
  var limit = 20

  @Flag(name: .long, help: "Print one JSON object per run.")
  var json = false

  mutating func validate() throws {
    if limit < 0 { throw ValidationError("--limit must be 0 or more") }
  }

  func run() async throws {
    let output = RunOutput(asJSON: json)
    try await Reading.from(place, output) { queries in
      let records = try await queries.runs(job: job, limit: limit == 0 ? nil : limit)
      for record in records { output.run(record) }
    }
  }
}
