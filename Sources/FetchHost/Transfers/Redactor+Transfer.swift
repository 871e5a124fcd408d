import FetchModel
import FetchValues

extension Redactor {
  /// Returns the download without the validators that contain a secret. Without a validator, the
  /// next request is for the whole file.
  func redacted(_ download: PartialDownload) -> PartialDownload {
    if isEmpty { return download }
    var download = download
    download.validators.etag = kept(download.validators.etag)
    download.validators.lastModified = kept(download.validators.lastModified)
    return download
  }

  private func kept(_ text: String?) -> String? {
    text.flatMap { finds(inValidator: $0) ? nil : $0 }
  }

  /// Whether a validator contains a secret value, in any encoding of its bytes.
  func finds(inValidator text: String) -> Bool {
    if ExactText(redacted(text)) != ExactText(text) { return true }
    guard let bytes = HTTPField.bytes(ofValidator: text) else { return false }
    return redacted(bytes) != bytes
  }
}
