import FetchModel
import FetchValues

/// The table that a plugin file returned, in the form of a worker.
enum ManifestTarget {
  static func run(_ input: UnsafeRawBufferPointer) {
    // Also as JSON, whose texts the fuzzer can change more sensibly.
    if let value = try? JSONReader.decode(input) { _ = ManifestReader.read(value) }
    var reader = ValueReader(input)
    if let value = try? reader.readValue() { _ = ManifestReader.read(value) }
  }
}
