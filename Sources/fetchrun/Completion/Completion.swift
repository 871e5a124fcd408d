import ArgumentParser
import FetchConfig
import FetchEngine
import FetchHost
import FetchModel
import FetchStore
import FetchValues
import Glibc
import Synchronization

/// The words that a shell offers for a job, a hook, a plugin or an id.
///
/// The shell runs the program at each completion of such a word. Mistakes in the config or the
/// store are not reported.
struct Completion {
  /// The maximum number of offered words.
  static let offersMax = 500

  private let line: TypedLine
  private let prefix: String

  init(_ words: [String], _ index: Int, _ prefix: String) {
    line = TypedLine(words, upTo: index)
    self.prefix = prefix
  }

  /// Returns the names of the jobs of the config and of the store.
  func jobs() async -> [String] {
    let stored = (try? await reader()?.jobs())?.map(\.name) ?? []
    return ((config?.jobs.map(\.name) ?? []) + stored).map(\.text)
  }

  var hooks: [String] { config?.allHooks.map(\.name.text) ?? [] }

  /// Returns the names of jobs or, after `--hook`, of hooks.
  func claimants() async -> [String] {
    line.words.contains("--hook") ? hooks : await jobs()
  }

  /// The words that are offered for a plugin: the paths of Lua files and folders. If the typed text
  /// has no slash, the names of plugins are also offered.
  var plugins: [String] {
    let folders = (config?.pluginFolders ?? []) + ProcessEnvironment.locations.pluginFolders
    let names = folders.flatMap(FolderNames.of).filter { $0.hasSuffix(".lua") }
      .map { String($0.dropLast(4)) }
    return (prefix.hasSlash ? [] : names) + luaFiles
  }

  /// The paths of the Lua files and the folders in the folder of the typed path. Hidden files and
  /// folders are left out.
  private var luaFiles: [String] {
    let folder = prefix.lastSlash.map { String(prefix[...$0]) } ?? ""
    return FolderNames.of(folder.isEmpty ? "." : TypedLine.expanded(folder)).compactMap { name in
      if name.hasPrefix(".") { return nil }
      if name.hasSuffix(".lua") { return folder + name }
      return FolderNames.isFolder(TypedLine.expanded(folder) + name) ? folder + name + "/" : nil
    }
  }

  /// Returns the ids of the items of the job whose name was typed before the id. If no job was
  /// typed yet, returns the names of jobs.
  func items() async -> [String] {
    guard let job = line.positional(after: "diff") else { return await jobs() }
    var query = ItemQuery()
    query.job = JobName(job)
    query.limit = Self.offersMax
    return (try? await reader()?.allItems(query))?.map(\.key.text) ?? []
  }

  /// Returns the ids of the transfers that can be retried if the word `retry` was typed. Otherwise
  /// returns the ids of the transfers that can be cancelled.
  func transfers() async -> [String] {
    let job = line.value(of: "--job").map { JobName($0) }
    let records = (try? await reader()?.transfers(job: job, endedLimit: 200)) ?? []
    let isRetry = line.words.contains("retry")
    return records.filter { isRetry ? $0.state.canBeRetried : $0.state.isPending }
      .map { "\($0.id)" }
  }

  /// Returns the ids of the deliveries that can be retried or dropped.
  func deliveries() async -> [String] {
    let hook = line.value(of: "--hook").map { HookName($0) }
    let listed = (try? await reader()?.listedDeliveries(onlyDead: false, hook: hook)) ?? []
    return listed.map { "\($0.id)" }
  }

  /// Returns the names that begin with the typed text and are safe for a shell, each once, and at
  /// most `offersMax` names. Names with special characters are dropped, since bash expands offered
  /// words, even `$(…)`, and servers choose the ids of items.
  func offered(_ names: [String]) -> [String] {
    var seen = Set<String>()
    var offers: [String] = []
    for name in names where name.hasPrefix(prefix) && Self.isPlain(name) {
      if seen.insert(name).inserted { offers.append(name) }
      if offers.count == Self.offersMax { break }
    }
    return offers
  }

  private static let plainMarks = Set("_-./:@%+,=".utf8)

  private static func isPlain(_ name: String) -> Bool {
    guard let first = name.utf8.first, first != UInt8(ascii: "-") else { return false }
    return name.unicodeScalars.allSatisfy { scalar in
      guard scalar.isASCII else { return scalar.properties.isAlphabetic }
      return scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
        || plainMarks.contains(UInt8(truncatingIfNeeded: scalar.value))
    }
  }

  private var config: Config? {
    guard ConfigFile.path(line.config, locations: ProcessEnvironment.locations) != nil else {
      return nil
    }
    return ConfigFile.inspect(
      line.config, locations: ProcessEnvironment.locations,
      environment: ProcessEnvironment.environment
    ).config
  }

  /// Returns a reader of the store that the typed line selects; nil if the store cannot be read.
  private func reader() async -> (any ReadableStore)? {
    try? await StoreOpener.read(storeAddress)
  }

  private var storeAddress: StoreAddress {
    let locations = ProcessEnvironment.locations
    if let store = line.value(of: "--store") {
      return StoreAddress(TypedLine.expanded(store), locations)
    }
    guard ConfigFile.path(line.config, locations: locations) != nil else {
      return ProcessEnvironment.address(of: ConfiguredStore.unconfigured)
    }
    let configured = try? ConfigFile.store(
      line.config, locations: locations, environment: ProcessEnvironment.environment)
    return ProcessEnvironment.address(of: configured ?? ConfiguredStore.unconfigured)
  }
}

extension CompletionKind {
  private static func offering(
    _ names: @escaping @Sendable (Completion) async -> [String]
  ) -> CompletionKind {
    .custom { words, index, prefix in
      let completion = Completion(words, index, prefix)
      let found = Mutex<[String]>([])
      // ArgumentParser calls this function synchronously.
      HostExecutor.large.run {
        let names = await names(completion)
        found.withLock { $0 = names }
      }
      let offers = completion.offered(found.withLock { $0 })
      // zsh shows the text after a colon as a description.
      guard CompletionShell.requesting == .zsh else { return offers }
      return offers.map { $0.replacing(":", with: "\\:") }
    }
  }

  static var jobs: CompletionKind { offering { await $0.jobs() } }
  static var hooks: CompletionKind { offering { $0.hooks } }
  static var claimants: CompletionKind { offering { await $0.claimants() } }
  static var plugins: CompletionKind { offering { $0.plugins } }
  static var items: CompletionKind { offering { await $0.items() } }
  static var transfers: CompletionKind { offering { await $0.transfers() } }
  static var deliveries: CompletionKind { offering { await $0.deliveries() } }
}

/// The sorted names of the entries of a folder; empty if the folder cannot be read.
private enum FolderNames {
  static func of(_ folder: String) -> [String] {
    guard let listing = opendir(folder) else { return [] }
    defer { closedir(listing) }
    var names: [String] = []
    while let entry = readdir(listing) {
      names.append(
        withUnsafeBytes(of: entry.pointee.d_name) { bytes in
          String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        })
    }
    return names.sorted()
  }

  static func isFolder(_ path: String) -> Bool {
    var facts = stat()
    return stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFDIR
  }
}
