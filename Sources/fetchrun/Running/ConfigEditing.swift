import ArgumentParser
import FetchConfig
import FetchEngine
import FetchModel
import Glibc

/// A config file to which a verb adds jobs.
struct ConfigEditing {
  let path: String
  /// The content of the file; empty if the file does not exist yet or is blank.
  let config: Config
  private let text: String?
  /// Whether the file is missing, empty or blank.
  var isNew: Bool { text?.allSatisfy(\.isWhitespace) ?? true }

  /// Reads the file. If the file has mistakes, prints the mistakes and throws the exit status. The
  /// verb then does not change the file.
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

  /// Adds the jobs to the file.
  ///
  /// - Parameter firstRun: the rule for the first runs of jobs, which is written into the
  ///   defaults of a new file.
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

  /// Returns the name or path of the plugin for the config. A name without a slash stays unchanged,
  /// unless it is the name of a Lua file in the working folder. A path with a slash stays unchanged
  /// if the config's path has no slash, or if there is no such file. Otherwise returns the absolute
  /// path.
  func pluginPath(_ plugin: String) -> String {
    let isFile = plugin.hasSuffix(".lua") && access(plugin, F_OK) == 0
    guard plugin.hasSlash || isFile else { return plugin }
    guard path.hasSlash || !plugin.hasSlash, let real = realpath(plugin, nil) else {
      return plugin
    }
    defer { free(real) }
    return String(cString: real)
  }

  /// Returns the plugin's path or name in the form that it has in a loaded config.
  func resolved(_ plugin: String) -> String {
    plugin.hasSlash && !plugin.isAbsolutePath ? path.folderPrefix + plugin : plugin
  }
}
