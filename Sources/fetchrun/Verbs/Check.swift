import ArgumentParser
import FetchEngine
import FetchModel

/// `fetchrun check FILE…`: what is wrong with plugins, without running them.
struct Check: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check plugins: their code and manifest, without network or store.")

  @Argument(help: "Plugin files, or names in the plugin folders.")
  var files: [String]

  @Flag(name: .long, help: "Print one JSON object per problem.")
  var json = false

  func run() async throws {
    let output = RunOutput(asJSON: json)
    let services = try Services.start(NetworkOptions.none, cachesManifests: false)
    var isClean = true
    for file in files {
      do {
        let plugin = try await services.shelf.plugin(named: file)
        if !json { Terminal.current.output(summary(plugin)) }
      } catch {
        isClean = false
        for problem in error.all { output.problem(problem) }
      }
    }
    await services.shutdown()
    if !isClean { throw ExitStatus.badPlugin }
  }

  /// `plugins/rss.lua: fine: rss 1.0.0, asks for {options.url}`
  private func summary(_ plugin: Plugin) -> String {
    let manifest = plugin.manifest
    let asks = (manifest.permissions.http + manifest.permissions.read).joined(separator: ", ")
    return "\(plugin.path): fine: \(manifest.name) \(PlainText.line(manifest.version))"
      + (asks.isEmpty ? ", asks for nothing" : ", asks for \(PlainText.line(asks))")
  }
}
