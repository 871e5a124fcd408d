package import FetchModel
package import FetchValues

extension TransferRecord {
  /// Its line in a daemon's answer: the object of `--json`.
  package var line: Value { (try? JSONReader.decode(json)) ?? .null }
}
