/// The formatting of times with directives like those of strftime, in UTC and in English.
package enum DateFormat {
  /// The maximum length of a format, in bytes, which also limits the length of the output.
  package static let formatBytesMax = 1024

  /// Returns the time in a format such as `%Y %m %d %H %M %S`; `directive` lists all directives.
  /// The result is nil for an unknown or incomplete directive, a format that is too long, and times
  /// outside the years 0 to 9999.
  package static func text(_ time: Timestamp, _ format: String) -> String? {
    guard format.utf8.count <= formatBytesMax, let parts = CalendarTime(time) else { return nil }
    var text = ""
    var characters = format.unicodeScalars.makeIterator()
    while let character = characters.next() {
      guard character == "%" else {
        text.unicodeScalars.append(character)
        continue
      }
      guard let name = characters.next(), let piece = directive(name, parts, time) else {
        return nil
      }
      text += piece
    }
    return text
  }

  private static func directive(
    _ name: Unicode.Scalar, _ parts: CalendarTime, _ time: Timestamp
  ) -> String? {
    switch name {
    case "Y": padded(parts.year, 4)
    case "y": padded(parts.year % 100, 2)
    case "m": padded(parts.month, 2)
    case "d": padded(parts.day, 2)
    case "e": padded(parts.day, 2, with: " ")
    case "H": padded(parts.hour, 2)
    case "I": padded((parts.hour + 11) % 12 + 1, 2)
    case "M": padded(parts.minute, 2)
    case "S": padded(parts.second, 2)
    case "L": padded(parts.millisecond, 3)
    case "p": parts.hour < 12 ? "AM" : "PM"
    case "j": padded(parts.dayOfYear, 3)
    case "a": String(weekdays[parts.weekday].prefix(3))
    case "A": weekdays[parts.weekday]
    case "b", "h": String(months[parts.month - 1].prefix(3))
    case "B": months[parts.month - 1]
    case "u": "\(parts.weekday == 0 ? 7 : parts.weekday)"
    case "w": "\(parts.weekday)"
    case "F": "\(padded(parts.year, 4))-\(padded(parts.month, 2))-\(padded(parts.day, 2))"
    case "T": "\(padded(parts.hour, 2)):\(padded(parts.minute, 2)):\(padded(parts.second, 2))"
    case "R": "\(padded(parts.hour, 2)):\(padded(parts.minute, 2))"
    case "s": "\(time.seconds)"
    case "z": "+0000"
    case "Z": "UTC"
    case "%": "%"
    default: nil
    }
  }

  private static func padded(_ number: Int, _ width: Int, with fill: String = "0") -> String {
    let digits = String(number)
    return String(repeating: fill, count: max(0, width - digits.count)) + digits
  }

  private static let weekdays = [
    "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
  ]
  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
  ]
}
