import FetchValues

/// A text with placeholders for parts of a delivery.
///
/// The placeholders are `{{hook}}`, `{{event}}`, `{{job}}`, `{{id}}` and `{{count}}`, and for the
/// first item `{{title}}`, `{{url}}` and `{{item.NAME}}`. `{{text}}` is the whole delivery as text
/// for people, and `{{json}}` is the whole delivery as JSON for programs. A placeholder with the
/// prefix `json:`, such as `{{json:title}}`, inserts the value as a quoted JSON string. Untrusted
/// text then cannot end the string.
package struct DeliveryTemplate: Equatable, Sendable {
  private enum Part: Equatable {
    case text(String)
    case field(String, asJSON: Bool)
  }

  private let parts: [Part]
  private static let names = [
    "hook", "event", "job", "id", "count", "title", "url", "text", "json",
  ]

  package init(parsing text: String) throws(FilterProblem) {
    var parts: [Part] = []
    var rest = text[...]
    while let start = rest.firstRange(ofBraces: "{") {
      parts.append(.text(String(rest[..<start])))
      rest = rest[start...].dropFirst(2)
      guard let end = rest.firstRange(ofBraces: "}") else {
        throw FilterProblem("has a '{{' without a matching '}}'")
      }
      parts.append(try Self.field(rest[..<end]))
      rest = rest[end...].dropFirst(2)
    }
    parts.append(.text(String(rest)))
    self.parts = parts
  }

  private static func field(_ text: Substring) throws(FilterProblem) -> Part {
    var name = text.filter { $0 != " " }
    let asJSON = name.hasPrefix("json:")
    if asJSON { name = String(name.dropFirst(5)) }
    guard names.contains(name) || name.hasPrefix("item.") && name.utf8.count > 5 else {
      throw FilterProblem(
        "has the unknown field {{\(name.prefix(40))}}; use one of "
          + "\(names.joined(separator: ", ")) or item.NAME")
    }
    return .field(name, asJSON: asJSON)
  }

  package func text(of batch: DeliveryBatch) -> String {
    let items = batch.items
    return parts.reduce(into: "") { result, part in
      switch part {
      case .text(let text): result += text
      case .field(let name, let asJSON):
        let text = Self.value(of: name, batch, items)
        result += asJSON ? (try? JSONWriter.text(.string(text))) ?? "\"\"" : text
      }
    }
  }

  private static func value(
    of name: String, _ batch: DeliveryBatch, _ items: [ValueObject]
  ) -> String {
    switch name {
    case "hook": batch.hook.text
    case "event": batch.event
    case "job": batch.job?.text ?? ""
    case "id": batch.key
    case "count": "\(items.count)"
    case "text": DeliveryText.body(of: batch)
    case "json": batch.json
    default: itemValue(name.hasPrefix("item.") ? String(name.dropFirst(5)) : name, items.first)
    }
  }

  private static func itemValue(_ name: String, _ item: ValueObject?) -> String {
    guard let value = item?[name] ?? item?["fields"]?[name] else { return "" }
    if let text = value.stringValue { return text }
    return value.isNull ? "" : (try? JSONWriter.text(value)) ?? ""
  }
}

extension Substring {
  /// Returns the index of the first pair of `brace` characters; nil if there is none.
  fileprivate func firstRange(ofBraces brace: Character) -> Index? {
    var index = startIndex
    while index < endIndex {
      let next = self.index(after: index)
      if self[index] == brace, next < endIndex, self[next] == brace { return index }
      index = next
    }
    return nil
  }
}
