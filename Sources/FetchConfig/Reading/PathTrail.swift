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

  /// As many as Linux follows.
  private static let linksMax = 40

  /// nil where the path leads nowhere.
  init?(_ path: String) {
    guard access(path, F_OK) == 0, let start = Self.absolute(path) else { return nil }
    var rest = Self.names(in: start)
    var names: [String] = []
    while let name = rest.popLast() {
      if name == "." { continue }
      if name == ".." {
        _ = names.popLast()
        continue
      }
      let folder = Self.path(names)
      if !folders.contains(folder) { folders.append(folder) }
      let place = Self.path(names + [name])
      guard let target = Self.target(of: place) else {
        names.append(name)
        continue
      }
      links.append(place)
      guard links.count <= Self.linksMax else { return nil }
      if target.utf8.first == UInt8(ascii: "/") { names = [] }
      rest += Self.names(in: target)
    }
    end = Self.path(names)
  }

  private static func absolute(_ path: String) -> String? {
    if path.utf8.first == UInt8(ascii: "/") { return path }
    guard let here = getcwd(nil, 0) else { return nil }
    defer { free(here) }
    return String(cString: here) + "/" + path
  }

  /// The last one first.
  private static func names(in path: String) -> [String] {
    path.utf8.split(separator: UInt8(ascii: "/")).reversed().map { String(Substring($0)) }
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
