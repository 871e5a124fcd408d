import FetchValues

/// The text form of timestamps, such as `2026-11-20T10:00:00Z`, with milliseconds only if they are
/// not zero.
enum RFC3339Text {
  static func bytes(_ time: Timestamp) -> [UInt8] {
    let days = time.seconds.floorDivided(by: 86_400)
    let second = Int(time.seconds - days * 86_400)
    let millisecond = Int(time.milliseconds - time.seconds * 1000)
    let (year, month, day) = CivilDate(daysSinceEpoch: days).parts
    var text: [UInt8] = []
    text.reserveCapacity(24)
    func append(_ number: Int, _ width: Int, _ separator: Character.UTF8View.Element) {
      var divisor = width == 4 ? 1000 : width == 3 ? 100 : 10
      for _ in 0..<width {
        text.append(UInt8(0x30 + (number / divisor) % 10))
        divisor /= 10
      }
      text.append(separator)
    }
    append(max(0, year), 4, UInt8(ascii: "-"))
    append(month, 2, UInt8(ascii: "-"))
    append(day, 2, UInt8(ascii: "T"))
    append(second / 3600, 2, UInt8(ascii: ":"))
    append(second / 60 % 60, 2, UInt8(ascii: ":"))
    append(second % 60, 2, millisecond == 0 ? UInt8(ascii: "Z") : UInt8(ascii: "."))
    if millisecond != 0 { append(millisecond, 3, UInt8(ascii: "Z")) }
    return text
  }
}
