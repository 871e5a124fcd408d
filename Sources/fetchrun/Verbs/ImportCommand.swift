import ArgumentParser
import FetchConfig
import FetchEngine
import FetchModel
import FetchValues

/// `fetchrun import FILE`: adds the feeds of another program.
struct ImportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Add a job to the config for each feed of an OPML file.",
    discussion: """
      Folders are ignored; feeds that a job already fetches are skipped. The present items of the \
      feeds are stored but are not news, unless --first-run or the config's defaults say otherwise. \
      No request is made; --allow-private lets the new jobs reach private addresses.
      """)

  @Argument(help: "The OPML file.", completion: .file())
  var opml: String

  @Option(name: .long, help: "The plugin that reads the feeds.", completion: .plugins)
  var plugin = "rss"

  /// The maximum number of duplicate feeds that are all listed. If there are more, only the first
  /// is listed, and the others are counted. A repeated import may have many duplicates.
  private static let duplicatesShownMax = 3

  @OptionGroup var firstRun: FirstRunOption
  @OptionGroup var addresses: PrivateAddressOptions
  @OptionGroup var file: ConfigOptions

  func run() async throws {
    let output = RunOutput(asJSON: false)
    let editing = try ConfigEditing(path: file.pathToEdit, output)
    file.nameService(store: editing.config.store, output)
    let services = try Services.start(
      NetworkOptions.none, folders: Services.folders(editing.config.pluginFolders),
      sandbox: editing.config.sandbox)
    let found = await feeds(services, output)
    await services.shutdown()
    var plan = OPMLImport(
      try found.get(), plugin: editing.pluginPath(plugin), into: editing.config.jobs)
    let duplicates =
      plan.duplicates.count > Self.duplicatesShownMax
      ? plan.duplicates.prefix(1) : plan.duplicates[...]
    for reason in duplicates + plan.skipped { output.message("skipped: \(reason)") }
    let hiddenCount = plan.duplicates.count - duplicates.count
    if hiddenCount > 0 {
      output.message("skipped: \(hiddenCount) more feeds that already have a job")
    }
    let isDefault = firstRun.firstRun == nil && editing.config.firstRun != nil
    let rule = firstRun.firstRun ?? editing.config.firstRun ?? .baseline
    for index in plan.jobs.indices {
      plan.jobs[index].privateAddresses = addresses.privateAddresses
      if !isDefault, !editing.isNew { plan.jobs[index].firstRun = rule }
    }
    if !plan.jobs.isEmpty { try editing.add(plan.jobs, firstRun: rule, output) }
    let jobs = plan.jobs.count == 1 ? "1 job was" : "\(plan.jobs.count) jobs were"
    let skippedCount = plan.skipped.count + plan.duplicates.count
    let feeds = skippedCount == 1 ? "1 feed was" : "\(skippedCount) feeds were"
    output.message("\(jobs) added to \(editing.path); \(feeds) skipped")
    if plan.jobs.isEmpty { return }
    let place = isDefault || editing.isNew ? "in the defaults" : "in each job"
    output.message("\(rule.sentence(ofMany: true)) (first_run: \(rule.text), \(place))")
  }

  private func feeds(
    _ services: Services, _ output: RunOutput
  ) async -> Result<[OPMLFeed], ExitCode> {
    do {
      let found = try await services.shelf.plugin(named: plugin)
      guard found.manifest.options.contains(where: { $0.name == "url" }) else {
        output.message(
          "the plugin '\(plugin)' has no option 'url': use a plugin that has it, such as"
            + " --plugin rss")
        return .failure(ExitStatus.usage)
      }
      return .success(try await OPMLReader(workers: services.workers).feeds(inFile: opml))
    } catch {
      return .failure(output.stopped(by: error))
    }
  }
}
