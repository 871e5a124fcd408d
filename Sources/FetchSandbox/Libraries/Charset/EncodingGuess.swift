/// A guess at the encoding of a text that is not valid UTF-8 and names none.
///
/// Each candidate decodes the bytes beyond ASCII and computes their cost as text of its languages.
/// windows-1252 wins unless another candidate is clearly cheaper.
struct EncodingGuess {
  /// The bytes beyond ASCII that are read: enough for a verdict, and cheap next to a parse.
  private static let sampleBytesMax = 8192

  // Costs are in half bits, like those of `LetterModel`.
  /// How much cheaper than windows-1252 another Latin encoding must be.
  private static let latinLeadMin = 8
  /// The same if no two bytes beyond ASCII are adjacent, as in most western texts.
  private static let leadWithoutRunsMin = 12
  /// How much cheaper a rarely used encoding must be: one letter is not enough.
  private static let rareLeadMin = 50
  /// How much cheaper an encoding of another script must be.
  private static let scriptLeadMin = 30
  /// How much cheaper than the source's previous encoding another one must be.
  private static let leadOverRememberedMin = 120
  /// The cost of the first damaged place in UTF-8. The next two are the costs of each further
  /// place, and of each further fault at a place.
  private static let damageCost = 40
  private static let furtherDamageCost = 70
  private static let faultCost = 15
  /// The cost of valid UTF-8 by accident in a text of a Latin encoding.
  private static let accidentCost = 60
  /// The highest cost of a lone fault as text; if every encoding costs more, it is damage.
  private static let costPerFaultMax = 42

  let bytes: UnsafeRawBufferPointer
  let census: UTF8Repair.Census
  let isSaidUTF8: Bool
  /// The verdict on the source's previous text.
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

  /// Whether the bytes are more likely damaged UTF-8 than the likeliest other encoding.
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

  /// Returns windows-1252, then the others in order of preference.
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
