import FetchValues

/// The config and the store of a command that a message suggests. A user who copies the command
/// unchanged acts on this config and store.
package struct SuggestedCommand: Equatable, Sendable {
  /// The path of the config; nil for the default. The path is absolute if the message may be read
  /// in another folder.
  package var config: String?
  package var store: String?

  package init(config: String? = nil, store: String? = nil) {
    self.config = config
    self.store = store
  }

  /// Returns a command such as `fetchrun deliveries --store '/srv/my store.sqlite'`. The function
  /// does not quote `words`.
  package func command(_ words: String) -> String { "fetchrun \(words)\(options)" }

  /// Returns a command about a job or hook, such as `fetchrun grant news --config /srv/jobs.yaml`.
  package func command(_ verb: String, of holder: GrantHolder) -> String {
    // A name that begins like an option must come after all options.
    guard holder.name.utf8.first == UInt8(ascii: "-") else {
      return command("\(verb) \(holder.words)")
    }
    let flag = holder.kind == "hook" ? " --hook" : ""
    return command(verb + flag) + " -- " + ShellWord.quoted(holder.name)
  }

  private var options: String {
    (config.map { " --config " + ShellWord.quoted($0) } ?? "")
      + (store.map { " --store " + ShellWord.quoted($0) } ?? "")
  }
}
