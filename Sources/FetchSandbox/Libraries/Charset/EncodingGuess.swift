/// A guess at the encoding of a text that is not valid UTF-8 and names none.
///
/// Each candidate reads the bytes beyond ASCII and says what the result would cost as text of a
/// language that is written in it. windows-1252 wins unless another candidate is clearly cheaper.
struct EncodingGuess {
  /// Bytes beyond ASCII looked at: enough to tell, and little beside a parse.
  private static let sampleBytesMax = 8192

  // Half bits, as the costs of `LetterModel`.
  /// How much cheaper than windows-1252 another Latin encoding must be.
  private static let latinLeadMin = 8
  /// The same where no two bytes beyond ASCII stand side by side, as in most western texts.
  private static let leadWithoutRunsMin = 12
  /// How much cheaper an encoding must be in which hardly a text is: more than one letter tells.
  private static let rareLeadMin = 50
  /// How much cheaper an encoding of another script must be.
  private static let scriptLeadMin = 30
  /// How much cheaper than the source's encoding of last time another one must be.
  private static let leadOverRememberedMin = 120
  /// Of the first place that is no UTF-8 in a text that is, of each other one, and of each further
  /// fault there.
  private static let damageCost = 40
  private static let furtherDamageCost = 70
  private static let faultCost = 15
  /// That text of a Latin encoding happens to have valid UTF-8.
  private static let accidentCost = 60
  /// Where a lone fault costs more than this in every encoding, it is no text but damage.
  private static let costPerFaultMax = 42

  let bytes: UnsafeRawBufferPointer
  let census: UTF8Repair.Census
  let isSaidUTF8: Bool
  /// The verdict on the source's last text.
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

  /// Whether the bytes are damaged UTF-8 rather than of the likeliest other encoding.
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

  /// windows-1252, then the others in the order in which they are preferred.
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
