/// One problem in a manifest.
package struct ManifestProblem: Error, Equatable, Sendable {
  /// The path of keys to the mistake, such as `options`, `url`, `type`; empty for the whole table.
  package var path: [String]
  /// The mistake and what to do, without the path.
  package var message: String

  package init(_ path: [String], _ message: String) {
    self.path = path
    self.message = message
  }
}

extension ManifestProblem: CustomStringConvertible {
  package var description: String {
    path.isEmpty ? message : path.joined(separator: ".") + ": " + message
  }
}

/// All problems of one manifest; at least one.
package struct ManifestProblems: Error, Equatable, Sendable {
  package var all: [ManifestProblem]

  package init(_ all: [ManifestProblem]) { self.all = all }
}

/// A search for a manifest key in a plugin's text, so that messages can name the line of the key.
package enum ManifestLocation {
  /// Returns the probable line of the path's last key, counted from 1. The function looks for each
  /// key after the previous key, as `key =`, `["key"] =` or `function name.key(`. If a key is
  /// missing, the result is the line of the key before it, or nil for the first key. The rest of a
  /// line after `--` is skipped, even in strings, because the line is only a hint.
  package static func line(of path: [String], in source: some StringProtocol) -> Int? {
    let bytes = Array(source.utf8)
    var position = 0
    var found: Int?
    for key in path {
      guard let next = field(Array(key.utf8), in: bytes, from: position) else { break }
      found = next
      position = next + key.utf8.count
    }
    return found.map { end in
      1 + bytes[..<end].reduce(into: 0) { $0 += $1 == UInt8(ascii: "\n") ? 1 : 0 }
    }
  }

  private static func field(_ key: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
    guard !key.isEmpty, bytes.count >= key.count else { return nil }
    var index = start
    while index + key.count <= bytes.count {
      if bytes[index...].starts(with: "--".utf8) {
        index = bytes[index...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
        continue
      }
      if bytes[index..<index + key.count].elementsEqual(key),
        index == 0 || !isNameByte(bytes[index - 1]),
        assigns(bytes, after: index + key.count) || isFunction(bytes, index, index + key.count)
      {
        return index
      }
      index += 1
    }
    return nil
  }

  private static func assigns(_ bytes: [UInt8], after end: Int) -> Bool {
    var index = end
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\""), UInt8(ascii: "]"): index += 1
      case UInt8(ascii: "="): return index + 1 >= bytes.count || bytes[index + 1] != bytes[index]
      default: return false
      }
    }
    return false
  }

  /// Whether the key is between a dot and a parenthesis, as in `function name.key(`. A call
  /// `name.key(` is accepted, too, but its only effect is a wrong line in a message.
  private static func isFunction(_ bytes: [UInt8], _ start: Int, _ end: Int) -> Bool {
    start > 0 && bytes[start - 1] == UInt8(ascii: ".") && end < bytes.count
      && bytes[end] == UInt8(ascii: "(")
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
