import FetchModel
import FetchValues

/// The answers to requests for granted files, as a server would give them. The status is 304 if
/// `If-None-Match` equals the file's `ETag`, otherwise 200. The answer has `Last-Modified`, and
/// also `ETag` if `entityTag` returns one.
///
/// A file in a granted folder is opened without following symbolic links below that folder. Neither
/// a link nor a concurrent rename can therefore lead out of the folder. Symbolic links in the
/// granted path itself are followed. Only regular files are read.
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
        .invalidValue,
        "invalid method '\(method)' for \(target.text): files can only be read, so use GET or HEAD")
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

  /// Returns the place of a granted file, which need not exist; see `ReadGrant.place`.
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

  /// Returns the `ETag` of a file. Returns nil if the file changed in the last two seconds, or if
  /// its modification time is in the future. A file that has just changed may change again without
  /// a new length or modification time, because file systems record time in coarse steps.
  private static func entityTag(_ facts: FileFacts, _ now: Timestamp) -> String? {
    guard now - facts.modified > .seconds(2) else { return nil }
    let time = "\(facts.modifiedSeconds).\(facts.modifiedNanoseconds)"
    return "\"\(time)-\(facts.size)-\(facts.node)\""
  }
}

// MARK: The path

extension GrantedFile {
  private static func names(_ target: TargetURL) throws(Failure) -> [String] {
    let names = target.path.utf8.split(separator: UInt8(ascii: "/")).map {
      PercentEncoding.decode($0)
    }
    guard !names.isEmpty, names.allSatisfy(isName) else {
      throw Failure(
        .invalidURL, "invalid address '\(target.text)': its path is not a valid file path")
    }
    return names.map { String(decoding: $0, as: UTF8.self) }
  }

  private static func isName(_ name: [UInt8]) -> Bool {
    !name.isEmpty && name != Array(".".utf8) && name != Array("..".utf8)
      && !name.contains(0) && !name.contains(UInt8(ascii: "/"))
      && String(validating: name, as: UTF8.self) != nil
  }
}
