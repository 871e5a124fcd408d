import FetchValues

/// An answer of the API with a list. Each element of the list is a line of JSON.
struct LineAnswer {
  var lines: [String] = []
  /// The parameters of the next page; nil on the last page.
  var next: [(name: String, value: String)]?
  /// The sequence number for the `ETag` of the answer; nil if the answer has no `ETag`.
  var tag: Int64?
  /// The sequence number of the last change that was added to the list or hidden from the caller;
  /// nil if there is none.
  var end: Int64?

  private var bytesCount = 0

  init() {}

  /// Creates an answer from lines, up to the first line that does not fit.
  init(_ values: [Value]) {
    for value in values where add(value) == false { break }
  }

  /// Adds a line of JSON in the form in which commands print it. Returns false, and adds nothing,
  /// if the line does not fit. The first line always fits.
  mutating func add(json: String) -> Bool {
    let line = ShownJSON.text(json)
    guard lines.isEmpty || bytesCount + line.utf8.count < WebLimits.answerBytesMax else {
      return false
    }
    bytesCount += line.utf8.count + 1
    lines.append(line)
    return true
  }

  mutating func add(_ value: Value) -> Bool {
    // A value that JSON cannot express is left out.
    guard let json = try? JSONWriter.text(value) else { return true }
    return add(json: json)
  }

  func response(to request: WebRequest, status: Int = 200) -> WebResponse {
    let link = next.map { request.link(replacing: $0) }
    var response =
      request.wantsLines
      ? WebResponse(status, type: WebMedia.lines, lines.map { $0 + "\n" }.joined())
      : WebResponse(status, type: WebMedia.json, object(next: link))
    response.headers.add("Vary", "Accept")
    if let link { response.headers.add("Link", "<\(link)>; rel=\"next\"") }
    guard let tag else { return response }
    let entity = "\"\(tag)\(request.wantsLines ? "n" : "j")\""
    response.headers.add("ETag", entity)
    if status == 200, EntityTags.match(entity, request.headers.all("If-None-Match")) {
      (response.status, response.body) = (304, .bytes([]))
    }
    return response
  }

  private func object(next link: String?) -> String {
    var text = #"{"data":["# + lines.joined(separator: ",") + "]"
    if let link, let quoted = try? JSONWriter.text(.string(link)) {
      text += #","next":"# + quoted
    }
    return text + "}\n"
  }
}

/// The comparison of an answer's `ETag` with the values of `If-None-Match` (RFC 9110, 13.1.2).
enum EntityTags {
  /// Whether the values of `If-None-Match` contain the tag or `*`. The comparison is weak.
  static func match(_ tag: String, _ values: [String]) -> Bool {
    values.joined(separator: ",").split(separator: ",").contains { text in
      let text = text.trimmingHTTPSpace
      return text == "*" || text == tag || text == "W/\(tag)"
    }
  }
}

extension WebResponse {
  static func object(_ value: Value, status: Int = 200) -> WebResponse {
    object(json: (try? JSONWriter.text(value)) ?? "{}", status: status)
  }

  static func object(json: String, status: Int = 200) -> WebResponse {
    WebResponse(status, type: WebMedia.json, ShownJSON.text(json) + "\n")
  }
}
