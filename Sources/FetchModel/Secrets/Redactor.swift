import FetchValues

/// Replaces the values of secrets in texts with `[secret token]`.
///
/// It finds a value in these forms: plain, percent-encoded once or twice, escaped as in JSON and in
/// HTML, in base64 and base32 (alone or with anything around it), in hexadecimal, and cut off at
/// the end of a text. It does not find a value that a plugin disguises in another way; the plugin
/// got such a value from a server that received it.
///
/// Values of fewer than `bytesMin` bytes are ignored, because they would mutilate every text. A
/// value that is also in clear in the job's options is ignored as well: it is not secret any more,
/// and an item, an address or a key id may contain it (MinIO's first user and password are both
/// `minioadmin`).
package struct Redactor: Sendable {
  private struct Known: Equatable {
    var name: String
    var value: [UInt8]
    var needles: [RedactedDigits.Needle]
  }

  package static let bytesMin = 4
  /// The beginning of each mark.
  static let mark = "[secret "
  /// The least part of a truncated value that counts as a match.
  private static let cutBytesMin = 8
  /// The least length that is checked before sending; shorter values are too often ordinary words.
  package static let guardedBytesMin = 8

  private var known: [Known] = []
  private var starts = RedactedStarts()

  /// The values that the user has written in clear.
  private var clear: [[UInt8]] = []

  package init() {}

  /// - Parameter clear: the texts of options. A value that is one of them, or a part of one, is
  ///   public.
  package init(clear: [String]) { self.clear = clear.map { Array($0.utf8) } }

  package var isEmpty: Bool { known.isEmpty }

  /// Whether the value is public. A short one occurs in many texts by chance, so it must be a whole
  /// text.
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

  /// Adds the `user:password` of basic authentication; it may be so short that only the whole is
  /// searched.
  package mutating func add(user: String, password: SecretValue, named name: String) {
    let pair = Array("\(user):\(password.text)".utf8)
    let secret = Array(password.text.utf8)
    guard secret.count >= Self.bytesMin, !isClear(secret) else { return }
    add(Known(name: name, value: [], needles: [RedactedDigits.whole(pair)]))
  }

  /// Adds everything that the other redactor replaces.
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

  /// Returns the redacted text; nil if there is nothing to redact.
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

  /// Returns the name of the first secret in a text that `isGuarded` accepts.
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
  /// Returns the name of the secret that equals a number, such as digits that a server echoes. A
  /// number that only contains the digits is another number; counts and times have many digits.
  func name(of number: Int64) -> String? { name(ofNumber: "\(number)") }

  /// Matches a whole number without its `.0`, and one beyond 64 bits although some digits are lost.
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

  /// Whether a value with that name is digits or a JSON number.
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

  /// Returns the longest match that begins there.
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
