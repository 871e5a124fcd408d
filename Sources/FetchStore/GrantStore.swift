package import FetchModel
package import FetchValues
import Glibc

/// The functions that read the grants of plugins and hook files.
package protocol GrantReading: Sendable {
  /// Returns the grant of a job's plugin under the given name. If there is none, returns the grant
  /// that `GrantName.grant` selects from the job's other grants. Returns nil if that function
  /// selects none.
  func grant(of job: JobName, plugin: String) async throws(StoreError) -> PinnedGrant?

  /// Returns the grants of all plugins of a job, newest first.
  func grants(of job: JobName) async throws(StoreError) -> [PinnedGrant]

  /// Returns the grant of a hook; nil if the hook has no grant, or if the stored grant cannot be
  /// read. A grant under another name than `plugin` is adapted with `GrantName.grant`. If that
  /// function returns nil, the grant is returned unchanged.
  func grant(ofHook hook: HookName, plugin: String) async throws(StoreError) -> PinnedGrant?
}

/// The functions that write the grants of plugins and hook files. `RunStore.commit` also writes the
/// plugin's grant if the commit has one.
package protocol GrantStore: GrantReading {
  /// Stores a new grant of a job's plugin. If the store does not have the job, creates the job with
  /// `manifestName` as the name of its plugin.
  func keep(
    _ grant: PinnedGrant, of job: JobName, manifestName: PluginName
  ) async throws(StoreError)

  func keep(_ grant: PinnedGrant, ofHook hook: HookName) async throws(StoreError)
}

/// The names under which grants are stored. Relative and absolute paths of a file give the same
/// name.
package enum GrantName {
  /// Returns the name of a file: its absolute path with links in its folder resolved. A link in the
  /// last component is not resolved. If the folder cannot be resolved, or the path ends in `..`,
  /// only the text of the path is normalized. A relative path stays unchanged if the current folder
  /// is unknown.
  package static func of(path: String) -> String {
    guard let whole = path.isAbsolutePath ? path : currentFolder.map({ "\($0)/\(path)" }) else {
      return path
    }
    var names = whole.pathNames.filter { $0 != "." }
    // A path that ends in `..` names no file.
    if let last = names.last, last != "..", !whole.utf8.contains(0),
      let folder = resolved(Array(names.dropLast()).absolutePath)
    {
      return (folder == "/" ? "" : folder) + "/" + last
    }
    names = names.reduce(into: []) { names, name in
      if name == ".." { _ = names.popLast() } else { names.append(name) }
    }
    return names.absolutePath
  }

  /// Returns a grant for a plugin or hook file, selected from grants under other names. Such a name
  /// may come from an older version, from another path to the same file, or from another file.
  /// Returns nil if no name is a path with the same last component, or if `name` is not an absolute
  /// path.
  ///
  /// Grants that may be for the same file come before grants of other files with the same last
  /// component. In each of these two groups, the user's latest decision comes first, then the
  /// earliest grant that a first run stored. The result has the requested name. A grant of another
  /// file permits no reads of files.
  package static func grant(of name: String, among grants: [PinnedGrant]) -> PinnedGrant? {
    guard name.isAbsolutePath else { return nil }
    let last = ExactText(name.lastName)
    let candidates = grants.filter {
      isPath($0.plugin) && ExactText($0.plugin.lastName) == last
    }
    let same = candidates.filter { isSame($0.plugin, name) }
    if let grant = weightiest(same) { return renamed(grant, name) }
    guard var grant = weightiest(candidates).map({ renamed($0, name) }) else { return nil }
    let granted = grant.granted
    if granted.withoutReads != granted {
      grant = PinnedGrant(
        plugin: name, hash: grant.hash, granted: granted.withoutReads, at: grant.grantedAt,
        source: .firstRun)
      grant.isOfOtherName = true
    }
    return grant
  }

  private static func weightiest(_ grants: [PinnedGrant]) -> PinnedGrant? {
    grants.filter { $0.source != .firstRun }.max { $0.grantedAt < $1.grantedAt }
      ?? grants.min { $0.grantedAt < $1.grantedAt }
  }

  private static func renamed(_ grant: PinnedGrant, _ name: String) -> PinnedGrant {
    var grant = grant
    grant.plugin = name
    grant.isOfOtherName = true
    return grant
  }

  private static func isPath(_ name: String) -> Bool { name.hasSlash || name.hasSuffix(".lua") }

  /// Whether both names may mean the same file. A relative path may mean any file whose path ends
  /// with the relative path.
  private static func isSame(_ written: String, _ name: String) -> Bool {
    if written.isAbsolutePath { return ExactText(of(path: written)) == ExactText(name) }
    let end = written.pathNames.filter { $0 != "." && $0 != ".." }.map { ExactText($0) }
    return name.pathNames.map { ExactText($0) }.suffix(end.count).elementsEqual(end)
  }

  private static var currentFolder: String? {
    guard let here = getcwd(nil, 0) else { return nil }
    defer { free(here) }
    return String(cString: here)
  }

  private static func resolved(_ folder: String) -> String? {
    guard let real = realpath(folder, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }
}
