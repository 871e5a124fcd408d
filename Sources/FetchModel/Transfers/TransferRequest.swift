package import FetchValues

/// A download as a plugin asks for it.
package struct TransferRequest: Equatable, Sendable {
  /// `http`, `https`, or `file` for a copy of a file that may be read. For showing only where it has
  /// secrets in it (`SecretText.shown`).
  package var url: String
  /// Where the file is to lie, in the job's own folder.
  package var to: FilePath
  /// What must come: checked before the file gets its name.
  package var sha256: [UInt8]?
  package var size: Int64?
  /// The finished file's time of modification; nil leaves it to the system.
  package var modified: Timestamp?
  /// Sent with the request, as those of `http.get`.
  package var headers: [HTTPField] = []
  /// What of the request has secrets in it, by their names: their values are put in for each attempt.
  package var sealed: SealedRequest?
  /// A folder of the job's own into which a file that is replaced is moved.
  package var backup: FilePath?

  package init(url: String, to: FilePath) {
    self.url = url
    self.to = to
  }

  /// Whether one that is pending does for both: who asks again for the same is not asked to wait
  /// anew. Headers may carry what changes each time, such as a signature.
  package func isSame(as other: TransferRequest) -> Bool {
    url.hasSameBytes(as: other.url) && to == other.to && sha256 == other.sha256
      && size == other.size && modified == other.modified && backup == other.backup
      && sealed?.withoutHeaders == other.sealed?.withoutHeaders
  }
}

extension SealedRequest {
  /// Nil where nothing else is sealed.
  fileprivate var withoutHeaders: SealedRequest? {
    var rest = self
    rest.headers = []
    return rest.isEmpty ? nil : rest
  }
}
