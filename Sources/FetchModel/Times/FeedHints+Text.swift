import FetchValues

extension FeedHints {
  /// One sentence with its end; nil where nothing was said.
  package var sentence: String? {
    var parts: [String] = []
    if let ttl { parts.append("ttl \(ttl.shortText)") }
    if let updates {
      let base = updates.phase == nil ? "" : " counted from sy:updateBase"
      parts.append("sy:updatePeriod \(Duration.seconds(updates.seconds).shortText)\(base)")
    }
    if skipHours != 0 { parts.append("skipHours \(Self.ranges(skipHours)) UTC") }
    if skipDays != 0 { parts.append("skipDays \(Weekdays(bits: skipDays)) UTC") }
    return parts.isEmpty ? nil : "Its feed says of itself: \(parts.joined(separator: ", "))."
  }

  /// `0-5,23`.
  private static func ranges(_ bits: UInt32) -> String {
    var texts: [String] = []
    var hour = 0
    while hour < 24 {
      guard bits >> UInt32(hour) & 1 == 1 else {
        hour += 1
        continue
      }
      let first = hour
      while hour < 24, bits >> UInt32(hour) & 1 == 1 { hour += 1 }
      texts.append(first == hour - 1 ? "\(first)" : "\(first)-\(hour - 1)")
    }
    return texts.joined(separator: ",")
  }
}
