import ArgumentParser
import FetchConfig
import FetchEngine
import FetchModel
import FetchStore
import FetchStoreSQLite
import FetchValues
import Glibc

/// What a shell offers for a word that names something of the user's: a job, a hook, a plugin, an id.
///
/// The program is asked at each press of the key, so it reads what it needs and nothing else, writes
/// nothing, and says nothing of mistakes: where something cannot be read, nothing is offered.
struct Completion {
  /// What is offered at most; nobody reads more.
  static let offersMax = 500

  private let line: TypedLine
  private let prefix: String

  init(_ words: [String], _ index: Int, _ prefix: String) {
    line = TypedLine(words, upTo: index)
    self.prefix = prefix
  }

  /// Jobs of the config and of the store.
  var jobs: [String] {
    let stored = (try? reader?.jobs())?.map(\.name) ?? []
    return (config?.jobs.map(\.name) ?? []) + stored
  }

  var hooks: [String] { config?.allHooks.map(\.name) ?? [] }

  /// Jobs, or hooks after `--hook`.
  var claimants: [String] { line.words.contains("--hook") ? hooks : jobs }

  /// Plugins by name, and Lua files by path.
  var plugins: [String] {
    let folders = (config?.pluginFolders ?? []) + Surroundings.locations.pluginFolders
    let names = folders.flatMap(FolderNames.of).filter { $0.hasSuffix(".lua") }
      .map { String($0.dropLast(4)) }
    return (prefix.hasSlash ? [] : names) + luaFiles
  }

  /// Files that end in `.lua`, and folders, where the typed path leads.
  private var luaFiles: [String] {
    let folder = prefix.lastSlash.map { String(prefix[...$0]) } ?? ""
    return FolderNames.of(folder.isEmpty ? "." : TypedLine.expanded(folder)).compactMap { name in
      if name.hasPrefix(".") { return nil }
      if name.hasSuffix(".lua") { return folder + name }
      return FolderNames.isFolder(TypedLine.expanded(folder) + name) ? folder + name + "/" : nil
    }
  }

  /// Items of the job that was typed before.
  var items: [String] {
    guard let job = line.positional(after: "diff") else { return jobs }
    var query = ItemQuery()
    query.job = job
    query.limit = Self.offersMax
    return (try? reader?.items(query))?.map(\.key.text) ?? []
  }

  /// Transfers that can be cancelled or retried, by the word that was typed before.
  var transfers: [String] {
    let records = (try? reader?.transfers(job: line.value(of: "--job"), endedLimit: 200)) ?? []
    let isRetry = line.words.contains("retry")
    return records.filter { isRetry ? $0.state == .failed : $0.state.isPending }.map { "\($0.id)" }
  }

  /// Deliveries that can be retried or dropped.
  var deliveries: [String] {
    let hook = line.value(of: "--hook")
    let listed = (try? reader?.listedDeliveries(onlyDead: false, hook: hook)) ?? []
    return listed.map { "\($0.id)" }
  }

  /// Those that a shell may be given, each once. bash expands the words that it is offered, `$(…)`
  /// too, and servers choose the ids of items: only what no shell takes for anything is offered.
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
    guard ConfigFile.path(line.config, locations: Surroundings.locations) != nil else { return nil }
    return ConfigFile.inspect(
      line.config, locations: Surroundings.locations, environment: Surroundings.environment
    ).config
  }

  /// Of the store that the typed line means.
  private var reader: StoreReader? { try? StoreReader(at: storePath) }

  private var storePath: String {
    if let store = line.value(of: "--store") { return TypedLine.expanded(store) }
    let locations = Surroundings.locations
    guard ConfigFile.path(line.config, locations: locations) != nil else { return locations.store }
    let configured = try? ConfigFile.store(
      line.config, locations: locations, environment: Surroundings.environment)
    return configured?.path ?? locations.store
  }
}

extension CompletionKind {
  private static func offering(
    _ names: @escaping @Sendable (Completion) -> [String]
  ) -> CompletionKind {
    .custom { words, index, prefix in
      let completion = Completion(words, index, prefix)
      let offers = completion.offered(names(completion))
      // zsh takes what follows a colon for a description.
      guard CompletionShell.requesting == .zsh else { return offers }
      return offers.map { $0.replacing(":", with: "\\:") }
    }
  }

  static var jobs: CompletionKind { offering(\.jobs) }
  static var hooks: CompletionKind { offering(\.hooks) }
  static var claimants: CompletionKind { offering(\.claimants) }
  static var plugins: CompletionKind { offering(\.plugins) }
  static var items: CompletionKind { offering(\.items) }
  static var transfers: CompletionKind { offering(\.transfers) }
  static var deliveries: CompletionKind { offering(\.deliveries) }
}

/// What a folder has, sorted; nothing where it cannot be read.
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
