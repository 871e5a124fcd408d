import FetchValues

/// The pure functions of `require "time"`. Times are seconds since 1970 in UTC; whole seconds are
/// integers. `time.now` is not pure, so the Lua module defines it.
package enum TimeLibrary {
  package static let functions: [LibraryFunction] = [parse, iso, format, date, seconds, duration]

  /// `time.parse(text) -> seconds`, or `nil, message`: reads any date format known from feeds.
  private static let parse = LibraryFunction("time.parse") {
    arguments, _, writer throws(LibraryError) in
    TimeTable.write(try TimeTable.date(try arguments.string()), &writer)
    return 1
  }

  /// `time.iso(text) -> text`: rewrites a date in RFC 3339, in UTC.
  private static let iso = LibraryFunction("time.iso") {
    arguments, _, writer throws(LibraryError) in
    writer.write(try TimeTable.text(try TimeTable.date(try arguments.string())))
    return 1
  }

  /// `time.format(seconds [, format]) -> text`: RFC 3339 or a strftime format, in UTC.
  private static let format = LibraryFunction("time.format") {
    arguments, _, writer throws(LibraryError) in
    let time = try TimeTable.instant(try arguments.value(), function: "time.format")
    guard let format = try arguments.optionalString() else {
      writer.write(try TimeTable.text(time))
      return 1
    }
    guard let text = DateFormat.text(time, format) else {
      throw .misuse(
        "bad argument #2 to 'time.format' (unknown directive in '\(format.prefix(80))')")
    }
    writer.write(text)
    return 1
  }

  /// `time.date(seconds) -> {year, month, day, hour, min, sec, wday, yday}`, like Lua's
  /// `os.date("!*t")`.
  private static let date = LibraryFunction("time.date") {
    arguments, _, writer throws(LibraryError) in
    let time = try TimeTable.instant(try arguments.value(), function: "time.date")
    guard let parts = CalendarTime(time) else { throw TimeTable.outOfRange }
    writer.write(TimeTable.value(parts))
    return 1
  }

  /// `time.seconds(parts) -> seconds`, the opposite of `time.date`. Parts beyond their range carry
  /// over, such as minute 70.
  private static let seconds = LibraryFunction("time.seconds") {
    arguments, _, writer throws(LibraryError) in
    TimeTable.write(try TimeTable.instant(parts: try arguments.value()), &writer)
    return 1
  }

  /// `time.duration(text) -> seconds`, or `nil, message`: `30s`, `15m`, `1h30m`, `2d`.
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
