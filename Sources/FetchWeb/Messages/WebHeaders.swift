import FetchValues

/// The header fields of a request or an answer, in the order in which they arrived or were added.
/// Their names are case-insensitive.
package struct WebHeaders: Sendable {
  package typealias Field = (name: String, value: String)

  package private(set) var fields: [Field]

  package init(_ fields: [Field] = []) { self.fields = fields }

  /// Returns the values of all fields with the given name.
  package func all(_ name: String) -> [String] {
    fields.filter { $0.name.isSameField(as: name) }.map(\.value)
  }

  package func first(_ name: String) -> String? {
    fields.first { $0.name.isSameField(as: name) }?.value
  }

  /// Returns the value of a field that occurs once; nil if it is missing or repeated.
  package func only(_ name: String) -> String? {
    let values = all(name)
    return values.count == 1 ? values.first : nil
  }

  package mutating func add(_ name: String, _ value: String) { fields.append((name, value)) }

  /// Removes all fields with the given name and adds one field with this name.
  package mutating func set(_ name: String, _ value: String) {
    fields.removeAll { $0.name.isSameField(as: name) }
    fields.append((name, value))
  }
}

extension String {
  fileprivate func isSameField(as other: String) -> Bool {
    utf8.count == other.utf8.count
      && utf8.lazy.map(\.asciiLowercased).elementsEqual(other.utf8.lazy.map(\.asciiLowercased))
  }
}
