/// Which hint moved a due time.
package enum SourceHint: String, Hashable, Sendable, CaseIterable {
  case ttl
  case updatePeriod
  case cacheLifetime
  case skipHours
  case skipDays

  var phrase: String {
    switch self {
    case .ttl: "the feed's ttl asks for that"
    case .updatePeriod: "the feed's sy:updatePeriod asks for that"
    case .cacheLifetime: "the last answer may be kept in caches until then"
    case .skipHours: "the feed's skipHours leave out the hours before"
    case .skipDays: "the feed's skipDays leave out the day before"
    }
  }
}
