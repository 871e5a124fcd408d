import FetchModel
import FetchValues

/// The fuzz target for the table that a plugin file returns, in the form that a worker sends.
enum ManifestTarget {
  static func run(_ input: UnsafeRawBufferPointer) {
    // The input is also read as JSON, because the fuzzer makes more useful changes to text.
    if let value = try? JSONReader.decode(input) { _ = ManifestReader.read(value) }
    var reader = ValueReader(input)
    if let value = try? reader.readValue() { _ = ManifestReader.read(value) }
  }
}
