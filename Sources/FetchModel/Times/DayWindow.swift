import FetchValues

/// A part of the day, such as `07:00-22:00`. A window such as `22:00-06:00` spans midnight.
package struct DayWindow: Hashable, Sendable {
  /// The first minute of the window, in minutes after midnight: 0...1439.
  package let start: Int
  /// The first minute after the window, in minutes after midnight: 1...1440.
  package let end: Int

  package static let wholeDay = DayWindow(start: 0, end: 1440)

  private init(start: Int, end: Int) {
    self.start = start
    self.end = end
  }

  package init(parsing text: String) throws(ScheduleTextError) {
    let ends = text.split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2, let start = Self.minute(ends[0]), let end = Self.minute(ends[1]),
      start < 1440
    else {
      throw ScheduleTextError(
        "\(ScheduleTextError.quoted(text)) is not a part of the day; write for example"
          + " \"07:00-22:00\"")
    }
    guard start != end else {
      throw ScheduleTextError(
        "\(ScheduleTextError.quoted(text)) is empty; remove it for the whole day")
    }
    self.start = start
    self.end = end == 0 ? 1440 : end
  }

  /// Returns the minute of the day for a time such as `7:00` or `07:00`, up to `24:00`. Spaces
  /// around the time are allowed.
  private static func minute(_ text: Substring) -> Int? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    let hour = parts[0].drop { $0 == " " }
    let minute = parts[1].prefix { $0 != " " }
    guard parts[1].dropFirst(minute.count).allSatisfy({ $0 == " " }), minute.utf8.count == 2,
      (1...2).contains(hour.utf8.count),
      hour.utf8.allSatisfy(ByteSet.digits.contains),
      minute.utf8.allSatisfy(ByteSet.digits.contains),
      let hours = Int(hour), let minutes = Int(minute), minutes < 60,
      hours * 60 + minutes <= 1440
    else { return nil }
    return hours * 60 + minutes
  }

  var crossesMidnight: Bool { end <= start }
}

extension DayWindow: CustomStringConvertible {
  package var description: String {
    func clock(_ minute: Int) -> String {
      func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
      return two(minute / 60) + ":" + two(minute % 60)
    }
    return clock(start) + "-" + clock(end)
  }
}
