import ArgumentParser
import FetchConfig
import FetchEngine
import FetchModel
import FetchStore

/// `fetchrun run`: jobs of a config file, now.
struct Run: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Run jobs of a config file now.")

  @Argument(help: "Names of jobs; all when none is given.")
  var jobs: [String] = []

  @OptionGroup var file: ConfigOptions
  @OptionGroup var storage: StoreOptions
  @OptionGroup var network: NetworkOptions

  @Option(name: .long, help: "Runs under way at once, at most.")
  var parallel = 256

  @Flag(name: .long, help: "Print one JSON object per run.")
  var json = false

  @Flag(name: .long, help: "Exit with 9 when no run had new data.")
  var errorOnNoData = false

  mutating func validate() throws {
    guard (1...10_000).contains(parallel) else {
      throw ValidationError("--parallel must be from 1 to 10000")
    }
  }

  func run() async throws {
    let output = RunOutput(asJSON: json)
    let config = try file.load(output)
    network.warn(output)
    let services: Services
    do { services = try Services.start(network, pluginFolders: config.pluginFolders) } catch {
      output.message(error.message)
      throw ExitStatus.runFailed
    }
    let interruption = Interruption()
    let ending = await interruption.cancelling { await runAll(config, services, output) }
    await services.shutdown()
    if let code = interruption.exitCode ?? ending { throw code }
  }

  private func runAll(
    _ config: Config, _ services: Services, _ output: RunOutput
  ) async -> ExitCode? {
    do {
      let preparation = JobPreparation(
        shelf: services.shelf, allowsPrivate: network.allowPrivate)
      let jobs = try await preparation.prepare(config, named: self.jobs).map(\.job)
      let store = try await Services.openStore(storage.path(configured: config.store), output)
      let pipeline = services.pipeline(store)
      var records: [RunRecord] = []
      await RunBatch(pipeline: pipeline, parallelMax: parallel).run(jobs) { report, done in
        output.report(report, items: false)
        output.progress("\(done) of \(jobs.count)")
        records.append(report.record)
      }
      output.progress("")
      try await store.close()
      return output.exitCode(for: records, errorOnNoData: errorOnNoData)
    } catch let problems as ConfigProblems {
      output.problems(problems)
      return ExitStatus.badPlugin
    } catch {
      output.message("\(error)")
      return ExitStatus.runFailed
    }
  }
}
