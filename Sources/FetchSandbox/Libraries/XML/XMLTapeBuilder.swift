internal import Glibc
import XMLLibrary

/// The builder of a tape from libxml2's SAX events during one parse.
///
/// The callbacks find the builder by the parser's user pointer. The builder is a value in allocated
/// memory, because the reference counting and exclusivity checks of a class would take a quarter of
/// the parsing time.
struct XMLTapeBuilder {
  private(set) var tape = XMLTape()
  private var open: [Int] = []
  private var namespaceCounts: [Int] = []
  private var namespaceCount = 0
  private var nameIndex: [NameKey: Int32] = [:]
  /// The number of nodes when an element last ended. Text directly after an end tag begins a new
  /// text node.
  private var nodesAtEnd = 0
  private var lastNames = [(key: NameKey, index: Int32)](
    repeating: (NameKey(local: 0, uri: 0, prefix: 0), 0), count: 64)
  /// The number of bytes in the tape after the last piece of a CDATA section, if this piece ended
  /// in CR; otherwise -1.
  private var carriageReturnAt = -1
  private let context: xmlParserCtxtPtr
  /// Whether the document has a DOCTYPE. Only the repair reads the entities of a DOCTYPE.
  private(set) var hasDoctype = false
  /// Whether a limit stopped the parser. The tape then has everything before that point.
  private(set) var isCut = false

  /// A name as the addresses of its parts. The addresses identify the name, because libxml2 has
  /// only one copy of each name during a parse.
  struct NameKey: Hashable {
    var local: UInt
    var uri: UInt
    var prefix: UInt
  }

  /// Parses UTF-8. Returns the tape, and whether the document was read completely, is well-formed
  /// and has no DOCTYPE. Returns nil if the text is empty or too large.
  static func parse(_ bytes: UnsafeRawBufferPointer) -> (tape: XMLTape, isClean: Bool)? {
    _ = XMLParsing.ready
    guard bytes.count > 0, bytes.count <= XMLLimits.inputBytesMax else { return nil }
    let start = bytes.assumingMemoryBound(to: CChar.self).baseAddress
    guard let context = xmlCreatePushParserCtxt(nil, nil, nil, 0, nil) else { return nil }
    defer { xmlFreeParserCtxt(context) }
    let builder = UnsafeMutablePointer<XMLTapeBuilder>.allocate(capacity: 1)
    builder.initialize(to: XMLTapeBuilder(context: context, byteCount: bytes.count))
    defer {
      builder.deinitialize(count: 1)
      builder.deallocate()
    }
    xmlCtxtUseOptions(context, XMLParsing.options)
    context.pointee.sax.pointee = handler
    context.pointee.userData = UnsafeMutableRawPointer(builder)
    xmlParseChunk(context, start, Int32(bytes.count), 1)
    builder.pointee.closeAll()
    if let document = context.pointee.myDoc { xmlFreeDoc(document) }
    context.pointee.myDoc = nil
    let isClean = context.pointee.wellFormed != 0 && !builder.pointee.hasDoctype
    return (builder.pointee.tape, isClean && !builder.pointee.isCut)
  }

  private init(context: xmlParserCtxtPtr, byteCount: Int) {
    self.context = context
    tape.bytes.reserveCapacity(byteCount)
    tape.nodes.reserveCapacity(byteCount / 32)
    open.reserveCapacity(16)
    namespaceCounts.reserveCapacity(16)
  }

  private static func from(
    _ pointer: UnsafeMutableRawPointer
  ) -> UnsafeMutablePointer<XMLTapeBuilder> {
    pointer.assumingMemoryBound(to: XMLTapeBuilder.self)
  }

  // SAFETY: the handler is written once, and only read afterwards.
  nonisolated(unsafe) private static let handler: xmlSAXHandler = {
    var sax = xmlSAXHandler()
    sax.initialized = UInt32(XML_SAX2_MAGIC)
    sax.startElementNs = { user, local, prefix, uri, namespaces, _, attributes, _, values in
      guard let user, let local else { return }
      from(user).pointee.start(local, prefix, uri, Int(namespaces), Int(attributes), values)
    }
    sax.endElementNs = { user, _, _, _ in
      if let user { from(user).pointee.end() }
    }
    sax.characters = { user, text, count in
      if let user, let text { from(user).pointee.add(text, Int(count)) }
    }
    sax.ignorableWhitespace = sax.characters
    sax.cdataBlock = { user, text, count in
      if let user, let text { from(user).pointee.addSection(text, Int(count)) }
    }
    sax.internalSubset = { user, _, _, _ in
      if let user { from(user).pointee.stopAtDoctype() }
    }
    sax.serror = { _, _ in }
    return sax
  }()

  private mutating func stop() {
    isCut = true
    xmlStopParser(context)
  }

  private mutating func stopAtDoctype() {
    hasDoctype = true
    xmlStopParser(context)
  }

  private mutating func start(
    _ local: UnsafePointer<xmlChar>, _ prefix: UnsafePointer<xmlChar>?,
    _ uri: UnsafePointer<xmlChar>?, _ namespaces: Int, _ count: Int,
    _ values: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?
  ) {
    guard open.count < XMLLimits.depthMax, tape.nodes.count < XMLLimits.nodeCountMax,
      namespaceCount + namespaces <= XMLLimits.namespaceCountMax
    else { return stop() }
    let first = Int32(tape.attributes.count)
    if let values { for index in 0..<count { addAttribute(values + index * 5) } }
    open.append(tape.nodes.count)
    namespaceCounts.append(namespaces)
    namespaceCount += namespaces
    tape.nodes.append(
      XMLTape.Node(
        name: name(local, prefix, uri), end: 0, from: first, to: Int32(tape.attributes.count)))
  }

  /// Adds one attribute. `five` contains libxml2's pointers to the attribute's local name, prefix,
  /// namespace, value and end of value.
  private mutating func addAttribute(_ five: UnsafeMutablePointer<UnsafePointer<xmlChar>?>) {
    guard let local = five[0], let value = five[3], let end = five[4], end >= value else { return }
    let from = Int32(tape.bytes.count)
    tape.bytes.append(contentsOf: UnsafeBufferPointer(start: value, count: end - value))
    tape.attributes.append(
      XMLTape.Attribute(
        name: name(local, five[1], five[2]), from: from, to: Int32(tape.bytes.count)))
  }

  private mutating func end() {
    guard let node = open.popLast() else { return }
    namespaceCount -= namespaceCounts.popLast() ?? 0
    tape.nodes[node].end = Int32(tape.nodes.count)
    nodesAtEnd = tape.nodes.count
  }

  private mutating func closeAll() { while !open.isEmpty { end() } }

  private mutating func add(_ text: UnsafePointer<xmlChar>, _ count: Int) {
    guard count > 0, !open.isEmpty else { return }
    let from = Int32(tape.bytes.count)
    tape.bytes.append(contentsOf: UnsafeBufferPointer(start: text, count: count))
    let last = tape.nodes.count - 1
    if tape.nodes[last].isText, tape.nodes[last].to == from, last + 1 != nodesAtEnd {
      tape.nodes[last].to = Int32(tape.bytes.count)
    } else if tape.nodes.count < XMLLimits.nodeCountMax {
      tape.nodes.append(
        XMLTape.Node(
          name: -1, end: Int32(tape.nodes.count + 1), from: from, to: Int32(tape.bytes.count)))
    } else {
      stop()
    }
  }

  /// Adds a piece of a CDATA section. libxml2's push parser does not change line ends in CDATA
  /// sections. This function therefore replaces CR LF and CR by LF (XML 1.0, 2.11). A piece may end
  /// between CR and LF.
  private mutating func addSection(_ text: UnsafePointer<xmlChar>, _ count: Int) {
    let isContinued = carriageReturnAt == tape.bytes.count
    carriageReturnAt = -1
    let piece = UnsafeBufferPointer(start: text, count: count)
    guard isContinued || memchr(text, 0x0D, count) != nil else { return add(text, count) }
    var lines: [UInt8] = []
    lines.reserveCapacity(count)
    var last: UInt8 = isContinued ? 0x0D : 0
    for byte in piece {
      if byte == 0x0D {
        lines.append(0x0A)
      } else if byte != 0x0A || last != 0x0D {
        lines.append(byte)
      }
      last = byte
    }
    lines.withUnsafeBufferPointer { if let start = $0.baseAddress { add(start, $0.count) } }
    if last == 0x0D { carriageReturnAt = tape.bytes.count }
  }

  private mutating func name(
    _ local: UnsafePointer<xmlChar>, _ prefix: UnsafePointer<xmlChar>?,
    _ uri: UnsafePointer<xmlChar>?
  ) -> Int32 {
    let key = NameKey(
      local: UInt(bitPattern: local), uri: UInt(bitPattern: uri), prefix: UInt(bitPattern: prefix))
    let slot = Int((key.local >> 3 ^ key.uri >> 5) & 63)
    if lastNames[slot].key == key { return lastNames[slot].index }
    let index = slowName(key, local, prefix, uri)
    lastNames[slot] = (key, index)
    return index
  }

  private mutating func slowName(
    _ key: NameKey, _ local: UnsafePointer<xmlChar>, _ prefix: UnsafePointer<xmlChar>?,
    _ uri: UnsafePointer<xmlChar>?
  ) -> Int32 {
    if let known = nameIndex[key] { return known }
    let index = Int32(tape.names.count)
    tape.names.append(
      XMLTape.Name(
        uri: uri.map { String(cString: $0) } ?? "",
        prefix: prefix.map { String(cString: $0) } ?? "",
        local: String(cString: local)))
    nameIndex[key] = index
    return index
  }
}
