import ArgumentParser
import FetchAuthoring
import FetchConfig
import FetchEngine
import FetchModel
import FetchValues

/// `fetchrun plugins [NAME]`: lists all plugins, or shows the usage of one plugin.
struct PluginsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plugins",
    abstract: "List the plugins that can be used by name, or show how one is used.")

  @Argument(
    help: "A plugin's name or file; omit to list all plugins.",
    completion: .file(extensions: ["lua"]))
  var name: String?

  @OptionGroup var file: ConfigOptions
  @OptionGroup var sandbox: SandboxOption

  @Flag(name: .long, help: "Print one JSON object per plugin.")
  var json = false

  @Flag(name: .long, help: "Print the documentation of the plugins in Markdown instead.")
  var markdown = false

  func run() async throws {
    let output = RunOutput(asJSON: json)
    let own = try configuredFolders(output)
    let services: Services
    do {
      services = try Services.start(
        NetworkOptions.none, folders: Services.folders(own), sandbox: sandbox.rule)
    } catch {
      throw output.stopped(by: error)
    }
    let ending: ExitCode?
    if let name {
      ending = await show([name], services, output)
    } else if markdown {
      ending = await show(Services.folders(own).entries.map(\.name), services, output)
    } else {
      await list(Services.folders(own).entries, services)
      ending = nil
    }
    await services.shutdown()
    if let ending { throw ending }
  }

  /// Returns the plugin folders of the config. Returns none if there is no config, or if the
  /// default config has mistakes.
  private func configuredFolders(_ output: RunOutput) throws -> [String] {
    if file.config != nil { return try file.load(output).pluginFolders }
    let config = try? ConfigFile.load(
      nil, locations: ProcessEnvironment.locations, environment: ProcessEnvironment.environment)
    return config?.pluginFolders ?? []
  }

  private func show(
    _ names: [String], _ services: Services, _ output: RunOutput
  ) async -> ExitCode? {
    for name in names {
      do {
        let guide = PluginGuide(name, try await services.shelf.plugin(named: name))
        if markdown {
          for line in guide.markdown.split(separator: "\n", omittingEmptySubsequences: false) {
            Terminal.current.output(PlainText.line(String(line)))
          }
        } else {
          output.control(guide.value)
          if !json { for line in guide.lines { Terminal.current.output(PlainText.line(line)) } }
        }
      } catch {
        return output.stopped(by: error)
      }
    }
    return nil
  }

  private func list(_ entries: [PluginFolders.Entry], _ services: Services) async {
    var table = TextTable([
      .init(heading: "NAME"), .init(heading: "VERSION"), .init(heading: "DESCRIPTION"),
      .init(heading: "FOLDER"),
    ])
    for entry in entries {
      let (version, about, line) = await described(entry, services)
      if json {
        Terminal.current.output(json: line)
      } else {
        let folder = String(entry.path.folderPrefix.dropLast())
        table.append([.init(entry.name), .init(version), .init(about), .init(folder)])
      }
    }
    if !json { table.write(to: .current) }
  }

  private func described(
    _ entry: PluginFolders.Entry, _ services: Services
  ) async -> (version: String, about: String, json: String) {
    var object = ValueObject([("name", .string(entry.name)), ("file", .string(entry.path))])
    do {
      let manifest = try await services.shelf.plugin(named: entry.name).manifest
      object.append("version", .string(manifest.version))
      object.append("description", manifest.summary.map { .string($0) } ?? .null)
      object.append("problem", .null)
      return (manifest.version, manifest.summary ?? "", Self.text(object))
    } catch {
      let problem = error.all.first?.description ?? ""
      object.append("version", .null)
      object.append("description", .null)
      object.append("problem", .string(problem))
      return ("-", "does not load: " + problem, Self.text(object))
    }
  }

  private static func text(_ object: ValueObject) -> String {
    (try? JSONWriter.text(.object(object))) ?? "{}"
  }
}
