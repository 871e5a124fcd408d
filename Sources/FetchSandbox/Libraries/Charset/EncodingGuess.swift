/// A guess at the encoding of a document that names none and is not UTF-8, by how well what comes
/// out fits a language. nil means western European, which is how stray bytes are read anyway.
enum EncodingGuess {
  /// Bytes looked at: enough to tell, and little beside a parse.
  private static let sampleBytesMax = 16_384
  /// Fewer bytes beyond ASCII tell nothing.
  private static let highByteCountMin = 8

  static func guess(_ bytes: UnsafeRawBufferPointer) -> CharacterEncoding? {
    let sample = sample(bytes)
    guard sample.count >= highByteCountMin else { return nil }
    var best: (name: String, score: Double)?
    sample.withUnsafeBytes { sample in
      for candidate in candidates {
        let score = candidate.score(sample)
        if score > best?.score ?? 0.6 { best = (candidate.encoding, score) }
      }
    }
    return best.map { .other($0.name) }
  }

  /// The runs of bytes beyond ASCII with the byte behind each, which may be the second half of a
  /// character, and a blank between them. Runs of one byte are the accents of western languages.
  private static func sample(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    var sample: [UInt8] = []
    var index = 0
    while index < bytes.count, sample.count < sampleBytesMax {
      guard bytes[index] >= 0x80 else {
        index += 1
        continue
      }
      let start = index
      while index < bytes.count, bytes[index] >= 0x80 { index += 1 }
      let hasTail = index < bytes.count && bytes[index] >= 0x40
      if index - start > 1 || hasTail {
        sample += bytes[start..<index]
        if hasTail { sample.append(bytes[index]) }
        sample.append(0x20)
      }
    }
    return sample
  }

  private struct Candidate {
    let encoding: String
    /// A stricter encoding that the bytes must be of.
    var probe: String?
    /// Characters that make up most of a text in that language.
    let frequent: Set<Unicode.Scalar>
    let ranges: [ClosedRange<UInt32>]

    /// Which part of the characters beyond ASCII is frequent; 0 where the bytes are not of this
    /// encoding.
    func score(_ sample: UnsafeRawBufferPointer) -> Double {
      guard let text = CharsetDecoder.utf8(sample, from: .other(probe ?? encoding)) else {
        return 0
      }
      var all = 0
      var fitting = 0
      var faults = 0
      for scalar in String(decoding: text, as: UTF8.self).unicodeScalars where scalar.value >= 0x80
      {
        all += 1
        if scalar == "\u{FFFD}" || (0x80..<0xA0).contains(scalar.value) { faults += 1 }
        if frequent.contains(scalar) || ranges.contains(where: { $0.contains(scalar.value) }) {
          fitting += 1
        }
      }
      guard all > 0, faults * 20 < all else { return 0 }
      return Double(fitting) / Double(all)
    }
  }

  private static func candidate(
    _ encoding: String, _ frequent: String, _ ranges: [ClosedRange<UInt32>] = []
  ) -> Candidate {
    Candidate(encoding: encoding, frequent: Set(frequent.unicodeScalars), ranges: ranges)
  }

  private static let kana: [ClosedRange<UInt32>] = [0x3041...0x30FE, 0x3001...0x3002]
  private static let japanese = "日本人年大国会中出事者月上行分方時生見後前手気新同高部長場地合間"
  private static let russian = "оеаинтсрвлкмдпуяызьбгчйхж"

  /// In the order in which they are preferred where two fit as well. The Chinese characters are the
  /// most frequent ones in writing.
  private static let candidates: [Candidate] = [
    candidate("euc-jp", japanese, kana),
    candidate("ibm-943_P15A-2003", japanese, kana),
    // All of it fits the extended code of Windows, where nearly every pair of bytes is a syllable.
    Candidate(
      encoding: "windows-949-2000", probe: "euc-kr", frequent: [], ranges: [0xAC00...0xD7A3]),
    candidate("gb18030", simplified + "，。、：；！？“”《》（）"),
    candidate("windows-950-2000", traditional + "，。、：；！？「」《》（）"),
    candidate("windows-1251", russian),
    candidate("koi8-r", russian),
    candidate("iso-8859-5", russian),
    candidate("ibm-866", russian),
    candidate("windows-1253", "αοιετσνηυρκπμλςάόίέήύώωγθδ"),
    candidate("windows-1255", "יוהלאמרבשתנעםדקחפכגטזצסן"),
    candidate("windows-1256", "اليمنرتوهبدعسفكحقأجةىصشطخ"),
    candidate("windows-874-2000", "านรกอเงมยลวดทสตคหปบพแไใัิี่้ะถจชึูุโ์็ำผ"),
  ]

  private static let simplified =
    "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行"
    + "所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实日军者意无力"
    + "它与长把机十民第公此已工使情明性知全三又关点正业外将两高间由问很最重并物手应战向头文体政美相见被利什二等产"
    + "新己制身果加西斯月话合回特代内信表化老给世位次度门任常先海通教儿原东声提立及比员解水名真论处走义各入几口认"
    + "条平系气题活尔更别打女变四神总何电数安少报才结反受目太量再感建务做接必场件计管期市直德资命山金指克许统区保"
    + "至队形社便空决治展马科司五基眼书非则听白却界达光放强即像难且权思王象完设式色路记南品住告类求据程北边死张该"
    + "交规万取拉格望觉术领共确传师观清今切院让识候带导争运"

  private static let traditional =
    "的一是不了在人有我他這個們中來上大為和國地到以說時要就出會可也你對生能而子那得於著下自之年過發後作里用道行"
    + "所然家種事成方多經麼去法學如都同現當沒動面起看定天分還進好小部其些主樣理心她本前開但因只從想實日軍者意無力"
    + "它與長把機十民第公此已工使情明性知全三又關點正業外將兩高間由問很最重並物手應戰向頭文體政美相見被利什二等產"
    + "新己制身果加西斯月話合回特代內信表化老給世位次度門任常先海通教兒原東聲提立及比員解水名真論處走義各入幾口認"
    + "條平系氣題活爾更別打女變四神總何電數安少報才結反受目太量再感建務做接必場件計管期市直德資命山金指克許統區保"
    + "至隊形社便空決治展馬科司五基眼書非則聽白卻界達光放強即像難且權思王象完設式色路記南品住告類求據程北邊死張該"
    + "交規萬取拉格望覺術領共確傳師觀清今切院讓識候帶導爭運"
}
