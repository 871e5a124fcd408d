/// An encoding with one byte per character, and the languages that use it.
struct SingleByteCandidate: Sendable {
  let encoding: CharacterEncoding
  let isLatin: Bool
  /// Whether the encoding is rarely used. A rare encoding needs a larger lead: see `EncodingGuess`.
  let isRare: Bool
  private let reading: SingleByteReading?
  /// The model of each language, and the number of each byte's letter in this model.
  private let models: [(model: LetterModel, numbers: [UInt8])]

  private init(_ name: String, _ models: [LetterModel], isRare: Bool = false) {
    encoding = .other(name)
    self.isRare = isRare
    isLatin = models.allSatisfy(\.isLatin)
    let reading = SingleByteReading(encoding)
    self.reading = reading
    self.models = models.map { ($0, reading?.numbers(in: $0) ?? []) }
  }

  /// Returns the cost of the byte pairs in the language that fits the pairs best.
  func cost(_ pairs: BytePairs) -> Int {
    guard let reading else { return Int.max / 2 }
    return models.map { reading.cost(pairs, $0.model, $0.numbers) }.min() ?? Int.max / 2
  }

  static let western = SingleByteCandidate("windows-1252", westernLanguages)

  private static let westernLanguages: [LetterModel] = [
    .english, .german, .french, .spanish, .portuguese, .italian, .dutch, .swedish, .danish,
    .norwegian,
    .finnish, .icelandic, .catalan, .galician, .basque, .albanian, .estonian, .irish, .welsh,
    .afrikaans,
  ]

  /// The candidates other than windows-1252, in order of preference.
  static let others: [SingleByteCandidate] = [
    SingleByteCandidate("windows-1250", central),
    SingleByteCandidate("iso-8859-2", central),
    // In Romanian texts, only quotes and the euro sign have different bytes in iso-8859-16,
    // windows-1250 and iso-8859-2.
    SingleByteCandidate("iso-8859-16", [.romanian, .polish, .hungarian, .croatian, .slovene]),
    SingleByteCandidate("windows-1257", baltic),
    SingleByteCandidate("iso-8859-13", baltic),
    SingleByteCandidate("iso-8859-4", baltic),
    SingleByteCandidate("iso-8859-10", baltic + [.icelandic]),
    SingleByteCandidate("iso-8859-15", [.french, .finnish, .estonian]),
    SingleByteCandidate("iso-8859-3", [.esperanto, .maltese]),
    SingleByteCandidate("windows-1254", [.turkish]),
    SingleByteCandidate("windows-1258", [.vietnamese]),
    SingleByteCandidate("macintosh", westernLanguages, isRare: true),
    SingleByteCandidate("windows-1251", cyrillic),
    SingleByteCandidate("koi8-r", [.russian]),
    SingleByteCandidate("koi8-u", [.ukrainian, .belarusian]),
    SingleByteCandidate("iso-8859-5", cyrillic),
    SingleByteCandidate("ibm-866", [.russian, .bulgarian]),
    SingleByteCandidate("x-mac-cyrillic", cyrillic),
    SingleByteCandidate("windows-1253", [.greek]),
    SingleByteCandidate("iso-8859-7", [.greek]),
    SingleByteCandidate("windows-1255", [.hebrew]),
    SingleByteCandidate("windows-1256", [.arabic, .persian]),
    SingleByteCandidate("iso-8859-6", [.arabic]),
    SingleByteCandidate("windows-874-2000", [.thai]),
  ]

  private static let central: [LetterModel] = [
    .polish, .czech, .slovak, .hungarian, .romanian, .croatian, .slovene,
  ]
  private static let baltic: [LetterModel] = [.lithuanian, .latvian, .estonian]
  private static let cyrillic: [LetterModel] = [
    .russian, .ukrainian, .bulgarian, .serbian, .macedonian, .belarusian,
  ]
}
