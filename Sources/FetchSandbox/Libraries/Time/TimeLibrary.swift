import FetchValues

/// The pure functions of `require "time"`. Times are seconds since 1970 in UTC. Whole seconds are
/// integers. `time.now` is not pure, so the Lua module defines it.
package enum TimeLibrary {
  package static let functions: [LibraryFunction] = [parse, iso, format, date, seconds, duration]

  /// `time.parse(text) -> seconds`, or `nil, message`: reads the date formats of `FeedDate`.
  private static let parse = LibraryFunction("time.parse") {
    arguments, _, writer throws(LibraryError) in
    TimeTable.write(try TimeTable.date(try arguments.string()), &writer)
    return 1
  }

  /// `time.iso(text) -> text`, or `nil, message`: rewrites a date in RFC 3339, in UTC.
  private static let iso = LibraryFunction("time.iso") {
    arguments, _, writer throws(LibraryError) in
    writer.write(try TimeTable.text(try TimeTable.date(try arguments.string())))
    return 1
  }

  /// `time.format(seconds [, format]) -> text`: returns the time in RFC 3339 or in a strftime
  /// format, in UTC. Without `format`, a time outside the years 0 to 9999 gives `nil, message`.
  private static let format = LibraryFunction("time.format") {
    arguments, _, writer throws(LibraryError) in
    let time = try TimeTable.instant(try arguments.value(), function: "time.format")
    guard let format = try arguments.optionalString() else {
      writer.write(try TimeTable.text(time))
      return 1
    }
    guard let text = DateFormat.text(time, format) else {
      throw .misuse(
        "bad argument to 'time.format' (unknown directive in '\(format.prefix(80))', a format"
          + " longer than \(DateFormat.formatBytesMax) bytes, or a time outside the years"
          + " 0 to 9999)")
    }
    writer.write(text)
    return 1
  }

  /// `time.date(seconds) -> {year, month, day, hour, min, sec, wday, yday}`, like Lua's
  /// `os.date("!*t")`. A time outside the years 0 to 9999 gives `nil, message`.
  private static let date = LibraryFunction("time.date") {
    arguments, _, writer throws(LibraryError) in
    let time = try TimeTable.instant(try arguments.value(), function: "time.date")
    guard let parts = CalendarTime(time) else { throw TimeTable.outOfRange }
    writer.write(TimeTable.value(parts))
    return 1
  }

  /// `time.seconds(parts) -> seconds`, the opposite of `time.date`, or `nil, message` if the time
  /// is out of range. Parts beyond their range carry over, such as minute 70.
  private static let seconds = LibraryFunction("time.seconds") {
    arguments, _, writer throws(LibraryError) in
    TimeTable.write(try TimeTable.instant(parts: try arguments.value()), &writer)
    return 1
  }

  /// `time.duration(text) -> seconds`, or `nil, message`: reads a duration such as `30s`, `15m`,
  /// `1h30m` or `2d`.
  private static let duration = LibraryFunction("time.duration") {
    arguments, _, writer throws(LibraryError) in
    let text = try arguments.string()
    do {
      let duration = try Duration(parsing: text)
      TimeTable.write(Timestamp(milliseconds: duration.wholeMilliseconds), &writer)
    } catch { throw .refused("\(error)") }
    return 1
  }
}

/// The conversion between times and Lua numbers or tables.
enum TimeTable {
  static let outOfRange = LibraryError.refused("the time is outside the years 0 to 9999")

  static func date(_ text: String) throws(LibraryError) -> Timestamp {
    guard let time = FeedDate.parse(text) else {
      throw .refused("unknown date format '\(text.prefix(80))'")
    }
    return time
  }

  static func text(_ time: Timestamp) throws(LibraryError) -> String {
    guard let text = time.rfc3339 else { throw outOfRange }
    return text
  }

  static func write(_ time: Timestamp, _ writer: inout ValueWriter) {
    if time.milliseconds % 1000 == 0 {
      writer.write(time.seconds)
    } else {
      writer.write(Double(time.milliseconds) / 1000)
    }
  }

  static func instant(_ value: Value, function: String) throws(LibraryError) -> Timestamp {
    guard let seconds = value.numberValue else {
      throw .misuse("bad argument #1 to '\(function)' (number expected, got \(value.kindName))")
    }
    guard let milliseconds = Int64(exactly: (seconds * 1000).rounded()) else { throw outOfRange }
    return Timestamp(milliseconds: milliseconds)
  }

  static func value(_ parts: CalendarTime) -> Value {
    [
      "year": .integer(Int64(parts.year)), "month": .integer(Int64(parts.month)),
      "day": .integer(Int64(parts.day)), "hour": .integer(Int64(parts.hour)),
      "min": .integer(Int64(parts.minute)), "sec": .integer(Int64(parts.second)),
      "wday": .integer(Int64(parts.weekday + 1)), "yday": .integer(Int64(parts.dayOfYear)),
    ]
  }

  static func instant(parts value: Value) throws(LibraryError) -> Timestamp {
    guard let object = value.objectValue else {
      throw .misuse("bad argument #1 to 'time.seconds' (table expected, got \(value.kindName))")
    }
    func part(_ name: String, _ standard: Int?) throws(LibraryError) -> Int {
      guard let field = object[name] else {
        guard let standard else { throw .misuse("field '\(name)' missing in 'time.seconds'") }
        return standard
      }
      guard let number = field.integerValue else {
        throw .misuse("bad field '\(name)' in 'time.seconds' (integer expected)")
      }
      return Int(number)
    }
    // Noon is the default hour, as in Lua's os.time.
    let parts = CalendarTime(
      year: try part("year", nil), month: try part("month", nil), day: try part("day", nil),
      hour: try part("hour", 12), minute: try part("min", 0), second: try part("sec", 0))
    guard let time = parts.timestamp else { throw outOfRange }
    return time
  }
}
