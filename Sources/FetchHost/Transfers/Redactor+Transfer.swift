import FetchModel

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
    text.flatMap { ExactText(redacted($0)) == ExactText($0) ? $0 : nil }
  }
}
