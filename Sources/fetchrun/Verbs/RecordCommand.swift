import ArgumentParser
import FetchAuthoring
import FetchConfig
import FetchEngine
import FetchModel
import FetchValues

/// `fetchrun record PLUGIN --case NAME`: records a case for `fetchrun test`.
struct RecordCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record",
    abstract: "Run a plugin and record its requests and their answers as a test case.",
    discussion: """
      Writes case.yaml, the answers and the results to a folder beside the plugin: \
      plugins/rss.test/NAME for plugins/rss.lua. Cookies, Authorization and everything else whose \
      name suggests a secret are omitted. The user's store is not changed. An existing case that \
      expects a failure is replaced. If no server answered successfully, nothing is written.
      """)

  @Argument(
    help: "A plugin's file, or the plugin's name in a plugin folder.", completion: .plugins)
  var plugin: String

  @Option(
    name: .customLong("case"), help: "The name of the case: letters, digits, '-', '_' and '.'.")
  var caseName: String

  @OptionGroup var options: PluginOptions

  @Option(
    name: .long,
    help: "The number of runs, one after another, on one store; later runs may get only changes.")
  var runs = 1

  @Option(
    name: .long,
    help: "A file or folder that the plugin may read; may be repeated.")
  var allowRead: [String] = []

  @OptionGroup var secrets: SecretOption

  @Option(
    name: .long,
    help: ArgumentHelp(
      "A config with the secrets and access tokens that --secret does not name.",
      valueName: "file"))
  var config: String?

  @OptionGroup var network: NetworkOptions
  @OptionGroup var sandbox: SandboxOption

  @Flag(
    name: .long,
    help: "Replace an existing case, and record even if no server answered successfully.")
  var force = false

  @Flag(name: .long, help: "Print a JSON object.")
  var json = false

  mutating func validate() throws {
    try CaseName.check(caseName)
    if !(1...20).contains(runs) { throw ValidationError("--runs must be from 1 to 20") }
  }

  func run() async throws {
    let output = RunOutput(asJSON: json)
    let services: Services
    do { services = try Services.start(network, sandbox: sandbox.rule) } catch {
      throw output.stopped(by: error)
    }
    network.warn(output)
    let interruption = Interruption()
    let ending = await interruption.cancelling { await record(services, output) }
    await services.shutdown()
    if let code = interruption.exitCode ?? ending { throw code }
  }

  private func record(_ services: Services, _ output: RunOutput) async -> ExitCode? {
    do {
      let found = try await services.shelf.plugin(named: plugin)
      let folder = CaseFolder(caseName, ofPlugin: found.path)
      guard force || !NewFile.isThere(folder.path) || folder.isReplaceable else {
        output.message(
          "the case \(folder.path) already exists: add --force to record it again, or use another"
            + " --case")
        return ExitStatus.usage
      }
      let config = try config.map { path in
        try ConfigFile.load(
          path, locations: ProcessEnvironment.locations, environment: ProcessEnvironment.environment
        )
      }
      let typed = jobConfig(of: found, secrets: config?.secrets ?? [])
      let job = try typed.job(with: found)
      output.progress("\(found.manifest.name) is running …")
      let recorder = CaseRecorder(
        workers: services.workers, transport: services.http, policy: services.policy,
        secrets: services.secretAccess(key: config?.secretsKey), now: services.time.now)
      let recorded = try await recorder.record(found, typed, runCount: runs)
      output.progress("")
      if !force, let why = Self.reasonToLeave(recorded) {
        output.message("nothing was recorded: \(why); to record anyway, add --force")
        return ExitStatus.runFailed
      }
      // If a permission was refused, it would be wrong to print the grants.
      if !recorded.outcomes.contains(where: { $0.failure?.code == .permission }) {
        output.granted(job, filesPath: "a temporary folder")
      }
      try recorded.replace(
        folder, comment: ["Recorded by fetchrun record; fetchrun test runs it."])
      report(recorded, folder, found, output)
      return nil
    } catch {
      output.progress("")
      return output.stopped(by: error)
    }
  }

  /// Returns the reason why a recording would be useless; nil if it is useful. If a plugin fails on
  /// good answers, the recording is useful, since the author can then adapt the plugin to these
  /// answers.
  private static func reasonToLeave(_ recorded: RecordedCase) -> String? {
    if recorded.hasGoodAnswer { return nil }
    if let failure = recorded.outcomes.compactMap(\.failure).first {
      return PlainText.line(failure.described)
    }
    guard let request = recorded.recording.runs.flatMap(\.requests).last else {
      // A plugin may have read files without any request, or may have continued after a refused
      // request.
      let hasItems = recorded.outcomes.contains { $0.counts.total > 0 }
      return hasItems ? nil : "no request was sent, and no items were found"
    }
    guard case .answer(let answer) = request.end else { return "the last request got no answer" }
    return PlainText.line("\(request.method) \(request.url) answered \(answer.status)")
  }

  private func report(
    _ recorded: RecordedCase, _ folder: CaseFolder, _ plugin: Plugin, _ output: RunOutput
  ) {
    let count = recorded.recording.runs.flatMap(\.requests).reduce(0) { $0 + $1.times }
    let words = recorded.outcomes.map(\.word)
    let object: Value = [
      "case": .string(folder.name), "folder": .string(folder.path),
      "outcomes": .array(words.map { .string($0) }), "requests": .integer(Int64(count)),
      "leftOut": .array(recorded.scrubbed.map { .string($0) }),
    ]
    output.control(object) {
      "recorded  \(folder.path)  \(words.joined(separator: ", "))  (\(counted(count, "request")))"
    }
    for failure in recorded.outcomes.compactMap(\.failure) {
      let text = PlainText.line(failure.described)
      output.message(
        recorded.hasGoodAnswer
          ? "the answers were recorded, but a run failed: \(text)"
          : "a run failed: \(text)")
    }
    if recorded.lines.failureMessage != nil {
      let update =
        "; when the plugin handles the answers, type `fetchrun test \(ShellWord.quoted(plugin.path)) --case"
        + " \(folder.name) --update`"
      output.message(
        "warning: the case expects this failure, and passes with it"
          + (recorded.hasGoodAnswer ? update : ""))
    }
    for warning in recorded.lines.mistakes {
      output.message("warning: " + PlainText.line(warning))
    }
    if !recorded.scrubbed.isEmpty {
      output.message("omitted: " + recorded.scrubbed.joined(separator: ", "))
    }
    output.message(
      "to run the case, type `fetchrun test \(ShellWord.quoted(plugin.path)) --case"
        + " \(folder.name)`")
  }

  /// Returns the job to record.
  ///
  /// - Parameter usual: the secrets that are used if `--secret` does not name them.
  private func jobConfig(of found: Plugin, secrets usual: [GivenSecret]) -> JobConfig {
    var config = JobConfig(typed: plugin, options: options.texts)
    config.allow.privateAddresses = network.privateAddresses
    config.allow.readPaths = allowRead.isEmpty ? nil : allowRead
    config.secrets = secrets.given
    for asked in found.manifest.permissions.secrets
    where !config.secrets.contains(where: { $0.name == asked.name }) {
      config.secrets += usual.filter { $0.name == asked.name }
    }
    return config
  }
}
