import FetchModel
import FetchValues

/// A decoder that reads items directly from a worker's bytes, without building a tree of values for
/// the standard fields.
///
/// In an item, a value of the wrong kind is a mistake of the plugin (`invalidItem` or
/// `invalidValue`, with the item's number). Bytes that are not encoded values are an error of the
/// worker (`ValueError`).
struct ItemDecoder {
  private(set) var items: [ParsedItem] = []
  private(set) var emptyItems = EmptyItems()
  private let limits: RunLimits
  /// The number of the first item, for messages.
  private let firstNumber: Int

  enum Problem: Error {
    case failure(Failure)
    case malformed(ValueError)
  }

  init(limits: RunLimits, firstNumber: Int = 1) {
    self.limits = limits
    self.firstNumber = firstNumber
  }

  /// Decodes and adds the encoded items in `bytes`. An empty item is added to `emptyItems` instead
  /// of `items`.
  mutating func append(_ bytes: UnsafeRawBufferPointer) throws(Problem) {
    var reader = ValueReader(bytes)
    reader.sortsKeys = true
    while !reader.isAtEnd {
      guard items.count + emptyItems.count < limits.items else {
        throw .failure(.limit(.itemLimit, limits))
      }
      let (item, flaw) = try readItemOrNone(&reader)
      if let flaw { emptyItems.add(flaw) } else { items.append(item) }
    }
  }

  static func products(
    _ raw: RawProducts, _ limits: RunLimits
  ) throws(Problem) -> WorkerProducts {
    var decoder = ItemDecoder(limits: limits)
    let problem: Problem? = raw.items.withUnsafeBytes { bytes in
      do throws(Problem) {
        try decoder.append(bytes)
        return nil
      } catch { return error }
    }
    if let problem { throw problem }
    var products = WorkerProducts()
    products.items = decoder.items
    products.emptyItems = decoder.emptyItems
    products.feedHints = raw.feedHints
    products.hubLinks = raw.hubLinks
    products.isWhole = raw.isWhole
    products.returnedNothing = raw.returnedNothing
    products.note = raw.note
    if let state = raw.state { products.state = try readState(state) }
    return products
  }

  /// Decodes a run's state: a table that JSON can represent.
  private static func readState(_ bytes: [UInt8]) throws(Problem) -> Value {
    let value: Value
    do { value = try Value(encoded: bytes) } catch {
      guard error == .invalidUTF8 else { throw .malformed(error) }
      throw .failure(Failure(.invalidValue, "ctx.state: the name of a field is not valid UTF-8"))
    }
    guard value.objectValue != nil || value.arrayValue != nil else {
      throw .failure(
        Failure(.invalidValue, "ctx.state must be a table, got \(value.kindName.withArticle)"))
    }
    switch flaw(in: value) {
    case .none: return value
    case .bytes:
      throw .failure(Failure(.invalidValue, "ctx.state: a string is not valid UTF-8"))
    case .notFinite:
      throw .failure(Failure(.invalidValue, "ctx.state: a number cannot be represented in JSON"))
    }
  }

  func readItem(_ reader: inout ValueReader) throws(Problem) -> ParsedItem {
    let (item, flaw) = try readItemOrNone(&reader)
    if let flaw { throw .failure(flaw) }
    return item
  }

  /// Decodes an item. If the item is empty, also returns the problem to report.
  private func readItemOrNone(
    _ reader: inout ValueReader
  ) throws(Problem) -> (ParsedItem, Failure?) {
    let tag = try wire { () throws(ValueError) in try reader.peekTag() }
    guard tag == ValueTag.object || tag == ValueTag.array else {
      throw invalid("is a \(kind(of: tag)); \(Self.advice)")
    }
    let count: Int
    do { count = try reader.readObjectHead() } catch {
      guard case .unexpected = error else { throw .malformed(error) }
      throw invalid("is a list; \(Self.advice)")
    }
    var item = ParsedItem()
    if count == 0 { return (item, invalidItem("has no fields; \(Self.advice)")) }
    for _ in 0..<count { try readField(&reader, into: &item) }
    item.fields.sortByKey()
    let flaw = item.isEmpty ? invalidItem("has only empty fields; \(Self.advice)") : nil
    return (item, flaw)
  }

  private static let advice = "an item is a table such as { id = …, title = …, url = … }"

  private func readField(
    _ reader: inout ValueReader, into item: inout ParsedItem
  ) throws(Problem) {
    let name = try wire { () throws(ValueError) in try reader.readStringBytes() }
    switch StandardField(name) {
    case .id: item.id = try readID(&reader)
    case .title: item.title = try readText(&reader, "title")
    case .url: item.url = try readText(&reader, "url")
    case .published: item.published = try readDate(&reader, "published")
    case .updated: item.updated = try readDate(&reader, "updated")
    case .author: item.author = try readText(&reader, "author")
    case .summary: item.summary = try readText(&reader, "summary")
    case .content: item.content = try readText(&reader, "content")
    case .tags: item.tags = try readTags(&reader)
    case nil:
      guard let key = UTF8Check.text(name) else { throw notUTF8("the name of a field") }
      item.fields.append(key, try readFurther(&reader, key))
    }
  }

  private func readText(_ reader: inout ValueReader, _ key: String) throws(Problem) -> String? {
    let tag = try wire { () throws(ValueError) in try reader.peekTag() }
    if tag == ValueTag.object {
      var ahead = reader
      let value = try wire { () throws(ValueError) in try ahead.readValue() }
      if Self.isNode(value) { throw node(key) }
    }
    do { return try reader.readOptionalString() } catch { throw field(key, error) }
  }

  /// Whether the value has the form of an encoded node of `html` or `xml`. An encoded node has lost
  /// the methods of the node.
  private static func isNode(_ value: Value) -> Bool {
    guard let object = value.objectValue, object.members.count == 3 else { return false }
    return object["document"]?.integerValue != nil && object["number"]?.integerValue != nil
      && object["name"]?.stringValue != nil
  }

  private func node(_ key: String) -> Problem {
    invalid(
      "has a node of a document as its '\(key)'; did you mean the text of the node, node:text()?")
  }

  /// Reads a date, which must be a string or nil. APIs often send seconds since 1970, but a number
  /// could have another meaning.
  private func readDate(_ reader: inout ValueReader, _ key: String) throws(Problem) -> String? {
    let tag = try wire { () throws(ValueError) in try reader.peekTag() }
    guard [ValueTag.integer, ValueTag.smallInteger, ValueTag.number].contains(tag) else {
      return try readText(&reader, key)
    }
    let value = try wire { () throws(ValueError) in try reader.readValue() }
    let number = value.displayText ?? "0"
    throw invalid(
      "'\(key)': expected a date as a string, got the number \(number); "
        + "for seconds since 1970, write time.format(\(number))")
  }

  /// Reads an id. An integer is converted to decimal digits, because APIs often number their
  /// entries.
  private func readID(_ reader: inout ValueReader) throws(Problem) -> String? {
    let tag = try wire { () throws(ValueError) in try reader.peekTag() }
    guard tag == ValueTag.integer || tag == ValueTag.smallInteger else {
      return try readText(&reader, "id")
    }
    return String(try wire { () throws(ValueError) in try reader.readInteger() })
  }

  private func readTags(_ reader: inout ValueReader) throws(Problem) -> [String] {
    do {
      if try reader.peekTag() == ValueTag.null {
        try reader.skipValue()
        return []
      }
      var tags: [String] = []
      for _ in 0..<(try reader.readArrayHead()) { tags.append(try reader.readString()) }
      return tags
    } catch { throw field("tags", error) }
  }

  private func readFurther(_ reader: inout ValueReader, _ key: String) throws(Problem) -> Value {
    let value: Value
    do { value = try reader.readValue() } catch { throw field(key, error) }
    if Self.isNode(value) { throw node(key) }
    switch Self.flaw(in: value) {
    case .none: return value
    case .bytes: throw notUTF8("'\(key)'")
    case .notFinite:
      throw .failure(
        Failure(
          .invalidValue,
          "item \(number): '\(key)' is or contains a number that JSON cannot represent (NaN or infinity)"
        ))
    }
  }

  private enum Flaw { case none, bytes, notFinite }

  /// Returns the first reason why JSON cannot represent the value; `none` if JSON can represent it.
  /// The reader's depth limit bounds the recursion.
  private static func flaw(in value: Value) -> Flaw {
    switch value {
    case .bytes: return .bytes
    case .number(let number): return number.isFinite ? .none : .notFinite
    case .array(let elements):
      for element in elements {
        let found = flaw(in: element)
        if found != .none { return found }
      }
    case .object(let object):
      for member in object.members {
        let found = flaw(in: member.value)
        if found != .none { return found }
      }
    default: break
    }
    return .none
  }

  private func wire<T>(_ body: () throws(ValueError) -> T) throws(Problem) -> T {
    do { return try body() } catch { throw .malformed(error) }
  }

  private func field(_ key: String, _ error: ValueError) -> Problem {
    switch error {
    case .unexpected: invalid("'\(key)': \(error)")
    case .invalidUTF8: notUTF8("'\(key)'")
    case .truncated, .unknownTag, .tooDeep: .malformed(error)
    }
  }

  private func invalid(_ what: String) -> Problem { .failure(invalidItem(what)) }

  private func invalidItem(_ what: String) -> Failure {
    Failure(.invalidItem, "item \(number) \(what)")
  }

  /// The number of the next item.
  private var number: Int { items.count + emptyItems.count + firstNumber }

  private func notUTF8(_ what: String) -> Problem {
    .failure(
      Failure(.invalidValue, "item \(number): \(what) contains invalid UTF-8"))
  }

  private func kind(of tag: UInt8) -> String {
    switch tag {
    case ValueTag.null: "nil"
    case ValueTag.true, ValueTag.false: "boolean"
    case ValueTag.string, ValueTag.shortString: "string"
    default: "number"
    }
  }
}
