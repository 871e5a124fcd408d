/// A command line that is right as it stands: each option in full and known, its value the next word.
///
/// The verbs that scripts run all day are read by this. The parser looks at every declaration by
/// reflection, which was a quarter of all instructions of `fetchrun --plugin`; whatever is not plain
/// is left to it: abbreviations, `--name=value`, `--`, an option said twice, every mistake.
struct FastArguments {
  private var flags: Set<String> = []
  private var values: [String: [String]] = [:]
  /// The words that are no options.
  private(set) var operands: [String] = []

  /// No word at all.
  init() {}

  /// - Parameters:
  ///   - singles: options with one value, which begins with no dash.
  ///   - lists: options that may be repeated, each with any word as its value.
  /// - Returns: nil where the parser is to decide.
  init?(_ words: [String], flags: [String], singles: [String], lists: [String] = []) {
    var words = words[...]
    while let word = words.popFirst() {
      if flags.contains(word) {
        self.flags.insert(word)
      } else if singles.contains(word) {
        guard let value = words.popFirst(), Self.isPlain(value), values[word] == nil else {
          return nil
        }
        values[word] = [value]
      } else if lists.contains(word) {
        guard let value = words.popFirst() else { return nil }
        values[word, default: []].append(value)
      } else {
        guard Self.isPlain(word) else { return nil }
        operands.append(word)
      }
    }
  }

  private static func isPlain(_ word: String) -> Bool { !word.isEmpty && !word.hasPrefix("-") }

  func has(_ flag: String) -> Bool { flags.contains(flag) }

  subscript(single name: String) -> String? { values[name]?.first }

  subscript(list name: String) -> [String] { values[name] ?? [] }
}
