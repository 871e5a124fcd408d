/// A plain command line: each option is known and written in full, and the value of an option is
/// the next word.
///
/// This type reads plain command lines of the verbs that scripts run often. ArgumentParser would
/// inspect every declaration by reflection, which took a quarter of all instructions of
/// `fetchrun --plugin`. ArgumentParser reads all other command lines. Examples are abbreviations,
/// `--name=value`, `--`, a second value for an option that takes one value, and mistakes.
struct FastArguments {
  private var flags: Set<String> = []
  private var values: [String: [String]] = [:]
  /// The words that are neither options nor their values.
  private(set) var operands: [String] = []

  init() {}

  /// - Parameters:
  ///   - singles: the options that take one value.
  ///   - lists: the options that may be repeated.
  /// - Returns: nil if ArgumentParser must read the words.
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
        guard let value = words.popFirst(), Self.isPlain(value) else { return nil }
        values[word, default: []].append(value)
      } else {
        guard Self.isPlain(word) else { return nil }
        operands.append(word)
      }
    }
  }

  /// Whether a word is a plain value: not empty, and not like an option.
  private static func isPlain(_ word: String) -> Bool { !word.isEmpty && !word.hasPrefix("-") }

  func has(_ flag: String) -> Bool { flags.contains(flag) }

  subscript(single name: String) -> String? { values[name]?.first }

  subscript(list name: String) -> [String] { values[name] ?? [] }
}
