import FetchValues

/// A mark `[secret NAME]` that replaces a secret in a text.
struct RedactionMark {
  let whole: Range<Int>
  let name: Range<Int>

  private static let start = Array(Redactor.mark.utf8)

  static func places(in bytes: [UInt8]) -> [RedactionMark] {
    var marks: [RedactionMark] = []
    var place = 0
    while let next = bytes[place...].firstIndex(of: UInt8(ascii: "[")) {
      let mark = mark(in: bytes, at: next)
      if let mark { marks.append(mark) }
      place = mark?.whole.upperBound ?? next + 1
    }
    return marks
  }

  /// Returns the names of the secrets whose marks are in an answer's headers or body.
  static func names(in answer: RecordedAnswer) -> Set<String> {
    let texts = answer.headers.map { Array($0.value.utf8) } + [answer.body.bytes]
    return Set(
      texts.flatMap { text in
        places(in: text).map { String(decoding: text[$0.name], as: UTF8.self) }
      })
  }

  private static func mark(in bytes: [UInt8], at place: Int) -> RedactionMark? {
    let rest = bytes[place...]
    guard rest.starts(with: start) else { return nil }
    let name = rest.dropFirst(start.count).prefix(SecretName.bytesMax).prefix(while: isOfName)
    let end = name.endIndex
    guard !name.isEmpty, end < bytes.count, bytes[end] == UInt8(ascii: "]") else { return nil }
    return RedactionMark(whole: place..<end + 1, name: name.indices)
  }

  private static func isOfName(_ byte: UInt8) -> Bool {
    byte.isASCIIDigit || byte.isASCIILetter || "-_.".utf8.contains(byte)
  }
}
