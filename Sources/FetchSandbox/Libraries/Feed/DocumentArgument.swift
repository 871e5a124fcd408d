import FetchValues

/// The document that a function such as `feed.parse` or `html.parse` reads: a string, or the answer
/// to a request.
struct DocumentArgument {
  var body = UnsafeRawBufferPointer(start: nil, count: 0)
  var url: String?
  var status: Int64?
  var isNotModified = false
  /// Whether the request was conditional and the body has the same hash as the last full body that
  /// was stored for the request.
  var isSameBody = false
  var contentType: String?
  var contentLocation: String?
  var contentLanguage: String?

  /// Reads a document and the options that may follow it. The options may override `url` and
  /// `content_type`. Throws an error for an argument that is neither a string nor an answer. An
  /// answer with a status other than 2xx and 304 is also an error.
  static func read(
    _ arguments: inout LibraryArguments, function: String
  ) throws(LibraryError) -> DocumentArgument {
    var document = try arguments.withReader { reader throws(LibraryError) in
      do throws(ValueError) {
        return try DocumentArgument(&reader)
      } catch {
        throw .misuse("bad argument #1 to '\(function)' (string or response expected)")
      }
    }
    let options = try arguments.value()
    document.url = options["url"]?.stringValue ?? document.url
    document.contentType = options["content_type"]?.stringValue ?? document.contentType
    try document.checkStatus(function)
    return document
  }

  private init(_ reader: inout ValueReader) throws(ValueError) {
    let tag = try reader.peekTag()
    if tag == ValueTag.string || tag == ValueTag.shortString {
      body = try reader.readStringBytes()
      return
    }
    for _ in 0..<(try reader.readObjectHead()) {
      switch try reader.readString() {
      case "body": body = try reader.readStringBytes()
      case "url": url = try reader.readOptionalString()
      case "status": status = try reader.readInteger()
      case "not_modified": isNotModified = try reader.readValue().boolValue ?? false
      case "same_body": isSameBody = try reader.readValue().boolValue ?? false
      case "headers": try readHeaders(&reader)
      default: try reader.skipValue()
      }
    }
  }

  private mutating func readHeaders(_ reader: inout ValueReader) throws(ValueError) {
    for _ in 0..<(try reader.readObjectHead()) {
      let name = try reader.readString().lowercased()
      let value = try reader.readValue()
      let text = value.stringValue ?? value.arrayValue?.first?.stringValue
      switch name {
      case "content-type": contentType = text
      case "content-location": contentLocation = text
      case "content-language": contentLanguage = text
      default: break
      }
    }
  }

  private func checkStatus(_ function: String) throws(LibraryError) {
    guard let status, !isNotModified, status != 304, !(200..<300).contains(status) else { return }
    let reason = Self.reasons[status].map { " " + $0 } ?? ""
    throw .errorStatus(
      "\(url ?? "the server") answered \(status)\(reason)",
      retryable: status >= 500 || status == 429)
  }

  /// Whether the answer says that the document has not been modified.
  var isEmptyAnswer: Bool { isNotModified || status == 304 }

  private static let reasons: [Int64: String] = [
    301: "Moved Permanently", 302: "Found", 303: "See Other", 307: "Temporary Redirect",
    308: "Permanent Redirect", 400: "Bad Request", 401: "Unauthorized", 402: "Payment Required",
    403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed", 406: "Not Acceptable",
    408: "Request Timeout", 409: "Conflict", 410: "Gone", 418: "I'm a teapot",
    421: "Misdirected Request", 422: "Unprocessable Content", 425: "Too Early",
    429: "Too Many Requests", 451: "Unavailable For Legal Reasons", 500: "Internal Server Error",
    501: "Not Implemented", 502: "Bad Gateway", 503: "Service Unavailable",
    504: "Gateway Timeout",
  ]
}

extension LibraryContext {
  /// Converts the document to UTF-8, and passes the evidence for the document's encoding to
  /// `RememberedEncodings.note`.
  func converted(_ document: DocumentArgument, isHTML: Bool = false) -> EncodingSniffer.Converted {
    let text = EncodingSniffer.convert(
      document.body, contentType: document.contentType, isHTML: isHTML,
      remembered: encodings.encoding(of: document.url))
    encodings.note(text.verdict, of: document.url)
    return text
  }
}
