/// A plain command line: each option is known and written in full, and its value is the next word.
///
/// It reads the verbs that scripts run often. The parser inspects every declaration by reflection,
/// which was a quarter of all instructions of `fetchrun --plugin`. The parser reads everything
/// else: abbreviations, `--name=value`, `--`, repeated options and every mistake.
struct FastArguments {
  private var flags: Set<String> = []
  private var values: [String: [String]] = [:]
  /// The words that are not options.
  private(set) var operands: [String] = []

  /// Creates an empty command line.
  init() {}

  /// - Parameters:
  ///   - singles: options with one value, which does not begin with a dash.
  ///   - lists: options that may be repeated, each with any word as its value.
  /// - Returns: nil if the parser must read the words.
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
