/// A guess at the encoding of a text that is not valid UTF-8, if no label decides the encoding.
///
/// The candidates are encodings. A candidate's cost shows how unlikely the bytes beyond ASCII are
/// as text of the candidate's languages. ASCII bytes near bytes beyond ASCII count, too.
/// Windows-1252 is preferred unless another candidate has a clearly lower cost. The remembered
/// guess for an earlier text of the source is preferred unless another candidate has a much lower
/// cost. If the text is more likely UTF-8 with some invalid bytes, the guess is UTF-8.
struct EncodingGuess {
  /// The approximate maximum number of bytes beyond ASCII whose cost is computed. These bytes
  /// suffice for a guess.
  private static let sampleBytesMax = 8192

  // Costs and leads are in half bits, like the costs of `LetterModel`.
  /// The lead over windows-1252 that another Latin encoding must exceed, unless that encoding is
  /// rarely used or remembered. The lead is the amount by which the cost in windows-1252 is higher.
  private static let latinLeadMin = 8
  /// The lead that replaces `latinLeadMin` if no two bytes beyond ASCII are adjacent, as in most
  /// western texts.
  private static let leadWithoutRunsMin = 12
  /// The minimum lead of a rarely used encoding.
  private static let rareLeadMin = 50
  /// The minimum lead of an encoding of a script other than Latin.
  private static let scriptLeadMin = 30
  /// The minimum lead of an encoding over the remembered encoding.
  private static let leadOverRememberedMin = 120
  /// The cost of the first damaged place in UTF-8. `furtherDamageCost` is the cost of each further
  /// place. `faultCost` is the cost of each further invalid sequence at a place.
  private static let damageCost = 40
  private static let furtherDamageCost = 70
  private static let faultCost = 15
  /// The cost of the assumption that a text in a Latin encoding contains valid UTF-8 by accident.
  private static let accidentCost = 60
  /// The maximum cost of the text in the most likely other encoding, for each invalid UTF-8
  /// sequence. If the cost is higher, the text counts as damaged UTF-8, unless that encoding is
  /// remembered. This applies to a text with one damaged place and no valid sequence beyond ASCII.
  private static let costPerFaultMax = 42

  let bytes: UnsafeRawBufferPointer
  let census: UTF8Repair.Census
  let isSaidUTF8: Bool
  /// The encoding that was guessed for an earlier text of the source; nil if none is remembered.
  let remembered: CharacterEncoding?

  private struct Verdict {
    var encoding: CharacterEncoding
    var cost: Int
    var leadMin = 0
  }

  var encoding: CharacterEncoding {
    if census.validCount >= 4 * census.faultCount { return .utf8 }
    let pairs = BytePairs(bytes, bytesMax: Self.sampleBytesMax)
    let legacy = legacy(pairs)
    if legacy == remembered, census.validCount <= census.faultCount { return legacy }
    return isUTF8(pairs.withoutASCII, ratherThan: legacy) ? .utf8 : legacy
  }

  /// Whether damaged UTF-8 explains the bytes better than `legacy`, the most likely encoding other
  /// than UTF-8.
  private func isUTF8(_ pairs: BytePairs, ratherThan legacy: CharacterEncoding) -> Bool {
    guard let other = verdicts(pairs).first(where: { $0.encoding == legacy }) else { return false }
    guard census.validCount > 0 else {
      return census.damageCount == 1 && other.cost > Self.costPerFaultMax * census.faultCount
    }
    let isMost =
      census.validCount >= census.damageCount
      || isSaidUTF8 && census.validCount * 10 >= census.damageCount
    let accident = other.leadMin == Self.scriptLeadMin ? 0 : Self.accidentCost
    return isMost && utf8Cost <= other.cost + accident
  }

  private var utf8Cost: Int {
    census.validCost + Self.damageCost + (census.damageCount - 1) * Self.furtherDamageCost
      + (census.faultCount - census.damageCount) * Self.faultCost
  }

  /// Returns the candidates with their costs: first windows-1252, and then the other candidates in
  /// order of preference.
  private func verdicts(_ pairs: BytePairs) -> [Verdict] {
    let western = SingleByteCandidate.western
    let latinLead = pairs.hasRuns ? Self.latinLeadMin : Self.leadWithoutRunsMin
    let asciiCost = pairs.asciiCost
    return [Verdict(encoding: western.encoding, cost: western.cost(pairs))]
      + SingleByteCandidate.others.map {
        Verdict(
          encoding: $0.encoding, cost: $0.cost(pairs),
          leadMin: $0.isRare
            ? Self.rareLeadMin : $0.isLatin ? latinLead : Self.scriptLeadMin)
      }
      + MultiByteReading.all.map {
        Verdict(
          encoding: $0.encoding,
          cost: $0.cost(bytes, bytesMax: Self.sampleBytesMax) + asciiCost,
          leadMin: Self.scriptLeadMin)
      }
  }

  private func legacy(_ pairs: BytePairs) -> CharacterEncoding {
    let verdicts = verdicts(pairs)
    var best = verdicts[0]
    for other in verdicts where other.cost + other.leadMin < best.cost + best.leadMin {
      best = other
    }
    guard let remembered, let known = verdicts.first(where: { $0.encoding == remembered }) else {
      return best.encoding
    }
    return best.cost < known.cost - Self.leadOverRememberedMin ? best.encoding : remembered
  }
}
