/// The month names in English and in other languages of feeds. Each name is recognised by its first
/// letters.
enum MonthNames {
  /// Returns the number of the month for a lower-case word that begins like a month name; nil for
  /// other words. The rest of the word is ignored, so `mardi` also gives 3.
  static func month(_ word: String) -> Int? {
    if let english = month(ascii: word) { return english }
    for (index, prefixes) in prefixes.enumerated() {
      for prefix in prefixes where word.utf8.starts(with: prefix.utf8) { return index + 1 }
    }
    return nil
  }

  private static func month(ascii word: String) -> Int? {
    switch String(word.prefix(3)) {
    case "jan": 1
    case "feb": 2
    case "mar": 3
    case "apr": 4
    case "may": 5
    case "jun": 6
    case "jul": 7
    case "aug": 8
    case "sep": 9
    case "oct": 10
    case "nov": 11
    case "dec": 12
    default: nil
    }
  }

  /// The beginnings of month names that do not begin like the English names. The names are German,
  /// French, Spanish, Italian, Portuguese, Dutch, Nordic, Polish, Turkish, Finnish, Greek,
  /// Hungarian and Russian.
  private static let prefixes: [[String]] = [
    ["jän", "ene", "gen", "sty", "oca", "tammi", "ιαν", "янв"],
    ["fév", "fev", "lut", "şub", "helmi", "φεβ", "фев"],
    ["mär", "mrt", "már", "maalis", "μαρ", "μάρ", "мар", "μαώ"],
    ["avr", "abr", "kwi", "nis", "huhti", "ápr", "απρ", "апр"],
    ["mai", "maj", "mei", "mag", "máj", "máu", "touko", "μαι", "μαϊ", "μάι", "μάϊ", "мая", "май"],
    ["juin", "giu", "cze", "haz", "kesä", "jún", "ιουν", "ιούν", "ιον", "июн"],
    ["juil", "lug", "lip", "tem", "heinä", "júl", "ιουλ", "ιούλ", "ιολ", "июл"],
    ["aoû", "aou", "ago", "sie", "ağu", "elo", "αυγ", "αύγ", "авг"],
    ["set", "wrz", "eyl", "syys", "sze", "σεπ", "сен"],
    ["okt", "ott", "out", "paź", "eki", "loka", "οκτ", "окт"],
    ["lis", "kas", "marras", "νοε", "νοέ", "ноя"],
    ["dez", "déc", "dic", "des", "gru", "ara", "joulu", "δεκ", "дек"],
  ]
}
