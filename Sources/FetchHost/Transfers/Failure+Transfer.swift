import FetchModel
import FetchValues

extension Failure {
  static func wrongSize(of url: String, _ size: Int64, wanted: Int64) -> Failure {
    Failure(.invalidResponse, "\(url) has \(size) bytes, but \(wanted) were requested")
  }

  static func wrongHash(of url: String, _ hash: [UInt8], wanted: [UInt8]) -> Failure {
    Failure(
      .invalidResponse,
      "the file from \(url) has the SHA-256 \(Hexadecimal.text(of: hash)) instead of the requested "
        + "\(Hexadecimal.text(of: wanted))")
  }
}
