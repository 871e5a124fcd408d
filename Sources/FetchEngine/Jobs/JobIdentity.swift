import Crypto
package import FetchModel
package import FetchValues

/// What tells one use of a plugin from another, and the names that fetchrun gives such a job when
/// nobody has named it.
///
/// It is made of the options that say which source is meant (URLs and required options), so that
/// two feeds read by one plugin do not share their items, while a changed page size stays the same
/// job. Items belong to a job's name: which name an identity got is kept in the store.
package struct JobIdentity: Equatable, Sendable {
  /// The plugin's name and ten hex digits of a hash, `rss-37946eb105`; the plugin's name alone where
  /// no option tells. Of 10,000 feeds two have the same key once in 22,000 times. It is also the name
  /// that earlier versions gave the job, and must never change.
  package let key: String
  /// The plugin's name and the source's, `rss-swift.org`.
  package let readable: String
  /// The readable name with the hash, for when another job has the readable one.
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
    // JSON, whose form is fixed: names outlive versions.
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
