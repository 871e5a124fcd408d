import FetchModel
import FetchValues
import Glibc

/// The folders and links that the system visits when it follows a path. A user who can change one
/// of them can redirect the path.
struct PathTrail {
  /// The folders that the system visits, each listed once, in the order of the first visits. The
  /// paths in this list contain no links.
  private(set) var folders: [String] = []
  private(set) var links: [String] = []
  /// The target of the path, without links. If `missing` is set, `end` is the folder in which
  /// `missing` was looked up.
  private(set) var end = "/"
  /// The path up to the first part that does not exist or cannot be checked; nil if there is no
  /// such part.
  private(set) var missing: String?
  /// The folder of the last name that was looked up.
  private(set) var lastFolder = "/"

  /// The maximum number of links that Linux follows in a path.
  private static let linksMax = 40

  /// Follows the path. Returns nil if there are more links than Linux follows, as in a cycle. Also
  /// returns nil if the path is relative and the working folder is unknown.
  init?(_ path: String) {
    guard let start = Self.absolute(path) else { return nil }
    var rest = Self.names(in: start)
    var names: [String] = []
    while let name = rest.popLast() {
      if name == "." { continue }
      if name == ".." {
        _ = names.popLast()
        continue
      }
      let folder = names.absolutePath
      lastFolder = folder
      if !folders.contains(where: { ExactText($0) == ExactText(folder) }) {
        folders.append(folder)
      }
      let place = (names + [name]).absolutePath
      var facts = stat()
      guard lstat(place, &facts) == 0 else {
        missing = place
        break
      }
      guard let target = Self.target(of: place) else {
        names.append(name)
        continue
      }
      links.append(place)
      guard links.count <= Self.linksMax else { return nil }
      if target.isAbsolutePath { names = [] }
      rest += Self.names(in: target)
    }
    end = names.absolutePath
  }

  private static func absolute(_ path: String) -> String? {
    if path.isAbsolutePath { return path }
    guard let here = getcwd(nil, 0) else { return nil }
    defer { free(here) }
    return String(cString: here) + "/" + path
  }

  /// Returns the names in the path, the last one first.
  private static func names(in path: String) -> [String] {
    path.pathNames.reversed()
  }

  /// Returns the target of the link at a path; nil if there is no link.
  private static func target(of place: String) -> String? {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(place, &bytes, bytes.count)
    guard count >= 0 else { return nil }
    return String(decoding: bytes.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
