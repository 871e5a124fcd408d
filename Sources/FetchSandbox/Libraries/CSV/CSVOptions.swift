import FetchValues

/// The layout of a CSV text.
struct CSVOptions {
  enum Header {
    case none
    case firstRecord
    case names([String])
  }

  var delimiter = UInt8(ascii: ",")
  var header = Header.none

  init(_ value: Value, function: String) throws(LibraryError) {
    let options = try LibraryOptions(value, function: function, known: ["delimiter", "header"])
    if let text = try options.string("delimiter") {
      let forbidden: [UInt8] = [UInt8(ascii: "\""), 0x0A, 0x0D]
      guard text.utf8.count == 1, let byte = text.utf8.first, !forbidden.contains(byte) else {
        throw .misuse("bad option 'delimiter' for '\(function)' (one ASCII character expected)")
      }
      delimiter = byte
    }
    guard let value = options["header"] else { return }
    if let flag = value.boolValue {
      header = flag ? .firstRecord : .none
      return
    }
    guard let list = value.arrayValue else { throw options.bad("header", "boolean or list", value) }
    var names: [String] = []
    for element in list {
      guard let name = element.stringValue else { throw options.bad("header", "strings", element) }
      names.append(name)
    }
    header = .names(names)
  }
}
