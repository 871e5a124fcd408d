import XMLLibrary

/// The guard of a parser. It counts the nodes that the parser builds, and stops the parser at a
/// limit. The guard's callbacks run before libxml2's own callbacks, which build the tree.
final class TreeGuard {
  /// The message that says why the guard stopped the parser; nil if the guard has not stopped it.
  private(set) var problem: String?
  private(set) var firstError: String?
  private var depth = 0
  private var nodeCount = 0
  private let context: xmlParserCtxtPtr

  init(_ context: xmlParserCtxtPtr) {
    self.context = context
    context.pointee._private = Unmanaged.passUnretained(self).toOpaque()
  }

  /// Returns the guard of a parser. The callbacks receive the parser as their user pointer.
  private static func of(_ user: UnsafeMutableRawPointer?) -> TreeGuard? {
    guard let user else { return nil }
    let context = user.assumingMemoryBound(to: xmlParserCtxt.self)
    return context.pointee._private.map {
      Unmanaged<TreeGuard>.fromOpaque($0).takeUnretainedValue()
    }
  }

  private func stop(_ problem: String) {
    if self.problem == nil { self.problem = problem }
    xmlStopParser(context)
  }

  /// Counts `count` more nodes. Returns whether these nodes may be built.
  private func add(_ count: Int) -> Bool {
    nodeCount += count
    if nodeCount > XMLLimits.treeNodeCountMax {
      stop("the document has more than \(XMLLimits.treeNodeCountMax) nodes")
    }
    return problem == nil
  }

  /// Returns the estimated memory of the text's tree in bytes: 120 for each node, and the length of
  /// the text.
  func bytes(of text: UnsafeRawBufferPointer) -> Int { nodeCount * 120 + text.count }

  private func enterXML(attributes: Int) -> Bool {
    depth += 1
    if depth > XMLLimits.depthMax {
      stop("elements are nested deeper than \(XMLLimits.depthMax) levels")
    }
    return add(1 + 2 * attributes)
  }

  /// Enters an HTML element. Returns whether the element may be built. Elements deeper than
  /// `XMLLimits.depthMax` levels are dropped, and their text becomes part of the element around
  /// them. Stops the parser if more than `XMLLimits.openTagCountMax` elements are open.
  private func enterHTML(attributes: Int) -> Bool {
    depth += 1
    if depth > XMLLimits.openTagCountMax {
      stop("more than \(XMLLimits.openTagCountMax) elements are open at once")
    }
    return depth <= XMLLimits.depthMax && add(1 + 2 * attributes)
  }

  /// Leaves an element. Returns whether the element was built and the parser has not been stopped.
  private func leave() -> Bool {
    depth -= 1
    return depth < XMLLimits.depthMax && problem == nil
  }

  func guardXML() {
    guard let sax = context.pointee.sax else { return }
    sax.pointee.startElementNs = { user, local, prefix, uri, spaces, space, count, extra, values in
      guard TreeGuard.of(user)?.enterXML(attributes: Int(count + spaces)) == true else { return }
      xmlSAX2StartElementNs(user, local, prefix, uri, spaces, space, count, extra, values)
    }
    sax.pointee.endElementNs = { user, local, prefix, uri in
      if TreeGuard.of(user)?.leave() == true { xmlSAX2EndElementNs(user, local, prefix, uri) }
    }
    sax.pointee.internalSubset = { _, _, _, _ in }
    sax.pointee.externalSubset = { _, _, _, _ in }
    sax.pointee.entityDecl = { user, _, _, _, _, _ in
      TreeGuard.of(user)?.stop("the document declares entities in a DTD, which is not allowed")
    }
    sax.pointee.attributeDecl = nil
    sax.pointee.elementDecl = nil
    sax.pointee.notationDecl = nil
    sax.pointee.unparsedEntityDecl = nil
    sax.pointee.getEntity = nil
    sax.pointee.getParameterEntity = nil
    sax.pointee.processingInstruction = { user, target, text in
      if TreeGuard.of(user)?.add(1) == true { xmlSAX2ProcessingInstruction(user, target, text) }
    }
    guardTexts(sax)
  }

  func guardHTML() {
    guard let sax = context.pointee.sax else { return }
    sax.pointee.startElement = { user, name, attributes in
      var count = 0
      while count < 2 * XMLLimits.attributeCountMax, attributes?[count] != nil { count += 2 }
      guard TreeGuard.of(user)?.enterHTML(attributes: count / 2) == true else { return }
      xmlSAX2StartElement(user, name, attributes)
    }
    sax.pointee.endElement = { user, name in
      if TreeGuard.of(user)?.leave() == true { xmlSAX2EndElement(user, name) }
    }
    guardTexts(sax)
  }

  private func guardTexts(_ sax: UnsafeMutablePointer<xmlSAXHandler>) {
    sax.pointee.characters = { user, text, count in
      if TreeGuard.of(user)?.add(1) == true { xmlSAX2Characters(user, text, count) }
    }
    sax.pointee.ignorableWhitespace = sax.pointee.characters
    sax.pointee.comment = { user, text in
      if TreeGuard.of(user)?.add(1) == true { xmlSAX2Comment(user, text) }
    }
    sax.pointee.serror = { user, error in
      if let error { TreeGuard.of(user)?.keep(error.pointee) }
    }
  }

  private func keep(_ error: xmlError) {
    if firstError == nil, error.level.rawValue >= XML_ERR_ERROR.rawValue {
      firstError = XMLParsing.message(error)
    }
  }
}
