package import FetchValues

extension HTML.StringInterpolation {
  /// Appends a time in UTC as `ShownTime.text` shows it. A missing time is a dash. The page's
  /// script converts the text to the reader's time zone.
  package mutating func appendInterpolation(time: Timestamp?, now: Timestamp) {
    guard let time else {
      appendInterpolation("–")
      return
    }
    let exact = time.descriptionInSeconds
    let part: HTML =
      "<time datetime=\"\(exact)\">\(ShownTime.text(time, now: now))</time>"
    appendInterpolation(part)
  }
}

/// The formatting of times and amounts as short texts for people.
package enum ShownTime {
  private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
  private static let daySeconds: Int64 = 86_400

  /// Returns the time in UTC. The form is `18:01` for today, and `Tue 18:01` for the six days
  /// before and after today. It is `24 Nov 18:01` for other days of this year, otherwise `24 Nov
  /// 2025`.
  package static func text(_ time: Timestamp, now: Timestamp) -> String {
    let day = time.seconds.floorDivided(by: daySeconds)
    let today = now.seconds.floorDivided(by: daySeconds)
    let clock = clock(time)
    if day == today { return clock }
    let date = CivilDate(daysSinceEpoch: day)
    if abs(day - today) < 7 { return "\(weekdays[date.weekday]) \(clock)" }
    let (year, month, dayOfMonth) = date.parts
    let name = months.indices.contains(month - 1) ? months[month - 1] : "\(month)"
    let isOfThisYear = year == CivilDate(daysSinceEpoch: today).parts.year
    return "\(dayOfMonth) \(name) \(isOfThisYear ? clock : "\(year)")"
  }

  /// Returns the hour and minute of a time in UTC.
  package static func clock(_ time: Timestamp) -> String {
    let second = time.seconds - time.seconds.floorDivided(by: daySeconds) * daySeconds
    return "\(padded(second / 3600)):\(padded(second / 60 % 60))"
  }

  /// Returns the weekday of a time in UTC.
  package static func day(_ time: Timestamp) -> String {
    weekdays[CivilDate(daysSinceEpoch: time.seconds.floorDivided(by: daySeconds)).weekday]
  }

  /// Returns a duration in a suitable unit: `40 s`, `12 min`, `3 h`, `9 days`.
  package static func span(_ duration: Duration) -> String {
    let seconds = max(0, duration.components.seconds)
    switch seconds {
    case ..<100: return "\(seconds) s"
    case ..<(100 * 60): return "\(seconds / 60) min"
    case ..<(48 * 3600): return "\(seconds / 3600) h"
    default: return "\(seconds / daySeconds) days"
    }
  }

  /// Returns a duration in seconds, with decimals below ten seconds: `0.42 s`, `12 s`.
  package static func seconds(_ duration: Duration) -> String {
    let digits = duration < .seconds(1) ? 2 : duration < .seconds(10) ? 1 : 0
    return duration.decimalSeconds(fractionDigits: digits) + " s"
  }

  /// Returns a number with commas between its groups of three digits: `10,000`.
  package static func number(_ number: Int) -> String {
    let digits = Array(String(number.magnitude))
    var text = number < 0 ? "−" : ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { text.append(",") }
      text.append(digit)
    }
    return text
  }

  /// Returns a number with its noun: `1 job`, `10,000 jobs`.
  package static func count(_ count: Int, _ noun: String) -> String {
    "\(number(count)) \(noun)\(count == 1 ? "" : "s")"
  }

  private static func padded(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
