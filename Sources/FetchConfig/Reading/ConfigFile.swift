import FetchModel
package import FetchValues

#if canImport(Glibc)
  import Glibc
#endif

/// The search for the config and the reading of its files: the main file, and the files of `jobs.d`
/// beside it.
package enum ConfigFile {
  /// The maximum size of a config file, in bytes. A config of 100,000 jobs takes about 15 MB.
  package static let bytesMax = 64 << 20
  /// The name of the folder beside the main file. Each YAML file in this folder has only the key
  /// `jobs`.
  package static let jobsFolder = "jobs.d"

  /// Returns the path that the user named, otherwise the first of the default paths at which a
  /// readable file exists; nil if there is none.
  package static func path(_ named: String?, locations: Locations) -> String? {
    named ?? locations.configFiles.first(where: isThere)
  }

  /// Loads the config. Relative paths in the files are resolved from the main file's folder. The
  /// problems of all files are reported together.
  ///
  /// - Parameter jobs: the jobs that the caller needs: see `inspect`.
  package static func load(
    _ named: String?, locations: Locations, environment: [String: String], jobs: [JobName] = []
  ) throws(ConfigProblems) -> Config {
    let found = inspect(named, locations: locations, environment: environment, jobs: jobs)
    guard found.problems.isEmpty else { throw ConfigProblems(found.problems) }
    return found.config
  }

  /// Returns the error for a missing config. Its message names the command that creates a config.
  package static func missing(_ locations: Locations) -> ConfigProblem {
    let others = locations.configFiles.dropFirst().joined(separator: ", ")
    return ConfigProblem(
      file: "fetchrun.yaml",
      "there is no readable config file in this folder\(others.isEmpty ? "" : " or at \(others)");"
        + " run `fetchrun add ADDRESS` to create one")
  }

  /// Returns the parts of the config that could be read, and the problems of all its files.
  ///
  /// - Parameter jobs: the names of the jobs that the caller needs; empty for all jobs. If an index
  ///   fits the config, other jobs are left out, except those that affect the whole config, such as
  ///   jobs with hooks. If a name is unknown or there is a problem, the whole config is read.
  package static func inspect(
    _ named: String?, locations: Locations, environment: [String: String], jobs: [JobName] = []
  ) -> (config: Config, problems: [ConfigProblem]) {
    guard let path = path(named, locations: locations) else {
      return (Config(), [missing(locations)])
    }
    do {
      let bytes = try bytes(of: path)
      let index = indexFile(of: path, bytes, locations)
      if !jobs.isEmpty, let part = index?.part(naming: Set(jobs)),
        let config = config(with: part, at: path, environment)
      {
        return (config, [])
      }
      let found = inspect(try text(in: bytes, of: path), path: path, environment: environment)
      if let index, found.problems.isEmpty { refresh(index, of: found, at: path, environment) }
      return (found.config, found.problems)
    } catch {
      return (Config(), [error])
    }
  }

  /// Reads the config as if the file at `path` had the given text. The folder `jobs.d` beside the
  /// path is read as usual.
  ///
  /// - Parameter needsJobs: whether a file without jobs is a mistake; false for callers that add
  ///   jobs.
  package static func read(
    _ text: String, path: String, environment: [String: String], needsJobs: Bool = true
  ) throws(ConfigProblems) -> Config {
    let found = inspect(text, path: path, environment: environment, needsJobs: needsJobs)
    guard found.problems.isEmpty else { throw ConfigProblems(found.problems) }
    return found.config
  }

  /// Reads the config with the given text of its main file.
  ///
  /// - Parameter skipped: the lines that the text does not have, because jobs are left out of it;
  ///   nil if the text is the whole file.
  static func inspect(
    _ text: String, path: String, environment: [String: String], needsJobs: Bool = true,
    without skipped: SkippedLines? = nil
  ) -> ConfigReader.Reading {
    let folder = folder(of: path)
    var further: [String] = []
    var unreadable: [ConfigProblem] = []
    do { further = try jobFiles(in: folder + jobsFolder) } catch { unreadable = [error] }
    // The main file's reading is changed in place: a copy of 50,000 jobs would take a while.
    var found = ConfigReader.read(
      main: text, file: path, environment: environment,
      needsJobs: needsJobs && further.isEmpty && unreadable.isEmpty,
      without: skipped ?? SkippedLines())
    found.problems += unreadable
    for file in further {
      do {
        let reading = ConfigReader.read(
          jobs: try self.text(of: file), file: file, template: found.template,
          shared: found.config.secrets, environment: environment)
        found.config.jobs += reading.config.jobs
        found.problems += reading.problems
      } catch let problem { found.problems.append(problem) }
    }
    found.problems += duplicates(in: found.config.jobs)
    found.problems += HookCheck.problems(of: found.config, hasAllJobs: skipped == nil)
    found.problems += ConfigTrust.problems(of: found.config)
    resolvePaths(of: &found.config, from: folder)
    return found
  }

  static func folder(of path: String) -> String {
    path.folderPrefix
  }

  private static func duplicates(in jobs: [JobConfig]) -> [ConfigProblem] {
    var first: [JobName: Int] = [:]
    var problems: [ConfigProblem] = []
    first.reserveCapacity(jobs.count)
    for index in jobs.indices {
      guard let number = first.updateValue(index, forKey: jobs[index].name) else { continue }
      first[jobs[index].name] = number
      let (job, other) = (jobs[index], jobs[number])
      let place =
        other.file == job.file ? "on line \(other.line)" : "in \(other.file):\(other.line)"
      problems.append(
        ConfigProblem(
          file: job.file, line: job.line, column: job.column,
          "duplicate job name '\(job.name)' (first defined \(place))"))
    }
    return problems
  }

  static func resolvePaths(of config: inout Config, from folder: String) {
    guard !folder.isEmpty else { return }
    config.store = config.store.map { resolvedStore($0, from: folder) }
    config.storePassword = config.storePassword?.resolvingPaths { resolved($0, from: folder) }
    config.pluginFolders = config.pluginFolders.map { resolved($0, from: folder) }
    config.secretsKey = config.secretsKey.map { resolved($0, from: folder) }
    for index in config.secrets.indices {
      config.secrets[index].source = config.secrets[index].source.resolvingPaths {
        resolved($0, from: folder)
      }
    }
    for index in config.hooks.indices {
      config.hooks[index].sink = sink(config.hooks[index].sink, from: folder)
    }
    for index in config.jobs.indices { resolvePaths(of: &config.jobs[index], from: folder) }
  }

  private static func resolvePaths(of job: inout JobConfig, from folder: String) {
    for index in job.hooks.indices {
      job.hooks[index].sink = sink(job.hooks[index].sink, from: folder)
    }
    if let paths = job.allow.readPaths {
      job.allow.readPaths = paths.map { resolved($0, from: folder) }
    }
    for index in job.secrets.indices {
      job.secrets[index].source = job.secrets[index].source.resolvingPaths {
        resolved($0, from: folder)
      }
    }
    if let source = job.push?.secret {
      job.push?.secret = source.resolvingPaths { resolved($0, from: folder) }
    }
    if !job.watchedPaths.isEmpty {
      job.watchedPaths = job.watchedPaths.map { resolved($0, from: folder) }
    }
    if let root = job.files.root { job.files.root = resolved(root, from: folder) }
    job.plugin = file(job.plugin, from: folder)
  }

  private static func sink(_ sink: HookSink, from folder: String) -> HookSink {
    var sink = sink.resolvingPaths { resolved($0, from: folder) }
    if case .lua(var settings) = sink, !settings.file.hasSlash {
      settings.file = file(settings.file, from: folder)
      sink = .lua(settings)
    }
    return sink
  }

  /// Returns a path if the name has a slash, or is the name of a `.lua` file in the config's
  /// folder. Otherwise returns the name.
  static func file(_ name: String, from folder: String) -> String {
    let path = resolved(name, from: folder)
    return name.hasSlash || name.hasSuffix(".lua") && isThere(path) ? path : name
  }

  private static func resolvedStore(_ store: String, from folder: String) -> String {
    store.isDatabaseAddress ? store : resolved(store, from: folder)
  }

  static func resolved(_ path: String, from folder: String) -> String {
    path.isAbsolutePath ? path : folder + path
  }

  // MARK: Files

  private static func isThere(_ path: String) -> Bool { access(path, R_OK) == 0 }

  /// Returns the paths of the YAML files in a folder, sorted by name. Skips hidden files. Returns
  /// an empty list if there is no such folder. A folder that cannot be read is a problem, because
  /// otherwise a reload would remove all its jobs.
  static func jobFiles(in folder: String) throws(ConfigProblem) -> [String] {
    guard let stream = opendir(folder) else {
      if errno == ENOENT || errno == ENOTDIR { return [] }
      throw unreadableFolder(folder)
    }
    defer { closedir(stream) }
    var names: [String] = []
    while true {
      // The end of the folder leaves errno unchanged.
      errno = 0
      guard let entry = readdir(stream) else {
        guard errno == 0 else { throw unreadableFolder(folder) }
        return names.sorted()
      }
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
      }
      if !name.hasPrefix("."), name.hasSuffix(".yaml") || name.hasSuffix(".yml") {
        names.append(folder + "/" + name)
      }
    }
  }

  package static func text(of path: String) throws(ConfigProblem) -> String {
    try text(in: bytes(of: path), of: path)
  }

  private static func text(in bytes: [UInt8], of path: String) throws(ConfigProblem) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      let (line, column) = firstFault(in: bytes)
      throw ConfigProblem(file: path, line: line, column: column, "is not UTF-8 text")
    }
    return text
  }

  /// Returns the line and column of the first byte that is not UTF-8.
  private static func firstFault(in bytes: [UInt8]) -> (line: Int, column: Int) {
    var (line, column) = (1, 1)
    var iterator = bytes.makeIterator()
    var parser = Unicode.UTF8.ForwardParser()
    while case .valid(let scalar) = parser.parseScalar(from: &iterator) {
      if scalar.first == UInt8(ascii: "\n") { (line, column) = (line + 1, 1) } else { column += 1 }
    }
    return (line, column)
  }

  static func bytes(of path: String) throws(ConfigProblem) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw unreadable(path) }
    defer { close(descriptor) }
    return try bytes(from: descriptor, path)
  }

  static func bytes(from descriptor: Int32, _ path: String) throws(ConfigProblem) -> [UInt8] {
    var bytes: [UInt8] = []
    var facts = stat()
    if fstat(descriptor, &facts) == 0 {
      bytes.reserveCapacity(max(0, min(Int(facts.st_size), bytesMax)))
    }
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = Glibc.read(descriptor, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw unreadable(path) }
      if count == 0 { return bytes }
      bytes += chunk[..<count]
      guard bytes.count <= bytesMax else {
        throw ConfigProblem(file: path, "the file is larger than \(bytesMax) bytes")
      }
    }
  }

  private static func unreadableFolder(_ path: String) -> ConfigProblem {
    var problem = unreadable(path)
    problem.message += "; make the folder readable, or remove it if it has no jobs"
    return problem
  }

  private static func unreadable(_ path: String) -> ConfigProblem {
    ConfigProblem(file: path, "cannot be read: \(String(cString: strerror(errno)))")
  }
}
