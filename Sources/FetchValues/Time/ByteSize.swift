/// A number of bytes, with the text forms `500MB` (decimal units) and `64MiB` (binary units).
package struct ByteSize: Hashable, Sendable {
  package var bytes: Int64

  package init(bytes: Int64) { self.bytes = bytes }

  private static let units: [(name: String, bytes: Int64)] = [
    ("B", 1), ("KB", 1000), ("MB", 1_000_000), ("GB", 1_000_000_000), ("TB", 1_000_000_000_000),
    ("KIB", 1 << 10), ("MIB", 1 << 20), ("GIB", 1 << 30), ("TIB", 1 << 40),
  ]

  /// Parses one number with a unit: B, kB, MB, GB, TB, KiB, MiB, GiB or TiB, in upper or lower
  /// case. Throws an error for a size of about a petabyte or more.
  package init(parsing text: String) throws(UnitTextError) {
    guard let pieces = UnitText.pieces(text), pieces.count == 1, let piece = pieces.first else {
      throw Self.error(text, "is not a size")
    }
    guard !piece.unit.isEmpty else { throw Self.error(text, "has no unit") }
    guard let unit = Self.units.first(where: { $0.name == piece.unit.uppercased() }) else {
      throw Self.error(text, "has the unknown unit '\(piece.unit)'")
    }
    guard piece.whole < 1_000_000_000_000_000 / unit.bytes else {
      throw Self.error(text, "is too large")
    }
    let fraction =
      piece.millionths * (unit.bytes / 1_000_000)
      + piece.millionths * (unit.bytes % 1_000_000) / 1_000_000
    bytes = piece.whole * unit.bytes + fraction
  }

  private static func error(_ text: String, _ problem: String) -> UnitTextError {
    UnitTextError(description: "'\(text.prefix(40))' \(problem); use a size such as 500MB or 64MiB")
  }
}

extension ByteSize: CustomStringConvertible {
  /// The size as text. A whole number of GiB, MiB or KiB from 1 to 9,999 is shown in the largest
  /// such unit, for example `16 MiB`. Any other size is shown as in `decimal`.
  package var description: String {
    let binary = [("GiB", Int64(1) << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)]
    // Without the limit, 10 GB would be shown as a number of KiB.
    for (name, unit) in binary where bytes >= unit && bytes % unit == 0 && bytes / unit < 10_000 {
      return "\(bytes / unit) \(name)"
    }
    return decimal
  }

  /// The size as text in decimal units with one decimal, rounded down, for amounts that are shown
  /// side by side. A size below 1 kB is shown in bytes.
  package var decimal: String {
    let decimal = [("GB", Int64(1_000_000_000)), ("MB", 1_000_000), ("kB", 1000)]
    for (name, unit) in decimal where bytes >= unit {
      return "\(bytes / unit).\(bytes % unit * 10 / unit) \(name)"
    }
    return bytes == 1 ? "1 byte" : "\(bytes) bytes"
  }
}
