import ArgumentParser
import FetchConfig
import FetchEngine
import FetchModel

/// `fetchrun import FILE`: the feeds of another program.
struct Import: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Add a job to the config for each feed of an OPML file.",
    discussion: "Folders are left away; a feed whose address a job has already is left out.")

  @Argument(help: "The OPML file.", completion: .file())
  var opml: String

  @Option(name: .long, help: "The plugin that reads the feeds.", completion: .plugins)
  var plugin = "rss"

  @OptionGroup var file: ConfigOptions

  func run() async throws {
    let output = RunOutput(asJSON: false)
    let editing = try ConfigEditing(path: file.pathToEdit, output)
    let services = try Services.start(
      NetworkOptions.none, pluginFolders: editing.config.pluginFolders,
      sandbox: editing.config.sandbox)
    let found = await feeds(services, output)
    await services.shutdown()
    let plan = OPMLImport(
      try found.get(), plugin: editing.pluginPath(plugin), into: editing.config.jobs)
    for reason in plan.skipped { output.message("left out: \(reason)") }
    if !plan.jobs.isEmpty { try editing.add(plan.jobs, output) }
    let jobs = plan.jobs.count == 1 ? "1 job was" : "\(plan.jobs.count) jobs were"
    let feeds = plan.skipped.count == 1 ? "1 feed was" : "\(plan.skipped.count) feeds were"
    output.message("\(jobs) added to \(editing.path); \(feeds) left out")
  }

  private func feeds(
    _ services: Services, _ output: RunOutput
  ) async -> Result<[OPMLFeed], ExitCode> {
    do {
      let found = try await services.shelf.plugin(named: plugin)
      guard found.manifest.options.contains(where: { $0.name == "url" }) else {
        output.message("the plugin '\(plugin)' has no option 'url'")
        return .failure(ExitStatus.usage)
      }
      return .success(try await OPMLReader(workers: services.workers).feeds(inFile: opml))
    } catch {
      return .failure(output.stopped(by: error))
    }
  }
}
