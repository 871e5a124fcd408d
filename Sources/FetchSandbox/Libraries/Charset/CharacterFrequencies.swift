/// The costs of the most frequent characters of Chinese, Japanese and Korean.
extension MultiByteReading {
  static func costs(of language: Language) -> [Unicode.Scalar: Int] {
    switch language {
    case .japanese: japanese
    case .korean: korean
    case .simplified: simplified
    case .traditional: traditional
    }
  }

  private static let japanese = costs([(9, kana), (12, japaneseMarks)], ranked: kanji)
  private static let korean = costs([(14, "，“”‘’·…")], ranked: syllables)
  private static let simplified = costs([(10, chineseMarks), (12, "“”‘’…")], ranked: simplifiedHan)
  private static let traditional = costs([(10, chineseMarks + "「」")], ranked: traditionalHan)

  /// Returns the costs of characters in half bits. The cost of a character in `ranked` follows from
  /// its rank, and each group gives the cost of its characters.
  private static func costs(
    _ groups: [(Int, String)], ranked: String
  ) -> [Unicode.Scalar: Int] {
    var costs: [Unicode.Scalar: Int] = [:]
    for (rank, scalar) in ranked.unicodeScalars.enumerated()
    where costs[scalar] == nil {
      costs[scalar] = rank < 50 ? 14 : rank < 150 ? 17 : 20
    }
    for (cost, scalars) in groups {
      for scalar in scalars.unicodeScalars { costs[scalar] = cost }
    }
    return costs
  }

  private static let kana = "のにはをたがでてとしれさいもなすかるりこらく"
  private static let japaneseMarks = "、。「」・ー！？（）ンスルトリイラ"
  private static let chineseMarks = "，。、：；！？《》（）"

  private static let kanji =
    "日一国年大会人本月長三時中事出政行生東二上分民金自社市議方学業前合間新内同員見地後手部立高発代党気場者明外"
    + "回動対理関今五化体全経済的定通力法問題主家作現世目下度小用米当取北所言思意正女期不子保実数教和水山公最入"
    + "予開来県制産物治報要戦表平成変野決重連話資電車選受組投調書強入都京知機工交百万円初約円株位別信心機能進点"
    + "活設記運続院女住安原特西南町村区道文化料点必界空件売価税確情統加参引海使指示首相使次支援病気画像天然無料"
    + "映音楽食品店買配送名検索案内利用登録第四六七八九十何私身先男元気持向結果直近半説共感語英元口死軍計画番組"
    + "被害災震避難者火災警察逮捕容疑事故裁判決勝負試打球団監督選手権夏春秋冬花森川島田藤鈴佐木愛知神奈埼玉千葉"

  private static let syllables =
    "이다는에을의가고하지로한은기도사리어자서를시해인들그대나있정수일아보만라스부것전으상제장여주구원동조게과성비"
    + "안유오경국적공소위된선미없화했연년세할면신우개무방관것와습니생진실중계모마거저물회음때말재같내더외문용학치행결발"
    + "당되새간번터단히영트분강양민업크차드입요교명산김까속예직남금력불버추러건월후술레심통호체품역운토론르족복반"
    + "프급현작준집처최파울출두본점박감태박잘편니살달또던람찾걸청법군려북타임식바배야왔며알각열길투권등류뉴석"

  private static let simplifiedHan =
    "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行"
    + "所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实日军者意无力"
    + "它与长把机十民第公此已工使情明性知全三又关点正业外将两高间由问很最重并物手应战向头文体政美相见被利什二等产"
    + "新己制身果加西斯月话合回特代内信表化老给世位次度门任常先海通教儿原东声提立及比员解水名真论处走义各入几口认"
    + "条平系气题活尔更别打女变四神总何电数安少报才结反受目太量再感建务做接必场件计管期市直德资命山金指克许统区保"
    + "至队形社便空决治展马科司五基眼书非则听白却界达光放强即像难且权思王象完设式色路记南品住告类求据程北边死张该"
    + "交规万取拉格望觉术领共确传师观清今切院让识候带导争运"

  private static let traditionalHan =
    "的一是不了在人有我他這個們中來上大為和國地到以說時要就出會可也你對生能而子那得於著下自之年過發後作里用道行"
    + "所然家種事成方多經麼去法學如都同現當沒動面起看定天分還進好小部其些主樣理心她本前開但因只從想實日軍者意無力"
    + "它與長把機十民第公此已工使情明性知全三又關點正業外將兩高間由問很最重並物手應戰向頭文體政美相見被利什二等產"
    + "新己制身果加西斯月話合回特代內信表化老給世位次度門任常先海通教兒原東聲提立及比員解水名真論處走義各入幾口認"
    + "條平系氣題活爾更別打女變四神總何電數安少報才結反受目太量再感建務做接必場件計管期市直德資命山金指克許統區保"
    + "至隊形社便空決治展馬科司五基眼書非則聽白卻界達光放強即像難且權思王象完設式色路記南品住告類求據程北邊死張該"
    + "交規萬取拉格望覺術領共確傳師觀清今切院讓識候帶導爭運"
}
