import FetchModel
import Glibc

/// Reading a file of the grant as if a server had sent it: 200 with `ETag` and `Last-Modified`, or
/// 304 when it is the file of last time.
///
/// The path is walked from the granted folder name by name, and no symbolic link is followed below
/// it, so neither a link nor a rename in between leads out. Only regular files are read.
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
    let names = try names(target)
    let path = "/" + names.joined(separator: "/")
    let file = try open(names, path, hop.readPaths)
    defer { close(file) }
    let facts = try facts(file, path)
    let tag = entityTag(facts, hop.now)
    var headers = [HTTPField("last-modified", HTTPDate.text(modified(facts)))]
    if let tag { headers.append(HTTPField("etag", tag)) }
    if let tag, hop.header("If-None-Match") == tag {
      return HTTPHopAnswer(status: 304, headers: headers)
    }
    let body =
      method == "GET" ? try contents(file, path, Int(facts.st_size), hop.bodyBytesMax) : []
    return HTTPHopAnswer(status: 200, headers: headers, body: body)
  }

  private static func refused(_ path: String, _ readPaths: [String]) -> Failure {
    let granted = readPaths.isEmpty ? "nothing" : readPaths.joined(separator: ", ")
    return Failure(
      .permission,
      "the plugin may not read \(path) (granted: \(granted)); "
        + "allow it with --allow-read, or allow_read in the config"
    )
  }

  private static func unreadable(_ path: String, _ code: Int32) -> Failure {
    let why =
      switch code {
      case ENOENT, ENOTDIR: "there is no such file"
      case EACCES, EPERM: "permission denied"
      case ELOOP: "it is, or is behind, a symbolic link"
      default: String(cString: strerror(code))
      }
    return Failure(.connection, "cannot read the file \(path): \(why)")
  }
}

// MARK: The path

extension GrantedFile {
  private static func names(_ target: TargetURL) throws(Failure) -> [String] {
    let names = target.path.utf8.split(separator: UInt8(ascii: "/")).map(decoded)
    guard !names.isEmpty, names.allSatisfy(isName) else {
      throw Failure(.invalidURL, "the address \(target.text) has a path that no file can have")
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

  /// From the longest granted path that holds the file.
  private static func open(
    _ names: [String], _ path: String, _ readPaths: [String]
  ) throws(Failure) -> Int32 {
    let roots = readPaths.map { $0.split(separator: "/").map(String.init) }
    let root = roots.filter { holds($0, names) }.max { $0.count < $1.count }
    guard let root else { throw refused(path, readPaths) }
    let rest = names.dropFirst(root.count)
    // The granted path itself is the user's word, links in it included.
    let start = "/" + root.joined(separator: "/")
    guard let last = rest.last else { return try opened(AT_FDCWD, start, fileFlags, path) }
    var folder = try opened(AT_FDCWD, start, pathOnly | O_DIRECTORY | O_CLOEXEC, path)
    defer { close(folder) }
    for name in rest.dropLast() {
      let inner = try opened(folder, name, pathOnly | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC, path)
      close(folder)
      folder = inner
    }
    return try opened(folder, last, fileFlags | O_NOFOLLOW, path)
  }

  /// Linux's O_PATH, which Swift's Glibc module does not have: to walk through a folder, the right
  /// to list it is not needed.
  private static var pathOnly: Int32 { 0o10000000 }

  /// A FIFO or a device must not block or act when it is opened.
  private static var fileFlags: Int32 { O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC }

  private static func holds(_ root: [String], _ names: [String]) -> Bool {
    root.count <= names.count
      && zip(root, names).allSatisfy { $0.utf8.elementsEqual($1.utf8) }
  }

  private static func opened(
    _ folder: Int32, _ name: String, _ flags: Int32, _ path: String
  ) throws(Failure) -> Int32 {
    let file = openat(folder, name, flags)
    if file < 0 { throw unreadable(path, errno) }
    return file
  }
}

// MARK: What is in it

extension GrantedFile {
  private static func facts(_ file: Int32, _ path: String) throws(Failure) -> stat {
    var facts = stat()
    guard fstat(file, &facts) == 0 else { throw unreadable(path, errno) }
    guard facts.st_mode & S_IFMT == S_IFREG else {
      throw Failure(.permission, "\(path) is not a regular file")
    }
    return facts
  }

  private static func modified(_ facts: stat) -> Timestamp {
    Timestamp(
      milliseconds: Int64(facts.st_mtim.tv_sec) &* 1000 &+ Int64(facts.st_mtim.tv_nsec) / 1_000_000)
  }

  /// None for a file changed just now: it may change again within the file system's clock tick and
  /// keep its length.
  private static func entityTag(_ facts: stat, _ now: Timestamp) -> String? {
    guard now - modified(facts) > .seconds(2) else { return nil }
    let time = facts.st_mtim
    return "\"\(time.tv_sec).\(time.tv_nsec)-\(facts.st_size)-\(facts.st_ino)\""
  }

  private static func contents(
    _ file: Int32, _ path: String, _ size: Int, _ bytesMax: Int
  ) throws(Failure) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(min(max(size, 0), bytesMax))
    var chunk = [UInt8](repeating: 0, count: 256 << 10)
    while true {
      let count = Glibc.read(file, &chunk, chunk.count)
      if count == 0 { return bytes }
      if count < 0, errno == EINTR { continue }
      if count < 0 { throw unreadable(path, errno) }
      guard bytes.count + count <= bytesMax else {
        throw Failure(
          .bodyLimit, "the file \(path) is larger than \(bytesMax) bytes (limit: bodyBytes)")
      }
      bytes += chunk[..<count]
    }
  }
}
