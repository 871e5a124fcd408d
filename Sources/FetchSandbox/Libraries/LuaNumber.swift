/// Doubles as text for queries and tables: whole ones without a fraction, others by their shortest
/// digits.
enum LuaNumber {
  static func text(_ number: Double) -> String {
    if let whole = Int64(exactly: number) { return "\(whole)" }
    return "\(number)"
  }
}
