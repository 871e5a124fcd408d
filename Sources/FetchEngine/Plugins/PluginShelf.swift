package import FetchHost
import FetchModel

/// Plugins by name or path, each read and inspected once while its file stays in memory.
///
/// Inspection runs the file's top level in a worker under the limits of a run; its effects end there.
/// With a cache, a text that was inspected before is not again.
package actor PluginShelf {
  private let folders: PluginFolders
  private let workers: WorkerPool
  private let cache: ManifestCache?
  private var known: [String: Result<Plugin, PluginProblems>] = [:]

  package init(folders: PluginFolders, workers: WorkerPool, cache: ManifestCache? = nil) {
    self.folders = folders
    self.workers = workers
    self.cache = cache
  }

  package func plugin(named name: String) async throws(PluginProblems) -> Plugin {
    if let result = known[name] { return try result.get() }
    let result = await inspect(name)
    known[name] = result
    return try result.get()
  }

  private func inspect(_ name: String) async -> Result<Plugin, PluginProblems> {
    let file: PluginFile
    do { file = try folders.load(name) } catch {
      return .failure(
        PluginProblems(all: [PluginProblem(file: name, line: nil, message: error.message)]))
    }
    if let table = cache?.table(of: file.source), case .success(let plugin) = read(table, file) {
      return .success(plugin)
    }
    switch await workers.inspect(file.source) {
    case .failure(let failure):
      let path = failure.file == file.source.fileName ? file.path : failure.file ?? file.path
      return .failure(
        PluginProblems(
          all: [PluginProblem(file: path, line: failure.line, message: failure.message)]))
    case .success(let table):
      let result = read(table, file)
      if case .success = result { cache?.keep(table, of: file.source) }
      return result
    }
  }

  private func read(_ table: Value, _ file: PluginFile) -> Result<Plugin, PluginProblems> {
    ManifestReader.read(table)
      .map { Plugin(path: file.path, source: file.source, manifest: $0) }
      .mapError { PluginProblems(all: $0.all.map { problem(of: $0, in: file) }) }
  }

  private func problem(of manifest: ManifestProblem, in file: PluginFile) -> PluginProblem {
    let text = String(decoding: file.source.text, as: UTF8.self)
    return PluginProblem(
      file: file.path, line: ManifestLocation.line(of: manifest.path, in: text),
      message: manifest.description)
  }
}
