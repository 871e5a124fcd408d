import FetchValues

/// The pure functions of `require "url"`.
package enum URLLibrary {
  package static let functions: [LibraryFunction] = [
    parse, build, resolve, normalize, join, encode, decode, query,
  ]

  /// `url.parse(text) -> {scheme, user, password, host, port, path, query, fragment}`: returns the
  /// parts that the URL has, as written, or `nil, message` if the text is not a URL.
  private static let parse = LibraryFunction("url.parse") {
    arguments, _, writer throws(LibraryError) in
    let parts: URLParts
    do { parts = try URLParts(parsing: try arguments.string()) } catch let error as URLError {
      throw .refused("\(error)")
    } catch let error as LibraryError {
      throw error
    } catch { throw .refused("\(error)") }
    writer.write(.object(URLTable.object(parts)))
    return 1
  }

  /// `url.build(parts) -> text`, the opposite of `url.parse`.
  private static let build = LibraryFunction("url.build") {
    arguments, _, writer throws(LibraryError) in
    let parts = try URLTable.parts(try arguments.value(), function: "url.build")
    writer.write(parts.text)
    return 1
  }

  /// `url.resolve(base, link) -> text`, or `nil, message` if the result is not an absolute URL.
  private static let resolve = LibraryFunction("url.resolve") {
    arguments, _, writer throws(LibraryError) in
    let base = try arguments.optionalString()
    let link = try arguments.string()
    let resolver = URLResolver(base: base)
    if let base, !resolver.hasBase {
      throw .refused("'\(base.prefix(200))' is not an absolute URL")
    }
    guard let target = resolver.resolve(link) else {
      throw .refused("'\(link.prefix(200))' does not resolve to a URL")
    }
    writer.write(target)
    return 1
  }

  /// `url.normalize(text) -> text`: returns the URL in a normal form, in which URLs can be
  /// compared.
  private static let normalize = LibraryFunction("url.normalize") {
    arguments, _, writer throws(LibraryError) in
    let text = try arguments.string()
    do { writer.write(try URLParts(parsing: text).normalized.text) } catch {
      throw .refused("\(error)")
    }
    return 1
  }

  /// `url.join(base, segment...) -> text`: appends path segments, each escaped, and drops the
  /// base's query and fragment.
  private static let join = LibraryFunction("url.join") {
    arguments, _, writer throws(LibraryError) in
    let text = try arguments.string()
    var parts: URLParts
    do { parts = try URLParts(parsing: text) } catch { throw .refused("\(error)") }
    parts.query = nil
    parts.fragment = nil
    while let segment = try URLTable.nextSegment(&arguments) {
      if parts.path.utf8.last != UInt8(ascii: "/") { parts.path += "/" }
      parts.path += PercentEncoding.encode(segment)
    }
    writer.write(parts.text)
    return 1
  }

  /// `url.encode(text) -> text`: escapes all bytes except letters, digits and `-._~`.
  private static let encode = LibraryFunction("url.encode") {
    arguments, _, writer throws(LibraryError) in
    writer.write(bytes: PercentEncoding.encode(try arguments.bytes()))
    return 1
  }

  /// `url.decode(text) -> text`: resolves escapes; `+` is unchanged.
  private static let decode = LibraryFunction("url.decode") {
    arguments, _, writer throws(LibraryError) in
    writer.write(bytes: PercentEncoding.decode(try arguments.bytes()))
    return 1
  }

  /// `url.query(text) -> table`: returns the values by name, with a list for a repeated name.
  ///
  /// `url.query(table) -> text`: returns the query. Names are sorted by their bytes, and a list of
  /// values repeats its name. A list of `{name, value}` pairs keeps its order.
  private static let query = LibraryFunction("url.query") {
    arguments, _, writer throws(LibraryError) in
    switch try arguments.value() {
    case .string(let text): writer.write(URLTable.table(of: URLQuery.pairs(of: text.utf8)))
    case .bytes(let text): writer.write(URLTable.table(of: URLQuery.pairs(of: text)))
    case let table:
      writer.write(URLQuery.text(of: try URLTable.pairs(table, function: "url.query")))
    }
    return 1
  }
}
