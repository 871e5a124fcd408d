import XMLLibrary

/// XPath 1.0 queries within limits.
enum XMLXPath {
  enum Answer {
    case nodes([xmlNodePtr])
    case text(String)
    case number(Double)
    case bool(Bool)
  }

  /// The maximum number of steps of one evaluation, as libxml2 counts steps. This number of steps
  /// takes about 0.2 s.
  static let stepCountMax: UInt = 5_000_000
  static let expressionBytesMax = 4096

  static func evaluate(
    _ expression: String, at node: xmlNodePtr, in document: XMLDocument,
    namespaces: [(prefix: String, uri: String)] = []
  ) throws(LibraryError) -> Answer {
    guard expression.utf8.count <= expressionBytesMax, !expression.utf8.contains(0) else {
      throw .misuse(
        "the XPath expression is longer than \(expressionBytesMax) bytes or has a NUL byte")
    }
    let context = try document.xpathContext()
    context.pointee.node = node
    context.pointee.opLimit = stepCountMax
    context.pointee.opCount = 0
    xmlXPathRegisteredNsCleanup(context)
    for namespace in namespaces {
      xmlXPathRegisterNs(context, namespace.prefix, namespace.uri)
    }
    xmlResetError(&context.pointee.lastError)
    guard let object = xmlXPathEvalExpression(expression, context) else {
      throw .misuse("XPath: \(problem(context, expression))")
    }
    defer { xmlXPathFreeObject(object) }
    return try answer(object, expression)
  }

  /// Returns libxml2's error as a message. libxml2 gives only an error number, because its own
  /// messages are disabled.
  private static func problem(_ context: xmlXPathContextPtr, _ expression: String) -> String {
    let code = context.pointee.lastError.code - Int32(XML_XPATH_EXPRESSION_OK.rawValue)
    let words: String
    switch xmlXPathError(UInt32(clamping: code)) {
    case XPATH_OP_LIMIT_EXCEEDED:
      return "evaluating '\(expression)' takes more than \(stepCountMax) operations; split it into"
        + " several simpler expressions"
    case XPATH_RECURSION_LIMIT_EXCEEDED: words = "too many nested expressions"
    case XPATH_UNDEF_VARIABLE_ERROR: words = "an undefined variable"
    case XPATH_UNDEF_PREFIX_ERROR: words = "an undeclared namespace prefix"
    case XPATH_UNKNOWN_FUNC_ERROR: words = "an unknown function"
    case XPATH_UNFINISHED_LITERAL_ERROR: words = "an unterminated string"
    case XPATH_INVALID_ARITY: words = "a wrong number of arguments"
    case XPATH_INVALID_PREDICATE_ERROR: words = "an invalid predicate"
    default: words = "an error, such as invalid syntax or a value of the wrong type,"
    }
    return "\(words) in '\(expression)'"
  }

  private static func answer(
    _ object: xmlXPathObjectPtr, _ expression: String
  ) throws(LibraryError) -> Answer {
    switch object.pointee.type {
    case XPATH_NODESET, XPATH_XSLT_TREE:
      guard let set = object.pointee.nodesetval else { return .nodes([]) }
      let count = max(0, Int(set.pointee.nodeNr))
      var nodes: [xmlNodePtr] = []
      nodes.reserveCapacity(count)
      for index in 0..<count {
        // Leaves out namespace nodes, because they are copies that libxml2 frees with the result.
        if let node = set.pointee.nodeTab[index], node.pointee.type != XML_NAMESPACE_DECL {
          nodes.append(node)
        }
      }
      return .nodes(nodes)
    case XPATH_STRING: return .text(object.pointee.stringval.map { String(cString: $0) } ?? "")
    case XPATH_NUMBER: return .number(object.pointee.floatval)
    case XPATH_BOOLEAN: return .bool(object.pointee.boolval != 0)
    default: throw .misuse("the result of the XPath expression '\(expression)' has an unknown type")
    }
  }
}
