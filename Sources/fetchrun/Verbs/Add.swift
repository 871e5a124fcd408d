import ArgumentParser
import FetchConfig
import FetchEngine
import FetchModel
import Glibc

/// `fetchrun add PLUGIN`: one more job in the config.
struct Add: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Add a job to the config file, which is made if there is none.",
    discussion: "The plugin and its options are checked first; what the file has stays as it is.")

  @Argument(help: "A plugin's name in a plugin folder, or its file.", completion: .plugins)
  var plugin: String

  @OptionGroup var options: PluginOptions

  @Option(name: .long, help: "The job's name; one is made of the plugin's if it is left away.")
  var name: String?

  @Option(
    name: .long,
    help: "never, adaptive, a duration such as 15m, or a cron line such as '0 7 * * mon-fri'.")
  var interval: String?

  @OptionGroup var secrets: SecretOption
  @OptionGroup var file: ConfigOptions

  mutating func validate() throws {
    if let interval {
      do { _ = try Interval(parsing: interval) } catch {
        throw ValidationError("--interval: \(error)")
      }
    }
    if name == "" { throw ValidationError("--name must not be empty") }
  }

  func run() async throws {
    let output = RunOutput(asJSON: false)
    let editing = try ConfigEditing(path: file.pathToEdit, output)
    let services = try Services.start(
      NetworkOptions.none, pluginFolders: editing.config.pluginFolders,
      sandbox: editing.config.sandbox)
    let found = await newJob(services, editing, output)
    await services.shutdown()
    let job = try found.get()
    try refuseDuplicate(job, editing, output)
    try editing.add([job], output)
    output.message("the job '\(job.name)' was added to \(editing.path)")
  }

  private func newJob(
    _ services: Services, _ editing: ConfigEditing, _ output: RunOutput
  ) async -> Result<NewJob, ExitCode> {
    do {
      let found = try await services.shelf.plugin(named: plugin)
      let specs = found.manifest.options
      var definition = JobDefinition(plugin: plugin, name: name, options: options.texts)
      definition.secrets = givenSecrets
      let job = try definition.job(with: found)
      let given = job.options.members.filter { member in
        options.texts.contains { $0.name == member.key } && specs.contains { $0.name == member.key }
      }
      var new = NewJob(
        name: job.name, plugin: editing.pluginPath(plugin),
        options: ValueObject(given.map { ($0.key, $0.value) }), interval: interval)
      new.secrets = definition.secrets
      return .success(new)
    } catch {
      return .failure(output.stopped(by: error))
    }
  }

  /// Paths on the command line are from here, those in the config from its folder.
  private var givenSecrets: [GivenSecret] {
    secrets.given.map { secret in
      var secret = secret
      secret.source = secret.source.resolvingPaths { path in
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
      }
      return secret
    }
  }

  private func refuseDuplicate(
    _ job: NewJob, _ editing: ConfigEditing, _ output: RunOutput
  ) throws {
    for other in editing.config.jobs {
      if ExactText(other.name) == ExactText(job.name) {
        output.message(
          "a job named '\(job.name)' stands in \(other.file):\(other.line) already;"
            + " give this one another --name")
        throw ExitStatus.usage
      }
      if other.options == job.options, other.plugin == editing.resolved(job.plugin) {
        output.message(
          "the job '\(other.name)' in \(other.file):\(other.line) does the same already")
        throw ExitStatus.usage
      }
    }
  }
}
