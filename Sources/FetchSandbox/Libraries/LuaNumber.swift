/// Doubles as text for queries and tables: whole numbers without a fraction, others with the fewest
/// digits that identify them.
enum LuaNumber {
  static func text(_ number: Double) -> String {
    if let whole = Int64(exactly: number) { return "\(whole)" }
    return "\(number)"
  }
}
