/// Returns a count with its noun in the singular or plural: `1 run`, `2 runs`.
package func counted(_ count: Int, _ noun: String) -> String {
  count == 1 ? "1 \(noun)" : "\(count) \(noun)s"
}

extension String {
  /// The word with its indefinite article: `a list`, `an integer`.
  package var withArticle: String {
    let vowels: [Character] = ["a", "e", "i", "o", "u"]
    return (first.map(vowels.contains) == true && self != "url" ? "an " : "a ") + self
  }
}
