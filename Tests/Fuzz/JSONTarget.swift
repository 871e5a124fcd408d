import FetchValues

/// The fuzz target for JSON text. A value must be unchanged after it has been written and read
/// again.
enum JSONTarget {
  static func run(_ input: UnsafeRawBufferPointer) {
    guard let value = try? JSONReader.decode(input) else { return }
    guard let text = try? JSONWriter.text(value), let back = try? JSONReader.decode(text),
      back == value
    else { fatalError("a value changed on its way") }
    let options = JSONWriter.Options(isPretty: true, sortsKeys: true)
    guard let pretty = try? JSONWriter.text(value, options: options),
      (try? JSONReader.decode(pretty)) == value
    else { fatalError("a value changed when written for people") }
  }
}
