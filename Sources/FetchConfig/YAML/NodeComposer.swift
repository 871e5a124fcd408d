import FetchValues
import YAMLLibrary

/// A builder that turns libyaml's events into a tree of nodes. libyaml has checked that the strings
/// in the events are UTF-8.
///
/// No Swift package for YAML is used: a package that links Foundation made each program 30 MB
/// larger.
final class NodeComposer {
  /// The reason why a text has no tree of nodes.
  enum Problem: Error {
    /// The text is not valid YAML. The place is nil for some errors, such as an invalid character.
    /// `begun` is the beginning of the list, mapping or text that libyaml was reading.
    case syntax(String, at: ConfigPlace?, begun: ConfigPlace?)
    /// The text may be valid YAML, but has a second document or too many nested lists and mappings.
    case refused(String, at: ConfigPlace)
    /// A mapping has several keys with the same text. The list has each such text, with the place
    /// of the first key that has it. The texts are sorted, and the list is not empty.
    case duplicateKeys([(text: String, place: ConfigPlace)])
  }

  /// The maximum nesting depth of lists and mappings. Each level takes memory on the stack.
  static let depthMax = 100

  private let parser: UnsafeMutablePointer<yaml_parser_t>
  private var anchors: [String: Node] = [:]
  private var depth = 0
  private let skipped: SkippedLines

  private init(_ skipped: SkippedLines) {
    self.skipped = skipped
    parser = .allocate(capacity: 1)
    // If the initialization fails, the parser's memory is zero, and every later call fails.
    _ = yaml_parser_initialize(parser)
  }

  deinit {
    yaml_parser_delete(parser)
    parser.deallocate()
  }

  /// Returns the root of a text with one document; nil if the text has no document.
  ///
  /// - Parameter skipped: the lines of the file that the text does not have. Places in nodes and
  ///   problems are those in the file.
  static func compose(
    _ text: String, without skipped: SkippedLines = SkippedLines()
  ) throws(Problem) -> Node? {
    var text = text
    let composer = NodeComposer(skipped)
    let composed = text.withUTF8 { bytes in
      Result { () throws(Problem) in try composer.root(of: bytes) }
    }
    return try composed.get()
  }

  private func root(of bytes: UnsafeBufferPointer<UInt8>) throws(Problem) -> Node? {
    yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
    // The bytes of an empty text may have no address.
    var empty: UInt8 = 0
    return try withUnsafePointer(to: &empty) { placeholder throws(Problem) -> Node? in
      yaml_parser_set_input_string(parser, bytes.baseAddress ?? placeholder, bytes.count)
      try next { _ in }  // Skips the start of the stream.
      guard try next({ $0.type != YAML_STREAM_END_EVENT }) else { return nil }
      let root = try next(node)
      try next { _ in }  // Skips the end of the document.
      let other = try next { $0.type == YAML_STREAM_END_EVENT ? nil : place($0.start_mark) }
      if let other {
        throw Problem.refused("found a second document; keep only one", at: other)
      }
      return root
    }
  }

  /// Passes the next event to `body` and returns the result.
  @discardableResult
  private func next<Found>(_ body: (yaml_event_t) throws(Problem) -> Found) throws(Problem) -> Found
  {
    var event = yaml_event_t()
    guard yaml_parser_parse(parser, &event) == 1 else { throw failure() }
    defer { yaml_event_delete(&event) }
    return try body(event)
  }

  // MARK: Nodes

  private func node(_ event: yaml_event_t) throws(Problem) -> Node {
    let place = self.place(event.start_mark)
    switch event.type {
    case YAML_ALIAS_EVENT:
      guard let node = anchors[Self.text(event.data.alias.anchor) ?? ""] else {
        throw Problem.syntax("found undefined alias", at: place, begun: nil)
      }
      return node
    case YAML_SCALAR_EVENT:
      let scalar = Self.scalar(event.data.scalar, place)
      return named(event.data.scalar.anchor, .scalar(scalar))
    case YAML_SEQUENCE_START_EVENT:
      let nodes = try nested(at: place, sequence)
      return named(event.data.sequence_start.anchor, .sequence(nodes, place))
    case YAML_MAPPING_START_EVENT:
      let mapping = try nested(at: place, mapping)
      return named(event.data.mapping_start.anchor, .mapping(mapping, place))
    default: throw Problem.syntax("found no value", at: place, begun: nil)
    }
  }

  /// Returns the node. If the node has an anchor, stores the node for later aliases.
  private func named(_ anchor: UnsafeMutablePointer<yaml_char_t>?, _ node: Node) -> Node {
    if let anchor = Self.text(anchor) { anchors[anchor] = node }
    return node
  }

  private func nested<Found>(
    at place: ConfigPlace, _ body: () throws(Problem) -> Found
  ) throws(Problem) -> Found {
    guard depth < Self.depthMax else {
      throw Problem.refused(
        "found more than \(Self.depthMax) lists and mappings inside one another", at: place)
    }
    depth += 1
    defer { depth -= 1 }
    return try body()
  }

  private func sequence() throws(Problem) -> [Node] {
    var nodes: [Node] = []
    while let node = try element() { nodes.append(node) }
    return nodes
  }

  private func mapping() throws(Problem) -> Node.Mapping {
    var mapping: Node.Mapping = []
    mapping.reserveCapacity(Self.usualKeys)
    while let key = try element() { mapping.append((key, try next(node))) }
    try checkKeys(of: mapping)
    return mapping
  }

  /// Returns the next entry or key; nil at the end of the sequence or mapping.
  private func element() throws(Problem) -> Node? {
    try next { event throws(Problem) in
      switch event.type {
      case YAML_SEQUENCE_END_EVENT, YAML_MAPPING_END_EVENT: nil
      default: try node(event)
      }
    }
  }

  /// The number of keys for which a mapping has space at first.
  private static let usualKeys = 4

  /// The maximum number of keys for which comparing all pairs is faster than a dictionary.
  private static let fewKeys = 12

  private func checkKeys(of mapping: Node.Mapping) throws(Problem) {
    if mapping.count < 2 { return }
    var duplicates: [String: ConfigPlace] = [:]
    if mapping.count <= Self.fewKeys {
      for index in mapping.indices {
        guard let name = mapping[index].key.string else { continue }
        let first = mapping[..<index].firstIndex { $0.key.string == name }
        if let first { duplicates[name] = mapping[first].key.place }
      }
    } else {
      let places = mapping.compactMap { key, _ in key.string.map { ($0, key.place) } }
      let firsts = Dictionary(places) { first, _ in first }
      if firsts.count < places.count {
        for (name, all) in Dictionary(grouping: places, by: \.0) where all.count > 1 {
          duplicates[name] = firsts[name]
        }
      }
    }
    if duplicates.isEmpty { return }
    throw Problem.duplicateKeys(
      duplicates.sorted { $0.key < $1.key }.map { (text: $0.key, place: $0.value) })
  }

  // MARK: Reading of libyaml's values

  private typealias ScalarEvent = yaml_event_s.__Unnamed_union_data.__Unnamed_struct_scalar

  private static func scalar(_ event: ScalarEvent, _ place: ConfigPlace) -> Node.Scalar {
    let bytes = UnsafeBufferPointer(start: event.value, count: event.length)
    return Node.Scalar(
      string: String(decoding: bytes, as: UTF8.self),
      tag: event.quoted_implicit == 1 ? nil : text(event.tag),
      isPlain: event.style == YAML_PLAIN_SCALAR_STYLE, place: place)
  }

  private static func text(_ start: UnsafeMutablePointer<yaml_char_t>?) -> String? {
    start.map { String(cString: $0) }
  }

  /// Returns a place in the file, with lines and columns that count from 1. libyaml counts them
  /// from 0.
  private func place(_ mark: yaml_mark_t) -> ConfigPlace {
    ConfigPlace(
      line: skipped.lineInFile(Int(clamping: mark.line) &+ 1),
      column: Int(clamping: mark.column) &+ 1)
  }

  private func failure() -> Problem {
    let words = parser.pointee.problem.map { String(cString: $0) } ?? "out of memory"
    switch parser.pointee.error {
    case YAML_SCANNER_ERROR, YAML_PARSER_ERROR:
      return Problem.syntax(
        words, at: place(parser.pointee.problem_mark),
        begun: parser.pointee.context == nil ? nil : place(parser.pointee.context_mark))
    default: return Problem.syntax(words, at: nil, begun: nil)
    }
  }
}

/// A node of a YAML document (YAML 1.2.2, chapter 3.2), with its place in the text. Each alias is
/// replaced by the node to which it refers.
enum Node {
  case scalar(Scalar)
  case sequence([Node], ConfigPlace)
  case mapping(Mapping, ConfigPlace)

  /// The entries of a mapping, in the order of the text. No two scalar keys have the same text.
  typealias Mapping = [(key: Node, value: Node)]

  struct Scalar {
    /// The text without quotation marks, and with each escape replaced by its character.
    var string: String
    /// The explicit tag in full, such as `tag:yaml.org,2002:str`; nil if there is none.
    var tag: String?
    /// Whether the text is neither quoted nor a block.
    var isPlain: Bool
    var place: ConfigPlace
  }

  /// The text of a scalar; nil for other nodes.
  var string: String? {
    guard case .scalar(let scalar) = self else { return nil }
    return scalar.string
  }

  /// The entries of a mapping; nil for other nodes.
  var mapping: Mapping? {
    guard case .mapping(let mapping, _) = self else { return nil }
    return mapping
  }

  /// Whether a text in the node contains the character.
  func contains(_ character: UInt8) -> Bool {
    switch self {
    case .scalar(let scalar): scalar.string.utf8.contains(character)
    case .sequence(let nodes, _): nodes.contains { $0.contains(character) }
    case .mapping(let mapping, _):
      mapping.contains { $0.key.contains(character) || $0.value.contains(character) }
    }
  }

  /// The place of the node's first character.
  var place: ConfigPlace {
    switch self {
    case .scalar(let scalar): scalar.place
    case .sequence(_, let place), .mapping(_, let place): place
    }
  }
}

/// The detection of alias bombs in YAML. A few nested aliases could expand to more text than fits
/// into memory.
enum AliasBound {
  /// The maximum number of copies to which aliases may expand, in the worst arrangement.
  static let copiesMax = 10_000.0

  /// Returns the problem with the aliases of a text; nil if the text is harmless in every
  /// arrangement of its aliases.
  ///
  /// The marks `&` and `*` are counted by their form, even inside quotes, so the count may be too
  /// high. An anchor can contain only aliases of earlier anchors. With A aliases, the worst case is
  /// k nested anchors with A / k aliases each. They expand to (A / k) ^ k copies.
  static func problem(in text: String) -> String? {
    let bytes = Array(text.utf8)
    let anchors = count(UInt8(ascii: "&"), in: bytes)
    guard anchors > 0 else { return nil }
    let aliases = count(UInt8(ascii: "*"), in: bytes)
    let isSafe = (1...anchors).allSatisfy { depth in
      depth == 1 || depth > aliases || power(Double(aliases) / Double(depth), depth) <= copiesMax
    }
    if isSafe { return nil }
    return "\(anchors) anchors (&) and \(aliases) aliases (*) could expand to too many copies;"
      + " replace some aliases by their values, or move shared values to `defaults`"
  }

  /// Whether a text may have anchors. Marks inside quotes count too.
  static func mayHaveAnchors(_ bytes: [UInt8]) -> Bool { count(UInt8(ascii: "&"), in: bytes) > 0 }

  /// Returns `number` to the given power. If the power is larger than `copiesMax`, the result may
  /// be any number above `copiesMax`.
  private static func power(_ number: Double, _ exponent: Int) -> Double {
    var product = 1.0
    for _ in 0..<exponent where product <= copiesMax { product *= number }
    return product
  }

  /// Returns the number of marks that are at the beginning of a word and directly before a name.
  private static func count(_ mark: UInt8, in bytes: [UInt8]) -> Int {
    guard bytes.contains(mark) else { return 0 }
    var count = 0
    var before = UInt8(ascii: " ")
    var isOpen = false
    for byte in bytes {
      if isOpen, isNameByte(byte) { count += 1 }
      isOpen = byte == mark && beginnings.contains(before)
      before = byte
    }
    return count
  }

  private static let beginnings = Set(" \t\n\r[{,:-?!\u{85}\u{A0}".utf8)

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"), UInt8(ascii: "-"):
      true
    default: false
    }
  }
}
