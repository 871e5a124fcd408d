import Crypto
package import FetchModel
package import FetchValues

/// The identity of one use of a plugin, and the names that fetchrun gives such a job if the user
/// gives none.
///
/// It consists of the options that select the source (URLs and required options). Two feeds read by
/// one plugin therefore do not share their items, while a changed page size keeps the job. Items
/// belong to a job's name: the store keeps which name an identity got.
package struct JobIdentity: Equatable, Sendable {
  /// The plugin's name and ten hex digits of a hash, `rss-37946eb105`; only the plugin's name if no
  /// option selects a source. For 10,000 feeds, two share a key with a probability of 1 in 22,000.
  /// Earlier versions used it as the job's name, so it must never change.
  package let key: String
  /// The plugin's name and the source's, such as `rss-swift.org`.
  package let readable: String
  /// The readable name with the hash, used if another job has the readable one.
  package let qualified: String

  package init(_ manifest: Manifest, given: ValueObject) {
    var telling = ValueObject()
    for spec in manifest.options where spec.kind == .url || spec.isRequired {
      if let value = given[spec.name] { telling.append(spec.name, value) }
    }
    guard !telling.isEmpty else {
      (key, readable, qualified) = (manifest.name, manifest.name, manifest.name)
      return
    }
    // JSON has a fixed form: names outlive versions.
    let text = (try? JSONWriter.text(.object(telling.sortedByKey))) ?? ""
    let hash = Hexadecimal.text(of: Array(SHA256.hash(data: Array(text.utf8)).prefix(5)))
    key = manifest.name + "-" + hash
    guard let source = SourceName.of(telling.members.map(\.value)) else {
      (readable, qualified) = (key, key)
      return
    }
    readable = manifest.name + "-" + source
    qualified = readable + "-" + hash
  }

  /// Whether a name is one that fetchrun gives such a job.
  package func gives(_ name: String) -> Bool {
    [readable, key, qualified].contains { ExactText($0) == ExactText(name) }
  }
}
