import FetchModel
import FetchTestSupport
import FetchValues

/// Transfers for tests.
enum Transfers {
  static let cut = Failure(.connection, "the answer from a.example was cut off", retryable: true)
  static let gone = Failure(.httpStatus, "https://a.example/film.mkv answered 404")
  static let cancelled = Failure(.cancelled, "the transfer was cancelled")

  static let whole: PartialDownload = {
    var download = PartialDownload()
    download.receivedBytes = 10
    download.totalBytes = 10
    return download
  }()

  static func record(
    _ id: Int64 = 1, job: JobName = "films", url: String = "https://a.example/film.mkv",
    to: String = "film.mkv", size: Int64? = nil, backup: FilePath? = nil
  ) throws -> TransferRecord {
    var request = TransferRequest(url: url, to: try FilePath(to))
    request.size = size
    request.backup = backup
    return TransferRecord(
      id: id, job: job, request: request, createdAt: Timestamp(seconds: 1_795_000_000))
  }
}
