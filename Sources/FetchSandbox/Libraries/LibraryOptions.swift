package import FetchValues

/// The options table that many library functions take as their last argument. An unknown option is
/// an error, so that a misspelt option is not ignored.
package struct LibraryOptions {
  private let values: ValueObject
  private let function: String

  package init(
    _ value: Value, function: String, known: [String]
  ) throws(LibraryError) {
    self.function = function
    if value.isNull {
      values = ValueObject()
      return
    }
    guard let object = value.objectValue else {
      throw .misuse("bad options for '\(function)' (table expected, got \(value.kindName))")
    }
    for key in object.keys where !known.contains(key) {
      let names = known.joined(separator: ", ")
      throw .misuse("unknown option '\(key)' for '\(function)' (the options are \(names))")
    }
    values = object
  }

  package subscript(name: String) -> Value? { values[name].flatMap { $0.isNull ? nil : $0 } }

  package func bool(_ name: String) throws(LibraryError) -> Bool {
    guard let value = self[name] else { return false }
    guard let flag = value.boolValue else { throw bad(name, "boolean", value) }
    return flag
  }

  package func string(_ name: String) throws(LibraryError) -> String? {
    guard let value = self[name] else { return nil }
    guard let text = value.stringValue else { throw bad(name, "string", value) }
    return text
  }

  package func integer(_ name: String) throws(LibraryError) -> Int64? {
    guard let value = self[name] else { return nil }
    guard let number = value.integerValue else { throw bad(name, "integer", value) }
    return number
  }

  package func bad(_ name: String, _ wanted: String, _ value: Value) -> LibraryError {
    .misuse("bad option '\(name)' for '\(function)' (\(wanted) expected, got \(value.kindName))")
  }
}
