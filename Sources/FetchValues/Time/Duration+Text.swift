extension Duration {
  /// Returns the seconds as a JSON number, rounded to the given number of decimals, without
  /// trailing zeros: `0.42`, `3`.
  package func decimalSeconds(fractionDigits: Int) -> String {
    let digits = max(0, min(fractionDigits, 9))
    let scale = (0..<digits).reduce(Int64(1)) { scale, _ in scale * 10 }
    let unit = 1_000_000_000_000_000_000 / scale
    let (whole, attoseconds) = components
    let isNegative = whole < 0 || attoseconds < 0
    let parts = (abs(attoseconds) + unit / 2) / unit
    let seconds = whole.magnitude &+ UInt64(parts / scale)
    var text = String(seconds)
    var (rest, place) = (parts % scale, scale / 10)
    if rest > 0 { text += "." }
    while rest > 0 {
      text += String(rest / place)
      (rest, place) = (rest % place, place / 10)
    }
    return isNegative && text != "0" ? "-" + text : text
  }
}

extension Duration {
  /// The maximum length of one part of a duration's text, such as `30m`, in seconds: about a
  /// hundred years.
  package static let textSecondsMax: Int64 = 100 * 366 * 86_400

  private static let textUnits: [(name: String, milliseconds: Int64)] = [
    ("w", 7 * 86_400_000), ("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1000),
    ("ms", 1),
  ]

  /// Parses a duration such as `30s`, `15m`, `1h30m`, `2d`, `1w`, `500ms` or `1.5h`. The text
  /// consists of numbers with units. Larger units come first, and each unit occurs at most once.
  package init(parsing text: String) throws(UnitTextError) {
    guard let pieces = UnitText.pieces(text) else { throw Self.error(text, "is not a duration") }
    var milliseconds: Int64 = 0
    var next = 0
    for piece in pieces {
      guard !piece.unit.isEmpty else {
        guard let hint = Self.unitHint(text) else {
          throw Self.error(text, "has a number without a unit")
        }
        throw UnitTextError(description: "'\(text.prefix(40))' has no unit: \(hint)")
      }
      guard let index = Self.textUnits.firstIndex(where: { $0.name == piece.unit }) else {
        throw Self.error(text, "has the unknown unit '\(piece.unit)'")
      }
      guard index >= next else {
        throw Self.error(text, "must have each unit at most once, the largest first")
      }
      next = index + 1
      let unit = Self.textUnits[index].milliseconds
      guard piece.whole <= Self.textSecondsMax * 1000 / unit else {
        throw Self.error(text, "is longer than a hundred years")
      }
      milliseconds += piece.whole * unit + piece.millionths * unit / 1_000_000
    }
    self = .milliseconds(milliseconds)
  }

  /// Returns advice for a text that is a number without a unit, such as `write 5s for 5 seconds`
  /// with further units; nil for any other text.
  package static func unitHint(_ text: String) -> String? {
    guard let pieces = UnitText.pieces(text), pieces.count == 1, pieces[0].unit.isEmpty else {
      return nil
    }
    let number = text.filter { $0 != " " }
    let ending = number == "1" ? "" : "s"
    func choice(_ unit: String, _ word: String) -> String {
      "\(number)\(unit) for \(number) \(word)\(ending)"
    }
    return "write \(choice("s", "second")), \(choice("m", "minute")), \(choice("h", "hour"))"
      + " or \(choice("d", "day"))"
  }

  private static func error(_ text: String, _ problem: String) -> UnitTextError {
    UnitTextError(
      description: "'\(text.prefix(40))' \(problem); use a duration such as 30s, 15m, 1h30m or 2d")
  }

  /// The duration in the form that `init(parsing:)` reads: `1h30m`, `2d`. The largest unit is the
  /// day, and units with the value zero are left out. The text of a duration below one millisecond
  /// is `0s`.
  package var shortText: String {
    var rest = wholeMilliseconds
    guard rest > 0 else { return "0s" }
    var text = ""
    for (name, unit) in Self.textUnits.dropFirst() where rest >= unit {
      text += "\(rest / unit)\(name)"
      rest %= unit
    }
    return text
  }
}
