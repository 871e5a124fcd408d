package import FetchValues

/// The redactor that replaces secrets' values in texts by marks such as `[secret token]`.
///
/// The redactor finds a value that is plain, percent-encoded once or twice, or escaped as in JSON
/// or HTML. It finds the beginning of such a value if at least 8 bytes of the value remain before
/// an ellipsis or the text's end. It also finds a whole value in hexadecimal, base64 or base32. If
/// the value has at least 8 bytes, other bytes may be encoded together with it. The redactor does
/// not find a value that a plugin disguises in another way.
///
/// Values of fewer than `bytesMin` bytes are ignored, because short values occur in many texts by
/// chance. Values that the user has also written in an option are ignored as well: see `isClear`.
/// For example, MinIO's first user and password are both `minioadmin`.
package struct Redactor: Sendable {
  private struct Known: Equatable {
    var name: String
    var value: [UInt8]
    var needles: [RedactedDigits.Needle]
  }

  package static let bytesMin = 4
  /// The first characters of each mark.
  static let mark = "[secret "
  /// The minimum length, in bytes, at which the beginning of a cut-off value counts as a match.
  private static let cutBytesMin = 8
  /// The minimum length, in bytes, of the values that the host looks for in a request before it
  /// sends the request. Shorter values are too often ordinary words.
  package static let guardedBytesMin = 8

  private var known: [Known] = []
  private var starts = RedactedStarts()

  /// The texts of options. Secrets in these texts may be public: see `isClear`.
  private var clear: [[UInt8]] = []

  package init() {}

  /// Creates a redactor without secrets.
  ///
  /// - Parameter clear: the texts of options. A secret's value that equals one of these texts is
  ///   public. A value of at least `guardedBytesMin` bytes is also public if it is a part of one of
  ///   these texts.
  package init(clear: [String]) { self.clear = clear.map { Array($0.utf8) } }

  package var isEmpty: Bool { known.isEmpty }

  /// Whether a secret's value is public. A short value may be a part of an option's text by chance,
  /// so it counts as public only if it equals a whole text.
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

  /// Adds the `user:password` of basic authentication. The redactor looks only for the base64 form
  /// of this text.
  package mutating func add(user: String, password: SecretValue, named name: String) {
    let pair = Array("\(user):\(password.text)".utf8)
    let secret = Array(password.text.utf8)
    guard secret.count >= Self.bytesMin, !isClear(secret) else { return }
    add(Known(name: name, value: [], needles: [RedactedDigits.whole(pair)]))
  }

  /// Adds all secrets of another redactor, so that this redactor replaces these secrets as well.
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

  /// Returns the redacted text; nil if the text contains no secret.
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

  /// Returns the name of the secret whose value occurs first in the bytes; nil if there is none.
  /// The function considers only secrets for which `isGuarded` returns true and whose values have
  /// at least `guardedBytesMin` bytes.
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
  /// Returns the name of the secret whose value equals a number; nil if there is none. A number
  /// that only contains the secret's digits does not count, because counts and times have many
  /// digits.
  func name(of number: Int64) -> String? { name(ofNumber: "\(number)") }

  /// Returns the name of the secret whose value equals a number. A whole number is also compared
  /// without its `.0`. A number of at least 2^53 may have lost digits. It therefore also matches a
  /// secret that consists of digits without a leading zero and gives the same `Double`.
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

  /// Whether the secret of the given name consists of digits or is a JSON number.
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

  /// Returns the longest match at a place in the text. The match may include one more digit on each
  /// side: see `RedactedDigits.Needle.hasEdges`.
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

extension Value {
  /// The strings and numbers in the value, including those in its lists and tables.
  package var scalarTexts: [String] {
    switch self {
    case .string, .integer, .number: displayText.map { [$0] } ?? []
    case .array(let list): list.flatMap(\.scalarTexts)
    case .object(let object): object.members.flatMap { $0.value.scalarTexts }
    case .null, .bool, .bytes: []
    }
  }
}

/// The redaction of values that are stored or shown.
extension Redactor {
  package func redacted(_ value: Value) -> Value {
    guard !isEmpty else { return value }
    switch value {
    case .string(let text): return .string(redacted(text))
    case .bytes(let bytes): return .bytes(redacted(bytes))
    case .array(let list): return .array(list.map(redacted))
    case .object(let object): return .object(redacted(object))
    case .integer(let number): return name(of: number).map(shown) ?? value
    case .number(let number): return name(of: number).map(shown) ?? value
    case .null, .bool: return value
    }
  }

  private func shown(_ name: String) -> Value { .string("\(Self.mark)\(name)]") }

  /// Redacts the object's keys and values. If two keys become equal, only the first is kept.
  package func redacted(_ object: ValueObject) -> ValueObject {
    guard !isEmpty else { return object }
    var result = ValueObject()
    var keys = Set<ExactText>()
    for (key, value) in object.members {
      let shown = redacted(key)
      guard keys.insert(ExactText(shown)).inserted else { continue }
      result.append(shown, redacted(value))
    }
    return result
  }

  package func redacted(_ item: ParsedItem) -> ParsedItem {
    guard !isEmpty else { return item }
    var item = item
    for field in [
      \ParsedItem.id, \.title, \.url, \.published, \.updated, \.author, \.summary, \.content,
    ] { item[keyPath: field] = item[keyPath: field].map(redacted) }
    item.tags = item.tags.map(redacted)
    item.fields = redacted(item.fields)
    return item
  }

  package func redacted(_ failure: Failure) -> Failure {
    guard !isEmpty else { return failure }
    var failure = failure
    failure.message = redacted(failure.message)
    failure.file = failure.file.map(redacted)
    failure.traceback = failure.traceback.map(redacted)
    return failure
  }

  package func redacted(_ line: LogLine) -> LogLine {
    isEmpty ? line : LogLine(line.level, redacted(line.message))
  }
}
