package import FetchModel
import FetchValues

/// The conversion of rows of the table `transfers` into records.
package enum TransferRow {
  /// The columns in the order in which `record` reads them. The query must join the table with the
  /// table `jobs`.
  package static let columns = """
    transfers.id, jobs.name, path, url, sha256, size, modified_at, headers, backup, transfers.state,
    told, received, total, etag, last_modified, has_strong_date, boot, attempts, failures,
    failing_since, changes, next_attempt_at, failure, found_sha256, created_at, updated_at,
    sealed
    """

  /// Returns the record in a row; nil if its path, state or secrets cannot be read.
  package static func record(_ row: some StoreRow) -> TransferRecord? {
    guard let request = request(row), let state = row.text(9).flatMap(TransferState.init) else {
      return nil
    }
    var record = TransferRecord(
      id: row.integer(0), job: row.name(1), request: request, createdAt: row.time(24))
    record.state = state
    record.isTold = row.integer(10) != 0
    record.download.receivedBytes = row.integer(11)
    record.download.totalBytes = row.optionalInteger(12)
    record.download.validators = RangeValidators(
      etag: row.text(13), lastModified: row.text(14), hasStrongDate: row.integer(15) != 0)
    record.boot = row.text(16)
    record.attemptCount = row.count(17)
    record.failureCount = row.count(18)
    record.failingSince = row.optionalTime(19)
    record.changeCount = row.count(20)
    record.nextAttemptAt = row.optionalTime(21)
    record.failure = row.text(22).map(RunRow.failure)
    record.sha256 = row.bytes(23)
    record.updatedAt = row.time(25)
    return record
  }

  private static func request(_ row: some StoreRow) -> TransferRequest? {
    guard let path = row.text(2).flatMap({ try? FilePath($0) }) else { return nil }
    var request = TransferRequest(url: row.text(3) ?? "", to: path)
    request.sha256 = row.bytes(4)
    request.size = row.optionalInteger(5)
    request.modified = row.optionalTime(6)
    request.headers = row.bytes(7).map(headers) ?? []
    request.backup = row.text(8).flatMap { try? FilePath($0) }
    if let sealed = row.bytes(26) {
      // If the secrets of a request cannot be read, the transfer is left out. Without the secrets,
      // it would be a different request.
      guard let value = try? Value(encoded: sealed), let read = SealedRequest(stored: value) else {
        return nil
      }
      request.sealed = read
    }
    return request
  }

  package static func encoded(_ headers: [HTTPField]) -> [UInt8]? {
    if headers.isEmpty { return nil }
    return Value.array(headers.map { [.string($0.name), .string($0.value)] }).encoded
  }

  private static func headers(_ encoded: [UInt8]) -> [HTTPField] {
    let pairs = (try? Value(encoded: encoded))?.arrayValue ?? []
    return pairs.compactMap { pair in
      guard let texts = pair.arrayValue?.compactMap(\.stringValue), texts.count == 2 else {
        return nil
      }
      return HTTPField(texts[0], texts[1])
    }
  }
}
