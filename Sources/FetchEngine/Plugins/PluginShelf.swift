package import FetchHost
import FetchModel
package import FetchValues

/// The plugins and hook files by name or path. The functions `plugin` and `hook` keep their results
/// in memory.
///
/// Inspection runs the file's top level in a worker, under the limits of a run. It has no effects
/// outside the worker. A valid result in the cache replaces an inspection.
package actor PluginShelf {
  private let folders: PluginFolders
  private let workers: WorkerPool
  private let cache: ManifestCache?
  private var known = Results()
  private var knownHooks = Results()

  package init(folders: PluginFolders, workers: WorkerPool, cache: ManifestCache? = nil) {
    self.folders = folders
    self.workers = workers
    self.cache = cache
  }

  /// Returns the name under which grants of a plugin or a hook file are stored.
  nonisolated func identity(of name: String) -> String { folders.identity(of: name) }

  /// Whether a plugin file with this name or at this path exists.
  package nonisolated func has(_ name: String) -> Bool { folders.has(name) }

  /// Returns the plugin with this name or path, which `PluginFolders.load` finds. Its table is a
  /// valid manifest, and its `loadFailure` is nil.
  ///
  /// The first call reads the file and the files that it requires. Unless the cache knows the text,
  /// a worker runs the file's top level, in which every host call is refused. Later calls return
  /// the same plugin or throw the same problems, even if the file has changed.
  ///
  /// Throws all problems of the manifest, or else the first other problem, such as a missing file
  /// or a syntax error. Sets `PluginProblems.isOfHost` if no worker could inspect the file or the
  /// inspection was cancelled. Does not call `fetch`, check options or grant permissions.
  package func plugin(named name: String) async throws(PluginProblems) -> Plugin {
    if let result = known[ExactText(name)] { return try result.get() }
    let result = await inspect(
      name, loading: { () throws(Failure) in try folders.load(name) }, reading: Self.manifest)
    known[ExactText(name)] = result
    return try result.get()
  }

  /// Returns a hook file by its path or its name in the folder `hooks` of a plugin folder.
  package func hook(named name: String) async throws(PluginProblems) -> Plugin {
    if let result = knownHooks[ExactText(name)] { return try result.get() }
    let result = await inspect(
      name, loading: { () throws(Failure) in try folders.loadHook(name) }, reading: Self.hook)
    knownHooks[ExactText(name)] = result
    return try result.get()
  }

  /// Returns the probable functions of a hook file that does not load, as far as its text shows
  /// them. If the text shows none, returns all functions except `on_no_data`, which would apply to
  /// most runs.
  func likelyFunctions(ofHook name: String) -> [String] {
    let text = (try? folders.loadHook(name)).map { String(decoding: $0.source.text, as: UTF8.self) }
    let found = HookFunction.names.filter { text?.contains($0) ?? false }
    return found.isEmpty
      ? HookFunction.names.filter { $0 != HookFunction.onNoData.rawValue } : found
  }

  /// The plugins by name, or the problems that `plugin` throws for them.
  package typealias Results = [ExactText: Result<Plugin, PluginProblems>]

  /// Returns all known plugins, including those with the given names. Inspects several plugins at
  /// the same time, so that a slow plugin delays the other plugins less.
  package func plugins(named names: [String]) async -> Results {
    var left = Set(names.map(ExactText.init)).subtracting(known.keys).map(\.text)[...]
    await withTaskGroup { group in
      for _ in 0..<Self.inspectedAtOnceMax {
        if let name = left.popFirst() { group.addTask { _ = try? await self.plugin(named: name) } }
      }
      while await group.next() != nil {
        if let name = left.popFirst() { group.addTask { _ = try? await self.plugin(named: name) } }
      }
    }
    return known
  }

  /// The maximum number of simultaneous inspections. Each inspection uses a worker process.
  private static let inspectedAtOnceMax = 8

  /// Returns the file as a plugin or as a hook file, depending on its functions. Reads the file
  /// again at each call.
  package func file(named name: String) async throws(PluginProblems) -> Plugin {
    try await inspect(name, loading: { () throws(Failure) in try folders.load(name) }) {
      ManifestReader.isHook($0.table) ? Self.hook($0) : Self.manifest($0)
    }.get()
  }

  private struct Inspected {
    var table: Value
    var file: PluginFile
  }

  private typealias Reading = (Inspected) -> Result<Manifest, ManifestProblems>

  private static func manifest(_ inspected: Inspected) -> Result<Manifest, ManifestProblems> {
    ManifestReader.read(inspected.table, file: inspected.file.source.name)
  }

  private static func hook(_ inspected: Inspected) -> Result<Manifest, ManifestProblems> {
    ManifestReader.readHook(inspected.table, named: inspected.file.source.name)
  }

  private func inspect(
    _ name: String, loading load: () throws(Failure) -> PluginFile, reading read: Reading
  ) async -> Result<Plugin, PluginProblems> {
    let file: PluginFile
    do { file = try load() } catch {
      return .failure(
        PluginProblems(all: [PluginProblem(file: name, line: nil, message: error.message)]))
    }
    if let table = cache?.table(of: file.source),
      case .success(let plugin) = plugin(name, read(Inspected(table: table, file: file)), file)
    {
      return .success(plugin)
    }
    switch await inspect(file.source) {
    case .failure(let failure):
      let path = failure.file == file.source.fileName ? file.path : failure.file ?? file.path
      return .failure(
        PluginProblems(
          all: [
            PluginProblem(
              file: path, line: failure.line,
              message: folders.hinting(failure.message, beside: file.path))
          ],
          isOfHost: failure.code == .workerUnavailable || failure.code == .cancelled,
          refusal: Confinement.isRefusal(failure) ? failure : nil))
    case .success(let table):
      let result = plugin(name, read(Inspected(table: table, file: file)), file)
      if case .success = result { cache?.keep(table, of: file.source) }
      return result
    }
  }

  /// Inspects a text, unless the cache has a recent failure of the text.
  private func inspect(_ source: PluginSource) async -> Result<Value, Failure> {
    if let failure = cache?.failure(of: source) { return .failure(failure) }
    let result = await workers.inspect(source)
    if case .failure(let failure) = result { cache?.keep(failure, of: source) }
    return result
  }

  private func plugin(
    _ name: String, _ manifest: Result<Manifest, ManifestProblems>, _ file: PluginFile
  ) -> Result<Plugin, PluginProblems> {
    manifest
      .map { Plugin(named: folders.identity(of: name), file, $0) }
      .mapError { PluginProblems(all: $0.all.map { problem(of: $0, in: file) }) }
  }

  private func problem(of manifest: ManifestProblem, in file: PluginFile) -> PluginProblem {
    let text = String(decoding: file.source.text, as: UTF8.self)
    return PluginProblem(
      file: file.path, line: ManifestLocation.line(of: manifest.path, in: text),
      message: manifest.description)
  }
}
