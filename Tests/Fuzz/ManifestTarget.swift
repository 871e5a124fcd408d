import FetchModel
import FetchValues

/// The table that a plugin file returned, as a worker sends it.
enum ManifestTarget {
  static func run(_ input: UnsafeRawBufferPointer) {
    // As JSON too: its texts are easier for the fuzzer to change in a way that makes sense.
    if let value = try? JSONReader.decode(input) { _ = ManifestReader.read(value) }
    var reader = ValueReader(input)
    if let value = try? reader.readValue() { _ = ManifestReader.read(value) }
  }
}
