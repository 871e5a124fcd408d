import ArgumentParser
import FetchAuthoring
import FetchConfig
import FetchEngine
import FetchModel
import FetchStore
import FetchValues

/// `fetchrun replay RUN`: repeats a failed run with its recorded answers.
struct ReplayCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Repeat a failed run on its recorded answers.",
    usage: "fetchrun replay [<options>] [<run>]",
    discussion: """
      The store keeps the answers of each job's last failed runs (keep_failed in the config). The \
      plugin's present file runs in the sandbox, without network; its result is compared with the \
      earlier one, and not stored. Without RUN, lists the kept runs.

      Exit status: 0 the same result; 1 a different result; 64 no such run; 78 the plugin cannot be \
      read.
      """)

  @Argument(
    help:
      "The id of a run, or its first characters; or a job's name, for the job's last failed run.",
    completion: .jobs)
  var name: String?

  @OptionGroup var place: StorePlace

  @Option(
    name: .long, help: "The plugin's file, if it is not the file of that run.", completion: .plugins
  )
  var plugin: String?

  @Option(
    name: .customLong("case"),
    help: "Also write the run beside the plugin, as a test case of this name.")
  var caseName: String?

  @OptionGroup var sandbox: SandboxOption

  @Flag(name: .long, help: "Print a JSON object.")
  var json = false

  mutating func validate() throws {
    if let caseName { try CaseName.check(caseName) }
  }

  func run() async throws {
    let output = RunOutput(asJSON: json)
    let store = try place.address(output)
    let found = try await Reading.from(store: store, of: place, output) {
      try await find($0, store, output)
    }
    guard let (row, kept) = found else { return }
    let services: Services
    do { services = try Services.start(NetworkOptions.none, sandbox: sandbox.rule) } catch {
      throw output.stopped(by: error)
    }
    let interruption = Interruption()
    let ending = await interruption.cancelling { await replay(kept, row, services, output) }
    await services.shutdown()
    if let code = interruption.exitCode ?? ending { throw code }
  }

  // MARK: Kept runs

  /// Returns the run to repeat. If no run was named, prints the kept runs and returns nil.
  private func find(
    _ queries: StoreQueries, _ store: StoreAddress, _ output: RunOutput
  ) async throws -> (row: KeptRunRow, kept: KeptRun)? {
    let rows = try await queries.keptRuns()
    guard let name else {
      try await list(rows, queries, output)
      return nil
    }
    guard let row = rows.run(named: name) else {
      let listing = SuggestedCommand.reading("replay", store)
      output.message(
        try await queries.sentence(missing: name, among: rows, listing: listing))
      throw ExitStatus.usage
    }
    return (row, try kept(row, try await queries.keptAnswers(of: row), output))
  }

  private func kept(
    _ row: KeptRunRow, _ content: [UInt8], _ output: RunOutput
  ) throws -> KeptRun {
    if let reason = KeptRun.reasonUnkept(content) {
      output.message("the run \(row.run) cannot be replayed: \(reason)")
      throw ExitStatus.usage
    }
    do { return try KeptRun(encoded: content) } catch {
      output.message("\(row.run): \(error.message)")
      throw ExitStatus.runFailed
    }
  }

  private func list(
    _ rows: [KeptRunRow], _ queries: StoreQueries, _ output: RunOutput
  ) async throws {
    if rows.isEmpty {
      output.message("there are no kept runs: the answers of failed runs are kept")
    }
    for row in rows {
      let reason = try await queries.reasonUnkept(row)
      let time = row.startedAt.description.prefix(19)
      var line = ValueObject([
        ("run", .string(row.run.description)), ("job", .string(row.job.text)),
        ("startedAt", .string(row.startedAt.description)), ("bytes", .integer(Int64(row.bytes))),
      ])
      if let reason { line.append("unkept", .string(reason)) }
      let note = reason.map { "  not kept: \($0)" } ?? ""
      let text = "\(row.run)  \(time)  \(PlainText.line(row.job.text))\(note)"
      output.control(.object(line)) { text }
    }
  }

  // MARK: Replaying

  private func replay(
    _ kept: KeptRun, _ row: KeptRunRow, _ services: Services, _ output: RunOutput
  ) async -> ExitCode? {
    do {
      let found = try await services.shelf.plugin(named: plugin ?? kept.plugin)
      let replay = try await KeptReplay(kept, found, PluginTest(workers: services.workers))
      output.replay(replay, row)
      if let caseName { try write(kept, as: caseName, found, output) }
      return replay.isSame ? nil : ExitStatus.runFailed
    } catch let problems as OptionProblems {
      for message in problems.messages { output.message(message) }
      return ExitStatus.badPlugin
    } catch {
      return output.stopped(by: error)
    }
  }

  private func write(
    _ kept: KeptRun, as name: String, _ plugin: Plugin, _ output: RunOutput
  ) throws {
    let folder = CaseFolder(name, ofPlugin: plugin.path)
    try kept.write(to: folder)
    output.message(
      "wrote \(folder.path); to accept its result, type"
        + " `fetchrun test \(ShellWord.quoted(plugin.path)) --case \(name) --update`")
  }
}
