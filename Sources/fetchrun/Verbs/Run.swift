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

  @Option(name: .long, help: "The config file.")
  var config: String?

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
    let config = try readConfig(output)
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

  private func readConfig(_ output: RunOutput) throws -> Config {
    do { return try ConfigFile.load(self.config, locations: Surroundings.locations) } catch {
      for problem in error.all { output.message(problem.description) }
      throw ExitStatus.badPlugin
    }
  }

  private func runAll(
    _ config: Config, _ services: Services, _ output: RunOutput
  ) async -> ExitCode? {
    do {
      let jobs = try await prepare(config, services)
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
      for problem in problems.all { output.message(problem.description) }
      return ExitStatus.badPlugin
    } catch {
      output.message("\(error)")
      return ExitStatus.runFailed
    }
  }

  /// The wanted jobs with their plugins; every problem of the config is reported at once.
  private func prepare(_ config: Config, _ services: Services) async throws -> [Job] {
    let file = config.file
    var problems: [ConfigProblem] = []
    let names = config.jobs.map(\.name)
    for name in jobs where !names.contains(where: { ExactText($0) == ExactText(name) }) {
      problems.append(
        ConfigProblem(file: file, "no job '\(name)'\(NearestName.hint(name, among: names))"))
    }
    var prepared: [Job] = []
    for job in config.jobs where jobs.isEmpty || jobs.contains(job.name) {
      do {
        let plugin = try await services.shelf.plugin(named: job.plugin)
        prepared.append(try JobDefinition(job, network: network).job(with: plugin))
      } catch let plugin as PluginProblems {
        problems += plugin.all.map {
          ConfigProblem(file: file, line: job.line, column: 1, "job '\(job.name)': \($0)")
        }
      } catch let options as OptionProblems {
        problems += options.messages.map {
          ConfigProblem(file: file, line: job.line, column: 1, "job '\(job.name)': \($0)")
        }
      }
    }
    guard problems.isEmpty else { throw ConfigProblems(problems) }
    return prepared
  }
}

extension JobDefinition {
  init(_ job: JobConfig, network: NetworkOptions) {
    self.init(
      plugin: job.plugin, name: job.name,
      options: job.options.members.map { .value(name: $0.key, value: $0.value) })
    allowsPrivate = job.allowsPrivate || network.allowPrivate
    readPaths = job.readPaths
    isolation = job.isolation
    limits = job.limits
  }
}
