package import FetchModel
import FetchValues

/// The text of a recording in the form that a person would write and that `CaseFile` can read.
package struct CaseText {
  /// The text of `case.yaml`.
  package private(set) var text = ""
  /// The files of the case except `case.yaml` and `expected.jsonl`, with their paths in the case's
  /// folder.
  package private(set) var files: [(path: String, bytes: [UInt8])] = []
  private var requestCount = 0

  /// The maximum length of a body in `case.yaml`, in bytes. A longer body is written to a separate
  /// file.
  private static let inlineBytesMax = 200

  /// Creates the text of `case.yaml` and the list `files`, without writing to the disk. The lines
  /// of `comment` are at the top of `case.yaml`.
  package init(_ recording: Recording, comment: [String] = []) {
    for line in comment { write("# " + line, 0) }
    write("now: \(recording.now)", 0)
    if let job = recording.job { write("job", job.text, 0) }
    if let run = recording.run { write("run: \(run)", 0) }
    if recording.trigger != .manual { write("trigger", recording.trigger.rawValue, 0) }
    if recording.allowsPrivate { write("allow_private: true", 0) }
    if !recording.hosts.isEmpty {
      write("hosts: " + line(.array(recording.hosts.map { .string($0.text) })), 0)
    }
    if !recording.secrets.isEmpty { write(recording.secrets) }
    if !recording.readPaths.isEmpty {
      write("allow_read: " + line(.array(recording.readPaths.map { .string($0.text) })), 0)
    }
    files = recording.readableFiles.map { ($0.path.text, $0.bytes) }
    files += recording.files.map { ("\(CaseFile.filesFolder)/\($0.path.text)", $0.bytes) }
    if !recording.limits.isEmpty { write("limits: " + line(.object(recording.limits)), 0) }
    if !recording.options.isEmpty { write("options", recording.options, 0) }
    if let state = recording.state { write("state: " + line(state), 0) }
    if !recording.validators.isEmpty { write(recording.validators) }
    write("runs:", 0)
    for run in recording.runs { write(run) }
  }

  // MARK: Lines

  private mutating func write(_ line: String, _ indent: Int) {
    text += String(repeating: " ", count: indent) + line + "\n"
  }

  private func line(_ value: Value) -> String { YAMLText.line(value, hasVariables: false) }

  private func scalar(_ text: String) -> String { YAMLText.scalar(text, hasVariables: false) }

  private mutating func write(_ key: String, _ text: String, _ indent: Int) {
    write("\(key): \(scalar(text))", indent)
  }

  private mutating func write(_ key: String, _ object: ValueObject, _ indent: Int) {
    write("\(key):", indent)
    for member in object.sortedByKey.members {
      write("\(scalar(member.key)): \(line(member.value))", indent + 2)
    }
  }

  private mutating func write(_ validators: [ExactText: Validators]) {
    write("validators:", 0)
    for (url, known) in validators.sorted(by: { $0.key < $1.key }) {
      write("\(scalar(url.text)):", 2)
      if let etag = known.etag { write("etag", etag, 4) }
      if let date = known.lastModified { write("last_modified", date, 4) }
      if let hash = known.bodyHash { write("body_sha256: \"\(Hexadecimal.text(of: hash))\"", 4) }
      write("full_answer_at: \(known.lastFullAnswerAt)", 4)
    }
  }

  private mutating func write(_ secrets: [RecordedSecret]) {
    write("secrets:", 0)
    for secret in secrets {
      guard let hosts = secret.hosts else {
        write(scalar(secret.name), secret.value, 2)
        continue
      }
      write("\(scalar(secret.name)):", 2)
      write("value", secret.value, 4)
      write("hosts: " + line(.array(hosts.map { .string($0.text) })), 4)
    }
  }

  // MARK: Runs

  private mutating func write(_ transfer: RecordedTransfer, _ indent: Int) {
    write("url", transfer.url, indent)
    write("to", transfer.to.text, indent)
    if let size = transfer.size { write("size: \(size)", indent) }
    if let hash = transfer.sha256 { write("sha256: \"\(Hexadecimal.text(of: hash))\"", indent) }
    if let etag = transfer.etag { write("etag", etag, indent) }
    if let modified = transfer.modified { write("modified: \(modified)", indent) }
    if let failure = transfer.failure {
      let value: Value = [
        "code": .string(failure.code.rawValue), "message": .string(failure.message),
      ]
      write("failure: " + line(value), indent)
    }
  }

  private mutating func write(_ run: RecordedRun) {
    guard run.now != nil || !run.requests.isEmpty || run.transfer != nil else {
      return write("- {}", 2)
    }
    var mark = "- "
    if let now = run.now {
      write(mark + "now: \(now)", 2)
      mark = "  "
    }
    if let transfer = run.transfer {
      write(mark + "transfer:", 2)
      mark = "  "
      write(transfer, 6)
    }
    guard !run.requests.isEmpty else { return }
    write(mark + "requests:", 2)
    for request in run.requests { write(request) }
  }

  private mutating func write(_ request: RecordedRequest) {
    requestCount += 1
    write("- url: " + scalar(request.url), 6)
    if request.method != "GET" { write("method", request.method, 8) }
    write(request.headers, 8)
    if let body = request.body { write(body, "request", nil, 8) }
    if request.times != 1 { write("times: \(request.times)", 8) }
    switch request.end {
    case .fault(let fault, let detail):
      write("fault: \(fault.rawValue)", 8)
      if let detail { write("detail", detail, 8) }
    case .answer(let answer): write(answer, to: request)
    }
  }

  private mutating func write(_ answer: RecordedAnswer, to request: RecordedRequest) {
    if answer.headers.isEmpty, answer.body.bytes.isEmpty {
      return write("answer: \(answer.status)", 8)
    }
    write("answer:", 8)
    if answer.status != 200 { write("status: \(answer.status)", 10) }
    write(answer.headers, 10)
    guard !answer.body.bytes.isEmpty else { return }
    let kind = answer.headers.first { $0.name.lowercased() == "content-type" }?.value
    write(answer.body, Self.stem(of: request.url), Self.ending(of: kind), 10)
  }

  /// Writes headers. Headers that share a name become one list, at the place of the first.
  private mutating func write(_ headers: [HTTPField], _ indent: Int) {
    guard !headers.isEmpty else { return }
    write("headers:", indent)
    var written: Set<String> = []
    for header in headers where written.insert(header.name.lowercased()).inserted {
      let values = headers.filter { $0.name.lowercased() == header.name.lowercased() }
      let value: Value =
        values.count == 1 ? .string(header.value) : .array(values.map { .string($0.value) })
      write("\(scalar(header.name)): \(line(value))", indent + 2)
    }
  }

  // MARK: Bodies

  private mutating func write(
    _ body: RecordedBody, _ stem: String, _ ending: String?, _ indent: Int
  ) {
    let text = String(validating: body.bytes, as: UTF8.self)
    if let text, body.file == nil, text.utf8.count <= Self.inlineBytesMax,
      !text.utf8.contains(UInt8(ascii: "\n"))
    {
      return write("body", text, indent)
    }
    write("body_file", file(for: body, stem, ending), indent)
  }

  /// Returns the path of the file for a body, and adds the file to `files` if the file is new. A
  /// body that equals an earlier body in the folder `answers` shares the earlier body's file.
  private mutating func file(
    for body: RecordedBody, _ stem: String, _ ending: String?
  ) -> String {
    let answers = files.filter { $0.path.hasPrefix(CaseFile.answersFolder + "/") }
    if let known = answers.first(where: { $0.bytes == body.bytes }) { return known.path }
    let name = stem.contains(".") || ending == nil ? stem : stem + "." + (ending ?? "")
    var path = body.file ?? "\(CaseFile.answersFolder)/\(requestCount)-\(name)"
    // A request body and the answer from an address such as `…/request` can have the same name.
    while files.contains(where: { $0.path == path }) { path += "-2" }
    files.append((path, body.bytes))
    return path
  }

  /// Returns the last non-empty path component of an address, or `answer` if there is none. At most
  /// 40 characters are kept, and unsafe characters are replaced by `-`.
  private static func stem(of url: String) -> String {
    let path = (try? TargetURL(url))?.path ?? ""
    let last = path.pathNames.last ?? "answer"
    let safe = last.utf8.map { byte in
      ByteSet.unreserved.contains(byte) ? Character(Unicode.Scalar(byte)) : "-"
    }
    return String(safe.prefix(40))
  }

  private static func ending(of contentType: String?) -> String? {
    guard let type = contentType?.lowercased() else { return nil }
    return ["json", "html", "xml", "csv"].first { type.contains($0) }
      ?? (type.hasPrefix("text/") ? "txt" : nil)
  }
}
