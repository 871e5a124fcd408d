package import FetchValues

extension Value {
  /// The strings and numbers in the value, including those in its lists and tables.
  package var scalarTexts: [String] {
    switch self {
    case .string, .integer, .number: displayText.map { [$0] } ?? []
    case .array(let list): list.flatMap(\.scalarTexts)
    case .object(let object): object.members.flatMap { $0.value.scalarTexts }
    case .null, .bool, .bytes: []
    }
  }
}

/// The redaction of values that are stored or shown.
extension Redactor {
  package func redacted(_ value: Value) -> Value {
    guard !isEmpty else { return value }
    switch value {
    case .string(let text): return .string(redacted(text))
    case .bytes(let bytes): return .bytes(redacted(bytes))
    case .array(let list): return .array(list.map(redacted))
    case .object(let object): return .object(redacted(object))
    case .integer(let number): return name(of: number).map(shown) ?? value
    case .number(let number): return name(of: number).map(shown) ?? value
    case .null, .bool: return value
    }
  }

  private func shown(_ name: String) -> Value { .string("\(Self.mark)\(name)]") }

  /// Redacts the object's keys and values. If two keys become equal, only the first is kept.
  package func redacted(_ object: ValueObject) -> ValueObject {
    guard !isEmpty else { return object }
    var result = ValueObject()
    for (key, value) in object.members {
      let shown = redacted(key)
      if shown != key, result[shown] != nil { continue }
      result.append(shown, redacted(value))
    }
    return result
  }

  package func redacted(_ item: ParsedItem) -> ParsedItem {
    guard !isEmpty else { return item }
    var item = item
    for field in [
      \ParsedItem.id, \.title, \.url, \.published, \.updated, \.author, \.summary, \.content,
    ] { item[keyPath: field] = item[keyPath: field].map(redacted) }
    item.tags = item.tags.map(redacted)
    item.fields = redacted(item.fields)
    return item
  }

  package func redacted(_ failure: Failure) -> Failure {
    guard !isEmpty else { return failure }
    var failure = failure
    failure.message = redacted(failure.message)
    failure.file = failure.file.map(redacted)
    failure.traceback = failure.traceback.map(redacted)
    return failure
  }

  package func redacted(_ line: LogLine) -> LogLine {
    isEmpty ? line : LogLine(line.level, redacted(line.message))
  }
}
