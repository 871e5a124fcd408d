/// The parser's completion script for bash offers at the root what the root itself has: without a
/// verb the words are those of `once`.
enum BashCompletion {
  private static let root = """
        __fetchrun_offer_flags_options 0

        # Offer subcommand / subcommand argument completions
    """

  private static let once = """
        if [[ "${unparsed_words[0]}" == -* ]]; then
            _fetchrun_once
            return
        fi

    """

  /// Any other text as it is.
  static func withRootOptions(_ text: String) -> String {
    guard text.hasPrefix("#!/bin/bash"), let place = text.firstRange(of: root) else { return text }
    return text[..<place.lowerBound] + once + text[place.lowerBound...]
  }
}
