import FetchValues

/// The commands that messages tell the user to type next: copied as they stand they act on the
/// config and the store that are meant.
package struct SuggestedCommand: Equatable, Sendable {
  /// Paths are absolute where the message may be read in another folder; nil: the usual one.
  package var config: String?
  package var store: String?

  package init(config: String? = nil, store: String? = nil) {
    self.config = config
    self.store = store
  }

  /// `fetchrun deliveries --store '/srv/my store.sqlite'`; the words stand for themselves.
  package func command(_ words: String) -> String { "fetchrun \(words)\(options)" }

  /// `fetchrun grant news --config /srv/jobs.yaml`
  package func command(_ verb: String, of holder: GrantHolder) -> String {
    // What begins like an option is taken for one, unless it comes after all of them.
    guard holder.name.utf8.first == UInt8(ascii: "-") else {
      return command("\(verb) \(holder.words)")
    }
    let flag = holder == .hook(holder.name) ? " --hook" : ""
    return command(verb + flag) + " -- " + ShellWord.quoted(holder.name)
  }

  private var options: String {
    (config.map { " --config " + ShellWord.quoted($0) } ?? "")
      + (store.map { " --store " + ShellWord.quoted($0) } ?? "")
  }
}
