extension String {
  /// The word with its indefinite article: `a list`, `an integer`.
  package var withArticle: String {
    let vowels: [Character] = ["a", "e", "i", "o", "u"]
    return (first.map(vowels.contains) == true && self != "url" ? "an " : "a ") + self
  }
}
