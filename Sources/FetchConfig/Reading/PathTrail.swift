import FetchModel
import FetchValues
import Glibc

/// What a path is found through, as the system follows it: whoever can write one of these folders
/// can have the path lead elsewhere.
struct PathTrail {
  /// Of the path as it is typed and of every link on the way, from the outermost; none has a link in
  /// it.
  private(set) var folders: [String] = []
  private(set) var links: [String] = []
  /// Where the path leads to, without a link in it.
  private(set) var end = "/"
  /// The first part of the path that is not there, or cannot be looked at; nothing is known of what
  /// comes after it.
  private(set) var missing: String?
  /// The folder in which the last part is that was looked at.
  private(set) var lastFolder = "/"

  /// As many as Linux follows.
  private static let linksMax = 40

  /// nil where the path goes in a circle.
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
      let folder = Self.path(names)
      lastFolder = folder
      if !folders.contains(where: { ExactText($0) == ExactText(folder) }) {
        folders.append(folder)
      }
      let place = Self.path(names + [name])
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
    end = Self.path(names)
  }

  private static func absolute(_ path: String) -> String? {
    if path.isAbsolutePath { return path }
    guard let here = getcwd(nil, 0) else { return nil }
    defer { free(here) }
    return String(cString: here) + "/" + path
  }

  /// The last one first.
  private static func names(in path: String) -> [String] {
    path.pathNames.reversed()
  }

  private static func path(_ names: [String]) -> String { "/" + names.joined(separator: "/") }

  /// nil where no link is there.
  private static func target(of place: String) -> String? {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(place, &bytes, bytes.count)
    guard count >= 0 else { return nil }
    return String(decoding: bytes.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
