import ArgumentParser
import FetchAuthoring
import FetchConfig
import FetchEngine
import FetchModel
import FetchStore
import FetchValues

/// `fetchrun check [FILE…]`: reports mistakes in plugins, hook files and configs without running a
/// job.
struct CheckCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check plugins, hook files and config files, without requests to sources.",
    discussion: """
      In plugins and hook files, checks the code and the manifest. In config files (.yaml, .yml), \
      checks every key and value, the files in jobs.d beside them, and whether each plugin accepts its \
      options. If the config's store exists, also reports ports that runs requested without a grant.
      """)

  @Argument(
    help: ArgumentHelp(
      "Config files, plugin files, hook files, or names of plugins in the plugin folders (default:"
        + " the config that --config names, otherwise the default config)."),
    completion: .file())
  var files: [String] = []

  @Option(
    name: .long, help: "A config file to check; unlike an argument, it may have any extension.",
    completion: .file(extensions: ["yaml", "yml"]))
  var config: String?

  @OptionGroup var sandbox: SandboxOption

  @Flag(name: .long, help: "Print one JSON object per problem.")
  var json = false

  func run() async throws {
    let output = RunOutput(asJSON: json)
    // The file that `--config` names is a config even without the extension of YAML.
    let configs = (config.map { [$0] } ?? []) + files.filter(Self.isConfig)
    var isClean = true
    if files.isEmpty, config == nil { isClean = try await check(config: nil, output) }
    for file in configs { isClean = try await check(config: file, output) && isClean }
    let plugins = files.filter { !Self.isConfig($0) }
    if !plugins.isEmpty { isClean = try await check(plugins: plugins, output) && isClean }
    if !isClean { throw ExitStatus.badPlugin }
  }

  private static func isConfig(_ file: String) -> Bool {
    file.hasSuffix(".yaml") || file.hasSuffix(".yml")
  }

  // MARK: Configs

  private func check(config file: String?, _ output: RunOutput) async throws -> Bool {
    let (config, mistakes) = ConfigFile.inspect(
      file, locations: ProcessEnvironment.locations, environment: ProcessEnvironment.environment)
    let services = try Services.start(
      NetworkOptions.none, folders: Services.folders(of: config), cachesManifests: false,
      sandbox: sandbox.sandbox ?? config.sandbox)
    let preparation = JobPreparation(shelf: services.shelf)
    let (found, warnings) = await preparation.problems(
      in: mistakes.isEmpty ? config : config.ofReadableParts,
      earlier: GrantMemory(store: ProcessEnvironment.address(of: config.configuredStore)),
      on: MachineFacts(
        environment: ProcessEnvironment.environment, vault: Services.vault(key: config.secretsKey),
        service: Services.serviceSecrets(config: config.file)))
    await services.shutdown()
    for warning in warnings { output.show(warning) }
    for weakness in await weaknesses(of: ProcessEnvironment.address(of: config.configuredStore)) {
      output.warning(weakness)
    }
    let problems = ConfigProblems(mistakes).adding(found)
    guard problems.all.isEmpty else {
      output.problems(problems)
      return false
    }
    if !json {
      let jobs = config.jobs.count == 1 ? "1 job" : "\(config.jobs.count) jobs"
      Terminal.current.output("\(config.file): fine: \(jobs)")
    }
    return true
  }

  /// Returns the weaknesses of the database server, or the error if the store cannot be read.
  /// Returns nothing for a store in a file, or if there is no store yet.
  private func weaknesses(of store: StoreAddress) async -> [String] {
    guard store.isServer else { return [] }
    do throws(StoreError) { return try await StoreOpener.read(store).facts().weaknesses } catch {
      return error.code == .missing ? [] : [error.message]
    }
  }

  // MARK: Plugins

  private func check(plugins: [String], _ output: RunOutput) async throws -> Bool {
    let services = try Services.start(
      NetworkOptions.none, cachesManifests: false, sandbox: sandbox.rule)
    var isClean = true
    for file in plugins {
      do {
        let plugin = try await services.shelf.file(named: file)
        let problems = CodeCheck.problems(in: plugin)
        for problem in problems { output.problem(problem) }
        let isFine = problems.allSatisfy(\.isWarning)
        isClean = isClean && isFine
        if isFine && !json { Terminal.current.output(summary(plugin)) }
      } catch {
        isClean = false
        for problem in error.all { output.problem(problem) }
      }
    }
    await services.shutdown()
    return isClean
  }

  /// Returns a line such as `plugins/rss.lua: fine: rss 1.0.0, asks for {options.url}`.
  private func summary(_ plugin: Plugin) -> String {
    let manifest = plugin.manifest
    let asks = PermissionKey.all.flatMap { $0.words(manifest.permissions) }
      .joined(separator: ", ")
    let kind = manifest.functions.contains("fetch") ? "" : "hook "
    let version = manifest.version.isEmpty ? "" : " \(PlainText.line(manifest.version))"
    return "\(plugin.path): fine: \(kind)\(manifest.name)\(version)"
      + (asks.isEmpty ? ", asks for nothing" : ", asks for \(PlainText.line(asks))")
  }
}

extension Config {
  /// The parts of an invalid config that can still be checked against plugins and hook files.
  fileprivate var ofReadableParts: Config {
    var config = self
    config.hooks = hooks.filter { !$0.hasMistakes }
    config.jobs = jobs.filter { !$0.plugin.isEmpty }
    for index in config.jobs.indices {
      config.jobs[index].hooks = config.jobs[index].hooks.filter { !$0.hasMistakes }
    }
    return config
  }
}
