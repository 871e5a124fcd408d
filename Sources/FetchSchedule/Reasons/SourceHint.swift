/// The kind of hint that moved a due time.
package enum SourceHint: String, Hashable, Sendable, CaseIterable {
  case ttl
  case updatePeriod
  case cacheLifetime
  case skipHours
  case skipDays

  /// The words that follow "due at 10:00 because" in a sentence.
  var phrase: String {
    switch self {
    case .ttl: "of the feed's ttl"
    case .updatePeriod: "of the feed's sy:updatePeriod"
    case .cacheLifetime: "caches may keep the last answer until then"
    case .skipHours: "the feed's skipHours exclude the hours before it"
    case .skipDays: "the feed's skipDays exclude the day before it"
    }
  }
}
