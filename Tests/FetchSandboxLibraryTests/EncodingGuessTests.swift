import FetchSandbox
import FetchValues
import Foundation
import Glibc
import Testing

/// Tests of guesses of encodings without a declaration. `Texts` has one text for each of 27
/// languages, written for these tests. The letter models of the guess were counted on other texts.
@Suite struct EncodingGuessTests {
  /// A text in an encoding, with iconv's name of the encoding.
  struct Sample: Sendable, CustomTestStringConvertible {
    var encoding: String
    var language: String
    /// The number of pieces that uchardet 0.0.7 guesses right. `isWholeRight` is whether uchardet
    /// guesses the whole text right.
    var pieceCountMin: Int
    var isWholeRight: Bool

    var testDescription: String { "\(language) in \(encoding)" }
  }

  static let samples: [Sample] = [
    ("CP1252", "German", 28, true),
    ("CP1252", "French", 31, true),
    ("CP1252", "Spanish", 27, true),
    ("CP1252", "Portuguese", 29, true),
    ("CP1252", "Italian", 8, true),
    ("CP1252", "Swedish", 32, true),
    ("CP1252", "Danish", 25, true),
    ("CP1252", "Finnish", 27, true),
    ("CP1252", "Icelandic", 12, false),
    ("CP1250", "Polish", 28, true),
    ("CP1250", "Czech", 32, true),
    ("CP1250", "Hungarian", 34, true),
    ("CP1250", "Romanian", 11, false),
    ("ISO-8859-2", "Polish", 27, true),
    ("ISO-8859-2", "Czech", 32, true),
    ("ISO-8859-2", "Hungarian", 34, true),
    ("ISO-8859-2", "Romanian", 11, false),
    ("ISO-8859-16", "Romanian", 32, true),
    ("ISO-8859-16", "Polish", 26, true),
    ("ISO-8859-16", "Hungarian", 31, false),
    ("MACINTOSH", "German", 0, false),
    ("MACINTOSH", "French", 2, false),
    ("MACINTOSH", "Spanish", 11, false),
    ("MACINTOSH", "Portuguese", 6, false),
    ("MACINTOSH", "Italian", 0, false),
    ("MACINTOSH", "Swedish", 1, false),
    ("MACINTOSH", "Danish", 0, false),
    ("MACINTOSH", "Finnish", 0, false),
    ("MACINTOSH", "Icelandic", 2, false),
    ("CP1257", "Lithuanian", 29, false),
    ("ISO-8859-13", "Lithuanian", 31, true),
    ("CP1254", "Turkish", 32, true),
    ("CP1258", "Vietnamese", 29, true),
    ("CP1251", "Russian", 31, true),
    ("CP1251", "Ukrainian", 35, true),
    ("CP1251", "Bulgarian", 34, true),
    ("KOI8-R", "Russian", 33, true),
    ("KOI8-U", "Ukrainian", 2, false),
    ("ISO-8859-5", "Russian", 33, true),
    ("ISO-8859-5", "Bulgarian", 34, true),
    ("CP866", "Russian", 33, true),
    ("CP1253", "Greek", 33, true),
    ("ISO-8859-7", "Greek", 33, true),
    ("CP1255", "Hebrew", 25, true),
    ("ISO-8859-8", "Hebrew", 25, true),
    ("CP1256", "Arabic", 29, true),
    ("ISO-8859-6", "Arabic", 29, true),
    ("CP874", "Thai", 58, true),
    ("CP932", "Japanese", 32, true),
    ("EUC-JP", "Japanese", 31, true),
    ("ISO-2022-JP", "Japanese", 32, true),
    ("GB18030", "SimplifiedChinese", 26, true),
    ("BIG5-HKSCS", "TraditionalChinese", 26, true),
    ("CP949", "Korean", 17, true),
  ].map { Sample(encoding: $0.0, language: $0.1, pieceCountMin: $0.2, isWholeRight: $0.3) }

  @Test(arguments: samples) func `an encoding without a declaration is guessed`(
    sample: Sample
  ) throws {
    let text = try EncodedText(sample.language, in: sample.encoding)
    #expect(try text.isSame(read(text.bytes(of: text.whole)), text.whole))
    let pieces = text.pieces
    let rightCount = try pieces.count { try text.isSame(read(text.bytes(of: $0)), $0) }
    let isWestern = sample.encoding == "CP1252"
    #expect(rightCount >= (isWestern ? pieces.count : sample.pieceCountMin))
  }

  @Test(arguments: samples.filter { $0.encoding == "CP1252" })
  func `windows-1252 labelled as UTF-8 is read as windows-1252`(sample: Sample) throws {
    let text = try EncodedText(sample.language, in: sample.encoding)
    for piece in text.pieces + [text.whole] {
      #expect(try read(text.bytes(of: piece), declared: "utf-8") == piece)
    }
  }

  @Test(arguments: Set(samples.map(\.language)).sorted())
  func `UTF-8 with one bad byte stays UTF-8, declared or not`(language: String) throws {
    let text = try EncodedText(language, in: "UTF-8")
    // Only every third title is tested, because a parse for each invalid byte would take too long.
    let pieces = text.pieces.enumerated().filter { $0.offset % 3 == 0 }.map(\.element)
    for piece in pieces + [text.whole] {
      for (bad, place) in [(UInt8(0xFF), 3), (0x80, 5), (0xE9, 7), (0xC3, 11)] {
        var bytes = Array(piece.utf8)
        bytes.insert(bad, at: min(place, bytes.count - 1))
        let expected = String(decoding: bytes, as: UTF8.self)
        guard expected.unicodeScalars.contains(where: { $0.value >= 0x80 && $0 != "\u{FFFD}" })
        else { continue }
        #expect(try read(bytes) == expected)
        #expect(try read(bytes, declared: "utf-8") == expected)
      }
    }
  }

  /// Texts with rare letters and punctuation of windows-1252. Bytes of these texts are other
  /// letters in the Macintosh encoding.
  @Test(arguments: [
    "Miloš Forman and Slavoj Žižek talk about Škvorecký",
    "Beneš, Dubček’s friend Šik, and Aleš — a film by Žilnik",
    "Der Trainer Šime Vrsaljko wechselt zu Čilić’ Verein",
    "Le cœur a ses raisons… L’œuvre de Ÿ", "“Don’t” — he said … “won’t” – €5",
    "El señor Šarić dijo: «¿Qué?» – y no más…", "naïve café", "Žižek", "Smith’s š",
  ])
  func `rare letters of windows-1252 do not suggest the Macintosh encoding`(text: String) throws {
    let sample = String(text.map { "čČćĆě".contains($0) ? "c" : $0 })
    let bytes = try #require(try EncodedText.bytes(of: sample, "CP1252"))
    #expect(try read(bytes) == sample)
  }

  private func read(_ title: [UInt8], declared: String? = nil) throws -> String? {
    let declaration = declared.map { " encoding=\"\($0)\"" } ?? ""
    let head = "<?xml version=\"1.0\"\(declaration)?><rss><channel><item><title>"
    let document = Array(head.utf8) + title + Array("</title></item></channel></rss>".utf8)
    return try parse(document).items.first?.title
  }
}

/// A text of `Texts`, without the characters that the encoding lacks.
struct EncodedText {
  let whole: String
  private let encoding: String
  private static let pieceCharacterCount = 40
  private static let unspacedCharacterCount = 16

  init(_ language: String, in encoding: String) throws {
    self.encoding = encoding
    let path =
      String(#filePath.dropLast("EncodingGuessTests.swift".count)) + "Texts/\(language).txt"
    let text = try String(contentsOfFile: path, encoding: .utf8)
      .trimmingCharacters(in: .newlines).replacing("\n", with: " ").map {
        encoding == "ISO-8859-16" ? Self.withComma[$0] ?? $0 : $0
      }
    whole = try String(text.map { try Self.bytes(of: String($0), encoding) == nil ? "-" : $0 })
  }

  /// Letters with a comma in ISO-8859-16. At their places, ISO-8859-2 and windows-1250 have letters
  /// with a cedilla.
  private static let withComma: [Character: Character] = ["ş": "ș", "ţ": "ț", "Ş": "Ș", "Ţ": "Ț"]

  /// Whether a text was read correctly, ignoring the mark below an s or a t.
  func isSame(_ read: String?, _ text: String) -> Bool {
    guard encoding == "ISO-8859-16", let read else { return read == text }
    return String(read.map { Self.withComma[$0] ?? $0 }) == text
  }

  /// The titles that have a byte beyond ASCII or an escape.
  var pieces: [String] {
    Self.cut(whole).filter { piece in
      let bytes = (try? bytes(of: piece)) ?? []
      return bytes.contains { $0 >= 0x80 || $0 == 0x1B }
    }
  }

  func bytes(of text: String) throws -> [UInt8] { try #require(try Self.bytes(of: text, encoding)) }

  private static func cut(_ text: String) -> [String] {
    let words = text.split(separator: " ")
    guard words.count * 20 >= text.count else {
      let characters = Array(words.joined().unicodeScalars)
      return stride(from: 0, to: characters.count, by: unspacedCharacterCount).map {
        let piece = characters[$0..<min($0 + unspacedCharacterCount, characters.count)]
        return String(String.UnicodeScalarView(piece))
      }
    }
    var pieces: [String] = []
    var piece = ""
    for word in words {
      if !piece.isEmpty, piece.count + word.count >= pieceCharacterCount {
        pieces.append(piece)
        piece = ""
      }
      piece += (piece.isEmpty ? "" : " ") + word
    }
    return pieces + [piece]
  }

  /// Encodes with the system's converter, so that fetchrun's tables are not compared with
  /// themselves. Returns nil if the encoding lacks a character.
  fileprivate static func bytes(of text: String, _ encoding: String) throws -> [UInt8]? {
    let converter = try #require(iconv_open(encoding, "UTF-8"))
    defer { iconv_close(converter) }
    var input = text.utf8.map { CChar(bitPattern: $0) }
    var output = [CChar](repeating: 0, count: input.count * 3 + 16)
    let capacity = output.count
    return input.withUnsafeMutableBufferPointer { input in
      output.withUnsafeMutableBufferPointer { output in
        var (from, to) = (input.baseAddress, output.baseAddress)
        var (inputLeft, outputLeft) = (input.count, capacity)
        guard iconv(converter, &from, &inputLeft, &to, &outputLeft) == 0,
          iconv(converter, nil, nil, &to, &outputLeft) == 0
        else { return nil }
        return output.prefix(capacity - outputLeft).map { UInt8(bitPattern: $0) }
      }
    }
  }
}
