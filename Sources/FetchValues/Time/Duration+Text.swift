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
    let fraction = String(parts % scale)
    var text = "\(seconds)"
    if parts % scale > 0 {
      text += "." + String(repeating: "0", count: digits - fraction.utf8.count) + fraction
      while text.utf8.last == UInt8(ascii: "0") { text.removeLast() }
    }
    return isNegative && text != "0" ? "-" + text : text
  }
}
