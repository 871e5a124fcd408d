import ArgumentParser
import FetchAuthoring
import FetchEngine
import FetchModel
import FetchValues

/// `fetchrun test PLUGIN…`: runs the recorded cases of plugins.
struct TestCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "test",
    abstract: "Run the recorded cases of plugins, offline.",
    discussion: """
      The cases of plugins/rss.lua are the folders in plugins/rss.test. Each case runs in the real \
      sandbox with an empty store; its requests get only the recorded answers. Results are printed \
      to standard output, and the count to standard error.

      Exit status: 0 all cases passed; 1 a case failed, or a plugin has no cases; 78 a plugin or a \
      case cannot be read.
      """)

  @Argument(
    help: ArgumentHelp(
      "Plugin files, names of plugins in the plugin folders, or folders; a folder stands for all"
        + " plugins in it that have cases."),
    completion: .plugins)
  var plugins: [String]

  @Option(
    name: .customLong("case"), help: "Run only the case of this name; may be repeated.")
  var cases: [String] = []

  @Flag(name: .long, help: "Accept the actual results as the expected ones.")
  var update = false

  @OptionGroup var sandbox: SandboxOption

  @Flag(name: .long, help: "Print one JSON object per case.")
  var json = false

  func run() async throws {
    let output = RunOutput(asJSON: json)
    let services: Services
    do { services = try Services.start(NetworkOptions.none, sandbox: sandbox.rule) } catch {
      throw output.stopped(by: error)
    }
    let interruption = Interruption()
    let ending = await interruption.cancelling { await testAll(services, output) }
    await services.shutdown()
    if let code = interruption.exitCode ?? ending { throw code }
  }

  private func testAll(_ services: Services, _ output: RunOutput) async -> ExitCode? {
    var tally = CaseTally()
    var codes: Set<Int32> = []
    for name in plugins.flatMap({ files(of: $0, output, &codes) }) where !Task.isCancelled {
      do throws(PluginProblems) {
        let plugin = try await services.shelf.plugin(named: name)
        if let code = await test(plugin, services, output, &tally) { codes.insert(code.rawValue) }
      } catch {
        for problem in error.all { output.problem(problem) }
        codes.insert(ExitStatus.badPlugin.rawValue)
      }
    }
    output.message(tally.text)
    return codes.max().map { ExitCode($0) }
  }

  /// Returns the names of the plugins to test: `name` itself, unless it is the path of a folder.
  /// For a folder, returns the plugins in it that have cases. If there are none, prints a message
  /// and adds an exit status to `codes`. The name of a plugin in the plugin folders never means a
  /// folder.
  private func files(
    of name: String, _ output: RunOutput, _ codes: inout Set<Int32>
  ) -> [String] {
    if Services.folders([]).has(name) { return [name] }
    guard let files = CaseFolder.plugins(in: name) else { return [name] }
    if files.isEmpty {
      output.message(
        "the folder \(name) has no plugin with cases: name a plugin's file, or record a case with"
          + " `fetchrun record FILE --case NAME`")
      codes.insert(ExitStatus.runFailed.rawValue)
    }
    return files
  }

  private func test(
    _ plugin: Plugin, _ services: Services, _ output: RunOutput, _ tally: inout CaseTally
  ) async -> ExitCode? {
    let all = CaseFolder.all(ofPlugin: plugin.path)
    for name in cases where !all.contains(where: { $0.name == name }) {
      let hint = NearestName.hint(name, among: all.map(\.name))
      output.message("\(plugin.path) has no case '\(name)'\(hint)")
      return ExitStatus.usage
    }
    if all.isEmpty {
      output.message(
        "\(plugin.path) has no cases; to record one in \(CaseFolder.ofCases(plugin: plugin.path)),"
          + " type `fetchrun record \(ShellWord.quoted(plugin.path)) --case NAME`")
      return ExitStatus.runFailed
    }
    var code: ExitCode?
    for folder in all where cases.isEmpty || cases.contains(folder.name) {
      if Task.isCancelled { break }
      output.progress("\(plugin.manifest.name) \(folder.name)")
      let result = await PluginTest(workers: services.workers)
        .result(of: folder, plugin, updates: update)
      output.progress("")
      output.result(result)
      tally.count(result)
      if result.verdict == .failed, NewPlugin.wrote(folder) {
        output.message(
          "if the case '\(folder.name)' still tests the template that `fetchrun new` wrote, and the"
            + " plugin now fetches your source, delete the case's folder, \(folder.path)")
      }
      switch result.verdict {
      case .bad: code = ExitStatus.badPlugin
      case .failed: code = code ?? ExitStatus.runFailed
      case .passed, .updated: break
      }
    }
    return code
  }
}
