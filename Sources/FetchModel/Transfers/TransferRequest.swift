package import FetchValues

/// A download that a plugin requests.
package struct TransferRequest: Equatable, Sendable {
  /// The address: `http`, `https`, or `file` for a copy of a readable file. With secrets in it, it
  /// is only for display (`SecretText.shown`).
  package var url: String
  /// The place of the file in the job's own folder.
  package var to: FilePath
  /// The expected hash, checked before the file gets its name.
  package var sha256: [UInt8]?
  package var size: Int64?
  /// The finished file's modification time; nil leaves it to the system.
  package var modified: Timestamp?
  /// The request's headers, like those of `http.get`.
  package var headers: [HTTPField] = []
  /// The parts of the request with secrets, by name; each attempt inserts their values.
  package var sealed: SealedRequest?
  /// A folder in the job's own folder for replaced files.
  package var backup: FilePath?

  package init(url: String, to: FilePath) {
    self.url = url
    self.to = to
  }

  /// Whether a pending request equals this one, so that a repeated request does not wait anew.
  /// Headers may differ, for example in a signature.
  package func isSame(as other: TransferRequest) -> Bool {
    url.hasSameBytes(as: other.url) && to == other.to && sha256 == other.sha256
      && size == other.size && modified == other.modified && backup == other.backup
      && sealed?.withoutHeaders == other.sealed?.withoutHeaders
  }
}

extension SealedRequest {
  /// The sealed request without headers; nil if nothing else is sealed.
  fileprivate var withoutHeaders: SealedRequest? {
    var rest = self
    rest.headers = []
    return rest.isEmpty ? nil : rest
  }
}
