import FetchModel
import FetchValues

/// Reads a file of the grant as if a server had sent it: 200 with `ETag` and `Last-Modified`, or
/// 304 if it is unchanged.
///
/// The file is opened beneath the granted folder without following symbolic links, so neither a
/// link nor a concurrent rename leads out. Only regular files are read.
enum GrantedFile {
  static func read(_ hop: HTTPHop) -> HTTPHopEnd {
    do { return HTTPHopEnd(.success(try answer(hop))) } catch {
      return HTTPHopEnd(.failure(.file(error)))
    }
  }

  private static func answer(_ hop: HTTPHop) throws(Failure) -> HTTPHopAnswer {
    let (method, target) = (hop.method, hop.target)
    guard method == "GET" || method == "HEAD" else {
      throw Failure(
        .invalidValue, "a file can only be read: \(method) of \(target.text) is refused")
    }
    let place = try place(of: target, hop.readPaths)
    do throws(FileFault) {
      let file = try ReadGrant.file(place.start, place.rest)
      return try answer(hop, file)
    } catch { throw failure(error) }
  }

  private static func answer(
    _ hop: HTTPHop, _ file: borrowing RegularFile
  ) throws(FileFault) -> HTTPHopAnswer {
    let tag = entityTag(file.facts, hop.now)
    var headers = [HTTPField("last-modified", HTTPDate.text(file.facts.modified))]
    if let tag { headers.append(HTTPField("etag", tag)) }
    if let tag, hop.header("If-None-Match") == tag {
      return HTTPHopAnswer(status: 304, headers: headers)
    }
    let body = hop.method == "GET" ? try file.contents(bytesMax: hop.bodyBytesMax) : []
    return HTTPHopAnswer(status: 200, headers: headers, body: body)
  }

  /// Returns the place of a file that may be read, whether it exists or not; see `ReadGrant.place`.
  static func place(
    of target: TargetURL, _ readPaths: [String]
  ) throws(Failure) -> (start: String, rest: String) {
    try ReadGrant(readPaths).place(of: try names(target))
  }

  private static func failure(_ fault: FileFault) -> Failure {
    switch fault.reason {
    case .notRegular: Failure(.permission, "\(fault)")
    case .larger: Failure(.bodyLimit, "\(fault)")
    default: Failure(.connection, "\(fault)")
    }
  }

  /// Returns no tag for a file changed just now: it may change again within the file system's clock
  /// tick and keep its length.
  private static func entityTag(_ facts: FileFacts, _ now: Timestamp) -> String? {
    guard now - facts.modified > .seconds(2) else { return nil }
    let time = "\(facts.modifiedSeconds).\(facts.modifiedNanoseconds)"
    return "\"\(time)-\(facts.size)-\(facts.node)\""
  }
}

// MARK: The path

extension GrantedFile {
  private static func names(_ target: TargetURL) throws(Failure) -> [String] {
    let names = target.path.utf8.split(separator: UInt8(ascii: "/")).map(decoded)
    guard !names.isEmpty, names.allSatisfy(isName) else {
      throw Failure(.invalidURL, "invalid address '\(target.text)': no file can have its path")
    }
    return names.map { String(decoding: $0, as: UTF8.self) }
  }

  private static func isName(_ name: [UInt8]) -> Bool {
    !name.isEmpty && name != Array(".".utf8) && name != Array("..".utf8)
      && !name.contains(0) && !name.contains(UInt8(ascii: "/"))
      && String(validating: name, as: UTF8.self) != nil
  }

  private static func decoded(_ text: Substring.UTF8View) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = Array(text)[...]
    while let byte = rest.popFirst() {
      let digits = String(decoding: rest.prefix(2), as: UTF8.self)
      if byte == UInt8(ascii: "%"), let value = UInt8(digits, radix: 16) {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return bytes
  }
}
