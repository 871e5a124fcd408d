package import FetchModel
package import FetchValues

extension TransferRecord {
  /// The transfer's line in a daemon's answer: the JSON object that `fetchrun transfers --json`
  /// prints.
  package var line: Value { (try? JSONReader.decode(json)) ?? .null }
}
