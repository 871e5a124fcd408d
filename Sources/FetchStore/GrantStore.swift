package import FetchModel
import FetchValues
import Glibc

/// The grants of plugins and hook files.
package protocol GrantReading: Sendable {
  /// Returns what a job's plugin was granted, by the name of its grants; nil where it has never run, by
  /// this or another name of its file (see `GrantName.grant`).
  func grant(of job: String, plugin: String) async throws(StoreError) -> PinnedGrant?

  /// Returns what all plugins of a job were granted, the latest first.
  func grants(of job: String) async throws(StoreError) -> [PinnedGrant]

  /// Returns what the file of a hook was granted, by the name of the file's grants; nil where it has
  /// never been called.
  func grant(ofHook hook: String, plugin: String) async throws(StoreError) -> PinnedGrant?
}

/// The grants of plugins and hook files, for those who change them. The grant of a run is kept by its
/// commit.
package protocol GrantStore: GrantReading {
  /// Keeps what a job's plugin is granted from now on; a job that has never run is made, with the name
  /// in its plugin's manifest.
  func keep(_ grant: PinnedGrant, of job: String, manifestName: String) async throws(StoreError)

  /// Keeps what the file of a hook is granted from now on.
  func keep(_ grant: PinnedGrant, ofHook hook: String) async throws(StoreError)
}

/// The names that grants are stored under: a file has one, however its path is spelled.
package enum GrantName {
  /// Of a file: its path from the root on, with the links of its folder resolved. The last name
  /// stays, whatever that is a link to. Where the folder cannot be found, what can be said without it.
  package static func of(path: String) -> String {
    guard let whole = path.isAbsolutePath ? path : currentFolder.map({ "\($0)/\(path)" }) else {
      return path
    }
    var names = whole.pathNames.filter { $0 != "." }
    // What ends in `..` names no file.
    if let last = names.last, last != "..", !whole.utf8.contains(0),
      let folder = resolved("/" + names.dropLast().joined(separator: "/"))
    {
      return (folder == "/" ? "" : folder) + "/" + last
    }
    names = names.reduce(into: []) { names, name in
      if name == ".." { _ = names.popLast() } else { names.append(name) }
    }
    return "/" + names.joined(separator: "/")
  }

  /// What a plugin of this name is granted by what is stored under other names of its job or hook:
  /// names as older versions wrote them, or by another way to the same file. Nil where there is none
  /// of a file with its last name, and where it is no path: then it is the user's new choice.
  ///
  /// It has the name that was looked for. The user's latest word counts; without one, the first of
  /// first runs. A file of that name in another folder is held to what was granted, too: where a link
  /// points elsewhere than before nobody has agreed to more. Files to read stay with the file that was
  /// agreed to.
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

  /// What was written without its beginning may be any file whose path ends so.
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
