import FetchValues

/// Collects the fields that have a value before they are written, because the table's head must
/// contain their number.
struct FieldWriter {
  private var body: ValueWriter
  private var count = 0

  init(reserving capacity: Int = 64) { body = ValueWriter(reserving: capacity) }

  /// Writes the table and begins the next one.
  mutating func finish(into writer: inout ValueWriter) {
    writer.beginObject(count: count)
    body.bytes.withUnsafeBytes { writer.append(encoded: $0) }
    body.removeAll()
    count = 0
  }

  private mutating func key(_ name: StaticString) {
    body.write(name)
    count += 1
  }

  mutating func field(_ name: StaticString, _ text: String?) {
    guard let text else { return }
    key(name)
    body.write(text)
  }

  mutating func field(_ name: StaticString, _ number: Int64?) {
    guard let number else { return }
    key(name)
    body.write(number)
  }

  mutating func field(_ name: StaticString, _ number: Double?) {
    guard let number, number.isFinite else { return }
    key(name)
    body.write(number)
  }

  mutating func field(_ name: StaticString, _ flag: Bool?) {
    guard let flag else { return }
    key(name)
    body.write(flag)
  }

  mutating func field(_ name: StaticString, _ time: Timestamp?) {
    guard let time else { return }
    key(name)
    body.write(bytes: RFC3339Text.bytes(time))
  }

  mutating func field(_ name: StaticString, _ texts: [String]) {
    guard !texts.isEmpty else { return }
    key(name)
    body.beginArray(count: texts.count)
    for text in texts { body.write(text) }
  }

  mutating func field(_ name: StaticString, _ numbers: [Int64]) {
    guard !numbers.isEmpty else { return }
    key(name)
    body.beginArray(count: numbers.count)
    for number in numbers { body.write(number) }
  }

  mutating func tables<Element>(
    _ name: StaticString, _ elements: [Element],
    _ write: (Element, inout FieldWriter) -> Void
  ) {
    guard !elements.isEmpty else { return }
    key(name)
    body.beginArray(count: elements.count)
    var inner = FieldWriter()
    for element in elements {
      write(element, &inner)
      inner.finish(into: &body)
    }
  }

  mutating func table(_ name: StaticString, _ write: (inout FieldWriter) -> Void) {
    key(name)
    var inner = FieldWriter()
    write(&inner)
    inner.finish(into: &body)
  }
}
