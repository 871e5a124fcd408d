/// The completion script for bash that ArgumentParser generates, with two corrections.
enum BashCompletion {
  private static let root = """
        __fetchrun_offer_flags_options 0

        # Offer subcommand / subcommand argument completions
    """

  /// The correction that completes options without a verb in the same way as the options of `once`.
  private static let once = """
        if [[ "${unparsed_words[0]}" == -* ]]; then
            _fetchrun_once
            return
        fi

    """

  private static let registration = "complete -o filenames -F _fetchrun fetchrun"

  /// The correction that joins the words that bash splits at colons, because many ids contain
  /// colons. Where bash splits at colons, it replaces only the text after the last colon. Then only
  /// this part of each offer is returned.
  private static let words = """
    _fetchrun_words() {
        local -a whole=()
        local word is_glued=false
        local -i index current=0
        for ((index = 0; index < ${#COMP_WORDS[@]}; index++)); do
            word="${COMP_WORDS[index]}"
            if [[ -z "${word}" && "${COMP_LINE:COMP_POINT-1:1}" == ' ' ]]; then is_glued=false; fi
            if [[ "${index}" -gt 0 && ("${word}" == :* || "${is_glued}" == true) ]]; then
                whole[${#whole[@]}-1]+="${word}"
            else
                whole+=("${word}")
            fi
            if [[ "${word}" == *: ]]; then is_glued=true; else is_glued=false; fi
            if [[ "${index}" -eq "${COMP_CWORD}" ]]; then current=${#whole[@]}-1; fi
        done
        local -a COMP_WORDS=("${whole[@]}")
        local -i COMP_CWORD="${current}"
        local -r typed="${whole[current]}"
        _fetchrun "${1}" "${typed}" "${whole[current > 0 ? current - 1 : 0]}"
        if [[ "${typed}" == *:* && "${COMP_WORDBREAKS}" == *:* ]]; then
            COMPREPLY=("${COMPREPLY[@]#"${typed%"${typed##*:}"}"}")
        fi
    }

    complete -o filenames -F _fetchrun_words fetchrun
    """

  /// Returns ArgumentParser's script for bash with the corrections. Returns any other text
  /// unchanged.
  static func completed(_ text: String) -> String {
    guard text.hasPrefix("#!/bin/bash"), let place = text.firstRange(of: root) else { return text }
    let script = text[..<place.lowerBound] + once + text[place.lowerBound...]
    return String(script).replacing(registration, with: words)
  }
}
