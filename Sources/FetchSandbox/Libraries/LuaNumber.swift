/// Writes doubles as strings for queries and tables. Whole numbers have no fraction; other numbers
/// have the fewest digits that identify them.
enum LuaNumber {
  static func text(_ number: Double) -> String {
    if let whole = Int64(exactly: number) { return "\(whole)" }
    return "\(number)"
  }
}
