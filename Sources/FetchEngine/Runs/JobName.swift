import Crypto
import FetchModel

/// The name of a job that nobody named.
enum JobName {
  /// The plugin's name, followed by ten hex digits of a hash over the given options that say which
  /// source is meant (URLs and required options), so that two feeds read by one plugin do not
  /// share their items, while a changed page size stays the same job. Of 10,000 feeds two have the
  /// same name once in 22,000 times.
  static func of(_ manifest: Manifest, given: ValueObject) -> String {
    var telling = ValueObject()
    for spec in manifest.options where spec.kind == .url || spec.isRequired {
      if let value = given[spec.name] { telling.append(spec.name, value) }
    }
    guard !telling.isEmpty else { return manifest.name }
    // JSON, whose form is fixed: names outlive versions.
    let text = (try? JSONWriter.text(.object(telling.sortedByKey))) ?? ""
    let digits = Array("0123456789abcdef")
    let hex = SHA256.hash(data: Array(text.utf8)).prefix(5).flatMap { byte in
      [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
    return manifest.name + "-" + String(hex)
  }
}
