import ArgumentParser
import FetchConfig
import FetchEngine
import FetchModel
import Glibc

/// A config file that a verb adds jobs to.
struct ConfigEditing {
  let path: String
  /// What it says now; empty where there is no such file yet.
  let config: Config
  private let text: String?
  /// Whether there is no such file yet, or nothing in it.
  var isNew: Bool { text?.allSatisfy(\.isWhitespace) ?? true }

  /// A file with mistakes is not touched: they are said, and end the program.
  init(path: String, _ output: RunOutput) throws {
    self.path = path
    guard access(path, F_OK) == 0 else {
      config = Config()
      text = nil
      return
    }
    do {
      let text = try ConfigFile.text(of: path)
      self.text = text
      config =
        text.allSatisfy(\.isWhitespace)
        ? Config()
        : try ConfigFile.read(
          text, path: path, environment: ProcessEnvironment.environment, needsJobs: false)
    } catch let problem as ConfigProblem {
      output.message(problem.description)
      throw ExitStatus.badPlugin
    } catch let problems as ConfigProblems {
      output.problems(problems)
      throw ExitStatus.badPlugin
    }
  }

  /// - Parameter firstRun: what the defaults of a new file say.
  func add(
    _ jobs: [NewJob], firstRun: FirstRunRule? = nil, _ output: RunOutput
  ) throws {
    do {
      let text = try ConfigEdit.adding(
        jobs, to: text, file: path, environment: ProcessEnvironment.environment, firstRun: firstRun)
      try ConfigWriter.replace(path, with: text)
    } catch {
      for line in "\(error)".split(separator: "\n") { output.message(String(line)) }
      throw ExitStatus.badPlugin
    }
  }

  /// A plugin as the config must name it: a path is written from the root where the config lies in
  /// another folder than this one.
  func pluginPath(_ plugin: String) -> String {
    let isFile = plugin.hasSuffix(".lua") && access(plugin, F_OK) == 0
    guard plugin.hasSlash || isFile else { return plugin }
    guard path.hasSlash || !plugin.hasSlash, let real = realpath(plugin, nil) else {
      return plugin
    }
    defer { free(real) }
    return String(cString: real)
  }

  /// As the config's reader has it.
  func resolved(_ plugin: String) -> String {
    plugin.hasSlash && !plugin.isAbsolutePath ? path.folderPrefix + plugin : plugin
  }
}
