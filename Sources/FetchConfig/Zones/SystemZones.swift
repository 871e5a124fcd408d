package import FetchModel
import FetchValues
import Glibc

/// The time zones of the system.
///
/// Named zones are read from the IANA database in `/usr/share/zoneinfo` (Debian's package
/// `tzdata`), which the system keeps up to date.
package enum SystemZones {
  /// The system's own time zone: the zone of the variable `TZ`, otherwise the zone of
  /// `/etc/localtime`. The value is UTC if this zone is missing or invalid. It is read once, so a
  /// change of the zone or its rules needs a restart of the process.
  package static let local: ZoneOffsets = {
    let variable = getenv("TZ").map { String(cString: $0) }
    guard let variable, !variable.isEmpty else { return linked("/etc/localtime") ?? .utc }
    let name = variable.hasPrefix(":") ? String(variable.dropFirst()) : variable
    if name.hasPrefix("/") { return linked(name) ?? .utc }
    if let zone = zone(named: name) { return zone }
    guard let rule = ZoneRule(posix: Array(name.utf8)) else { return .utc }
    return ZoneOffsets(name: name) { rule.secondsEast(at: $0.seconds) }
  }()

  /// Returns a zone of the IANA database by its name; nil if the name is unknown.
  package static func zone(named name: String) -> ZoneOffsets? {
    if name == "UTC" { return .utc }
    guard isName(name) else { return nil }
    return zone(name, at: folder + name)
  }

  /// The names of all zones; only `UTC` if the index of the system's database cannot be read.
  package static var names: [String] {
    var names = ["UTC"]
    // The index of the database has a line for each zone (`Z Europe/Berlin …`) and for each
    // further name of a zone (`L Europe/Berlin Europe/Copenhagen`).
    for line in String(decoding: bytes(of: folder + "tzdata.zi"), as: UTF8.self).split(
      separator: "\n")
    {
      let words = line.split(separator: " ", maxSplits: 3)
      if words.count > 2, words[0] == "Z" { names.append(String(words[1])) }
      if words.count > 2, words[0] == "L" { names.append(String(words[2])) }
    }
    return names
  }

  private static let folder = "/usr/share/zoneinfo/"
  /// The maximum size of a file, in bytes. The largest file, `tzdata.zi`, has about 110 KB.
  private static let fileBytesMax = 1 << 20

  private static func zone(_ name: String, at path: String) -> ZoneOffsets? {
    guard let file = ZoneFile(bytes(of: path)) else { return nil }
    return ZoneOffsets(name: name) { file.secondsEast(at: $0.seconds) }
  }

  /// Returns the time zone in the file to which a path leads, with links followed; nil if there is
  /// no valid file. The zone's name is the file's path in the database, or the whole path of a file
  /// elsewhere.
  private static func linked(_ path: String) -> ZoneOffsets? {
    guard let target = realpath(path, nil) else { return nil }
    defer { free(target) }
    let whole = String(cString: target)
    let name = whole.hasPrefix(folder) ? String(whole.dropFirst(folder.count)) : whole
    return zone(name, at: whole)
  }

  /// Whether the text has the form of a zone's name, such as `America/Port-au-Prince`.
  private static func isName(_ name: String) -> Bool {
    let isPlain = name.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "+"),
        UInt8(ascii: "-"), UInt8(ascii: "/"):
        true
      default: false
      }
    }
    return isPlain && !name.isEmpty && !name.hasPrefix("/") && !name.hasSuffix("/")
  }

  /// Returns the content of a file; empty if it cannot be read or is too large.
  private static func bytes(of path: String) -> [UInt8] {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return [] }
    defer { close(file) }
    var all: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while all.count < fileBytesMax {
      let count = read(file, &chunk, chunk.count)
      guard count > 0 else { return count == 0 ? all : [] }
      all += chunk[..<count]
    }
    return []
  }
}
