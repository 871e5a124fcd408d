import FetchValues

/// Takes the values of secrets out of texts: `[secret token]` stands where one stood.
///
/// A value is found as it is, percent-encoded once or twice, escaped as in JSON and in HTML, in
/// base64 and base32 (alone or with anything before and after it), in hexadecimal, and cut off at the
/// end of a text. A value that a plugin disguises in another way is not found: the plugin had it from
/// a server that it was sent to.
///
/// Values of fewer than `bytesMin` bytes are left alone: they would tear holes into every text. So is
/// a value that stands in clear in the job's options: it is no secret any more, and an item, an address
/// or a key id may well have it (MinIO's first user and its password are both `minioadmin`).
package struct Redactor: Sendable {
  private struct Known: Equatable {
    var name: String
    var value: [UInt8]
    var needles: [RedactedDigits.Needle]
  }

  package static let bytesMin = 4
  /// What stands for a secret begins with this.
  static let mark = "[secret "
  /// Of a value that is cut off, this much must be there to be told from chance.
  private static let cutBytesMin = 8
  /// What is checked before it is sent; shorter ones are ordinary words too often.
  package static let guardedBytesMin = 8

  private var known: [Known] = []
  private var starts = RedactedStarts()

  /// What the user has written in clear.
  private var clear: [[UInt8]] = []

  package init() {}

  /// - Parameter clear: texts of options: a value that is one of them, or a part of one, is public.
  package init(clear: [String]) { self.clear = clear.map { Array($0.utf8) } }

  package var isEmpty: Bool { known.isEmpty }

  /// A short value stands in many texts by chance; it has to be the whole text.
  private func isClear(_ value: [UInt8]) -> Bool {
    clear.contains { text in
      text == value || value.count >= Self.guardedBytesMin && text.contains(value)
    }
  }

  package mutating func add(_ secret: SecretValue, named name: String) {
    let value = Array(secret.text.utf8)
    guard value.count >= Self.bytesMin, !isClear(value),
      !known.contains(where: { $0.value == value })
    else { return }
    add(Known(name: name, value: value, needles: RedactedDigits.needles(of: value)))
  }

  /// Basic authentication's `user:password`, which is short enough to be known by its whole only.
  package mutating func add(user: String, password: SecretValue, named name: String) {
    let pair = Array("\(user):\(password.text)".utf8)
    let secret = Array(password.text.utf8)
    guard secret.count >= Self.bytesMin, !isClear(secret) else { return }
    add(Known(name: name, value: [], needles: [RedactedDigits.whole(pair)]))
  }

  /// All that another one takes out.
  package mutating func add(_ other: Redactor) {
    for new in other.known where !known.contains(where: { $0 == new }) {
      known.append(new)
    }
    starts.add(other.starts)
  }

  private mutating func add(_ new: Known) {
    known.append(new)
    starts.add(value: new.value)
    for needle in new.needles { starts.add(digits: needle.digits) }
  }

  // MARK: Texts

  package func redacted(_ text: String) -> String {
    guard !isEmpty else { return text }
    var text = text
    let redacted = text.withUTF8 { self.redacted(UnsafeRawBufferPointer($0)) }
    return redacted.map { String(decoding: $0, as: UTF8.self) } ?? text
  }

  package func redacted(_ bytes: [UInt8]) -> [UInt8] {
    guard !isEmpty else { return bytes }
    return bytes.withUnsafeBytes { redacted($0) } ?? bytes
  }

  /// Nil where there is nothing to redact.
  private func redacted(_ text: UnsafeRawBufferPointer) -> [UInt8]? {
    var result: [UInt8] = []
    var copied = 0
    var place = 0
    while place < text.count {
      guard starts.canBegin(text, place), let found = find(in: text, at: place) else {
        place += 1
        continue
      }
      result += text[copied..<max(copied, found.range.lowerBound)]
      result += "\(Self.mark)\(found.name)]".utf8
      place = found.range.upperBound
      copied = place
    }
    return copied == 0 ? nil : result + text[copied...]
  }

  /// The first secret in a text, among those that a rule is for.
  package func name(in bytes: [UInt8], where isGuarded: (String) -> Bool) -> String? {
    let guarded = known.filter { $0.value.count >= Self.guardedBytesMin && isGuarded($0.name) }
    guard !guarded.isEmpty else { return nil }
    return bytes.withUnsafeBytes { text in
      for place in text.indices where starts.canBegin(text, place) {
        if let found = find(in: text, at: place, among: guarded) { return found.name }
      }
      return nil
    }
  }
}

// MARK: Numbers

extension Redactor {
  /// The secret that a number is, as a server echoes one of digits. Only as a whole: a number that
  /// has the digits as a part is another number, and counts and times have many digits.
  func name(of number: Int64) -> String? { name(ofNumber: "\(number)") }

  /// A whole number is found without its `.0`, and one beyond 64 bits though digits of it are lost.
  func name(of number: Double) -> String? {
    if let whole = Int64(exactly: number), let name = name(of: whole) { return name }
    if let name = name(ofNumber: "\(number)") { return name }
    guard number.isFinite, abs(number) >= 0x1p53 else { return nil }
    return known.first { secret in
      secret.value.first != UInt8(ascii: "0")
        && secret.value.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
        && Double(String(decoding: secret.value, as: UTF8.self)) == number
    }?.name
  }

  private func name(ofNumber text: String) -> String? {
    known.first { $0.value.elementsEqual(text.utf8) }?.name
  }

  /// Whether a value of that name is a number as JSON writes it, or digits.
  func isNumber(_ name: String) -> Bool {
    known.contains { secret in
      guard secret.name == name, !secret.value.isEmpty else { return false }
      if secret.value.allSatisfy(\.isASCIIDigit) { return true }
      return (try? JSONReader.decode(secret.value))?.numberValue != nil
    }
  }
}

// MARK: One place

extension Redactor {
  private struct Found {
    var name: String
    var range: Range<Int>
  }

  private func find(in text: UnsafeRawBufferPointer, at place: Int) -> Found? {
    find(in: text, at: place, among: known)
  }

  /// The longest one that begins there.
  private func find(
    in text: UnsafeRawBufferPointer, at place: Int, among known: [Known]
  ) -> Found? {
    var longest: Found?
    for secret in known {
      for range in [spelled(secret, text, place), encoded(secret, text, place)] {
        guard let range, range.count > longest?.range.count ?? 0 else { continue }
        longest = Found(name: secret.name, range: range)
      }
    }
    return longest
  }

  private func spelled(
    _ secret: Known, _ text: UnsafeRawBufferPointer, _ place: Int
  ) -> Range<Int>? {
    guard let first = secret.value.first,
      text[place] == first || RedactedStarts.isEscape(text[place])
    else { return nil }
    var end = place
    for spelling in RedactedSpelling.allCases {
      switch spelling.match(secret.value, in: text, at: place) {
      case .whole(let place): end = max(end, place)
      case .cut(let count, let place) where count >= Self.cutBytesMin: end = max(end, place)
      case .cut, .none: break
      }
    }
    return end > place ? place..<end : nil
  }

  private func encoded(
    _ secret: Known, _ text: UnsafeRawBufferPointer, _ place: Int
  ) -> Range<Int>? {
    var longest: RedactedDigits.Needle?
    for needle in secret.needles
    where needle.digits.first == text[place] && needle.digits.count > longest?.digits.count ?? 0
      && text[place...].starts(with: needle.digits)
    {
      longest = needle
    }
    guard let needle = longest else { return nil }
    let end = place + needle.digits.count
    guard needle.hasEdges else { return place..<end }
    let isBefore = place > 0 && RedactedDigits.isDigit(text[place - 1])
    let isAfter = end < text.count && RedactedDigits.isDigit(text[end])
    return (isBefore ? place - 1 : place)..<(isAfter ? end + 1 : end)
  }
}
