import ArgumentParser
import FetchAuthoring
import FetchConfig
import FetchEngine
import FetchModel
import FetchStore
import FetchValues

/// `fetchrun replay RUN`: a failed run once more, on the answers it had.
struct ReplayCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Run a failed run again, on the answers it had then.",
    usage: "fetchrun replay [<options>] [<run>]",
    discussion: """
      The answers of the last failed runs of each job are kept in the store (keep_failed in the \
      config). The plugin runs as its file is now, in the sandbox and without network; what comes \
      out is compared with then, and not stored. Without a RUN, lists what is kept.

      Exit status: 0 it came to the same; 1 to something else; 64 no such run; 78 the plugin cannot \
      be read.
      """)

  @Argument(
    help: "The id of a run, its beginning, or a job's name for its last failed run.",
    completion: .jobs)
  var name: String?

  @OptionGroup var place: StorePlace

  @Option(
    name: .long, help: "The plugin's file, where it is another one now.", completion: .plugins)
  var plugin: String?

  @Option(
    name: .customLong("case"),
    help: "Write it beside the plugin as a test case of that name, too.")
  var caseName: String?

  @OptionGroup var sandbox: SandboxOption

  @Flag(name: .long, help: "Print a JSON object.")
  var json = false

  mutating func validate() throws {
    if let caseName { try CaseName.check(caseName) }
  }

  func run() async throws {
    let output = RunOutput(asJSON: json)
    let store = try place.path(output)
    let rows = try await keptRuns(store, output)
    guard let name else { return try await list(rows, store, output) }
    guard let row = Self.row(name, among: rows) else {
      output.message(try await missing(name, rows, store, output))
      throw ExitStatus.usage
    }
    let kept = try await kept(row, store, output)
    let services: Services
    do { services = try Services.start(NetworkOptions.none, sandbox: sandbox.rule) } catch {
      throw output.stopped(by: error)
    }
    let interruption = Interruption()
    let ending = await interruption.cancelling { await replay(kept, row, services, output) }
    await services.shutdown()
    if let code = interruption.exitCode ?? ending { throw code }
  }

  // MARK: What is kept

  private func keptRuns(_ store: String, _ output: RunOutput) async throws -> [KeptRunRow] {
    var rows: [KeptRunRow] = []
    try await Reading.from(store: store, of: place, output) { rows = try await $0.keptRuns() }
    return rows
  }

  /// By the id, by its beginning where only one begins so, or the newest of a job.
  private static func row(_ name: String, among rows: [KeptRunRow]) -> KeptRunRow? {
    let begun = rows.filter { $0.run.description.hasPrefix(name.lowercased()) }
    if begun.count == 1 { return begun.first }
    return rows.first { ExactText($0.job) == ExactText(name) }
  }

  private func kept(
    _ row: KeptRunRow, _ store: String, _ output: RunOutput
  ) async throws -> KeptRun {
    let content = try await content(row, store, output)
    if let reason = KeptRun.reasonUnkept(content) {
      output.message("the run \(row.run) cannot be done again: \(reason)")
      throw ExitStatus.usage
    }
    do { return try KeptRun(encoded: content) } catch {
      output.message("\(row.run): \(error.message)")
      throw ExitStatus.runFailed
    }
  }

  private func content(
    _ row: KeptRunRow, _ store: String, _ output: RunOutput
  ) async throws -> [UInt8] {
    var content: [UInt8]?
    try await Reading.from(store: store, of: place, output) {
      content = try await $0.keptAnswers(of: row.run)
    }
    return content ?? []
  }

  /// Why there is nothing of a run to be done again, as far as the store tells.
  private func missing(
    _ name: String, _ rows: [KeptRunRow], _ store: String, _ output: RunOutput
  ) async throws -> String {
    var found: RunRecord?
    try await Reading.from(store: store, of: place, output) {
      found = try await $0.run(named: name)
    }
    guard let found else {
      let hint = NearestName.hint(name, amongJobs: rows.map(\.job))
      return "there is no run or job '\(name)' in the store\(hint); "
        + SuggestedCommand.reading("replay", store) + " lists what is kept"
    }
    let newerCount = rows.count {
      ExactText($0.job) == ExactText(found.job) && $0.startedAt >= found.startedAt
    }
    let reason = KeptRun.reasonUnkept(found, newerCount: newerCount)
    return "the run \(found.run) of \(found.job) cannot be done again: \(reason)"
  }

  /// A note in the place of what could not be recorded is small.
  private static let noteBytesMax = 500

  private func list(_ rows: [KeptRunRow], _ store: String, _ output: RunOutput) async throws {
    for row in rows {
      let reason =
        row.bytes > Self.noteBytesMax
        ? nil : KeptRun.reasonUnkept(try await content(row, store, output))
      let time = row.startedAt.description.prefix(19)
      var line = ValueObject([
        ("run", .string(row.run.description)), ("job", .string(row.job)),
        ("startedAt", .string(row.startedAt.description)), ("bytes", .integer(Int64(row.bytes))),
      ])
      if let reason { line.append("unkept", .string(reason)) }
      let note = reason.map { "  not kept: \($0)" } ?? ""
      let text = "\(row.run)  \(time)  \(PlainText.line(row.job))\(note)"
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
      "wrote \(folder.path); fetchrun test \(plugin.path) --case \(name) --update accepts what it"
        + " comes to")
  }
}
