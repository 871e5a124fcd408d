import FetchModel
import FetchValues

extension Redactor {
  /// A validator with a value in it is forgotten: what it stands for is asked for in full then.
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

  /// Whether a validator has a value in it, whichever way its bytes are read.
  func finds(inValidator text: String) -> Bool {
    if ExactText(redacted(text)) != ExactText(text) { return true }
    guard let bytes = HTTPField.bytes(ofValidator: text) else { return false }
    return redacted(bytes) != bytes
  }
}
