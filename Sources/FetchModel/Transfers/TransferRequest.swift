package import FetchValues

/// A download that a plugin requests.
package struct TransferRequest: Equatable, Sendable {
  /// The address: `http`, `https`, or `file` to copy a local file. If the address has secrets, this
  /// text is only for display (`SecretText.shown`).
  package var url: String
  /// The path of the file in the job's own folder.
  package var to: FilePath
  /// The expected SHA-256 of the file, which is checked before the file gets its name; nil for no
  /// check.
  package var sha256: [UInt8]?
  package var size: Int64?
  /// The modification time to set for the finished file; nil for the time when the file was
  /// written.
  package var modified: Timestamp?
  /// The headers of the request, as for `http.get`.
  package var headers: [HTTPField] = []
  /// The parts of the request that refer to secrets by name. Each attempt inserts the secrets'
  /// values.
  package var sealed: SealedRequest?
  /// The folder for a replaced file, inside the job's own folder; nil if the replaced file is not
  /// kept.
  package var backup: FilePath?

  package init(url: String, to: FilePath) {
    self.url = url
    self.to = to
  }

  /// The size below which a file may be fetched again after a crash. Storing the progress of a
  /// smaller file would cost more than fetching the file again.
  package static let repeatedBytesMax: Int64 = 1 << 20

  /// Whether an attempt that places a file of the given size leaves a proof of it: see
  /// `FileRoot.placed`. A replaced file is kept only once, so a request with a backup leaves a
  /// proof for every size.
  package func leavesProof(size: Int64) -> Bool {
    backup != nil || size >= Self.repeatedBytesMax
  }

  /// Whether the two requests are for the same download. Headers may differ, for example in a
  /// signature.
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
