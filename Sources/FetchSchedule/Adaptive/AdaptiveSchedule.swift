package import FetchModel
package import FetchValues

/// The rule that computes the next due time of a job with `interval: adaptive`.
package struct AdaptiveSchedule: Sendable {
  /// The job's name. The random part of the back-off is derived from the name.
  package var job: JobName
  package var bounds: AdaptiveBounds
  package var hints: SourceHints
  /// The weight of waiting for the job's items; 1 for most jobs.
  package var priority: Double
  /// The times at which the user usually reads; nil if they do not influence the due times.
  package var usage: UsageProfile?
  package var clock: WeekClock
  package var jitter = Jitter()

  package init(
    job: JobName, bounds: AdaptiveBounds = AdaptiveBounds(), hints: SourceHints = SourceHints(),
    priority: Double = 1, usage: UsageProfile? = nil, clock: WeekClock = WeekClock()
  ) {
    self.job = job
    self.bounds = bounds
    self.hints = hints
    self.priority = min(max(priority, 0.01), 100)
    self.usage = usage
    self.clock = clock
  }

  static let placesPerInterval = 8
  static let intervals = 8
  static let refinements = 16
  /// The part of a feed's items, in 0...1, that may be replaced by new items before the next fetch
  /// is due: see `windowFull`.
  static let windowShare = 0.6
  private static let windowSteps = 16

  /// Returns the next due time after the last run, and records in `shared` how many requests the
  /// job needs now.
  package func next(
    _ state: inout AdaptiveState, shared: inout AdaptiveShared, now: Double
  ) -> AdaptiveDecision {
    let forecast = state.forecast(pool: shared.pool, clock: clock)
    return next(&state, forecast, shared: &shared, now: now)
  }

  /// Computes a due time quickly, without a plan. The interval follows from the square-root law:
  /// see `AdaptiveReason.nominalInterval`. Bounds and hints apply, but the source's weekly pattern
  /// is ignored. Also returns the hint that moved the due time; nil if no hint moved it.
  package func nextByRate(
    _ known: AdaptiveRate, shared: AdaptiveShared, now: Double
  ) -> (dueAt: Double, hint: SourceHint?) {
    hinted(now + pace(known, shared: shared, now: now).interval, known, now: now)
  }

  /// Returns the interval that follows from the square-root law, within the bounds. Also returns
  /// the price of a request, from which the interval was computed. Both values are in seconds.
  package func pace(
    _ known: AdaptiveRate, shared: AdaptiveShared, now: Double
  ) -> (interval: Double, price: Double) {
    let price = price(at: now, shared.price)
    let nominal = nominal(price, itemsPerSecond: known.itemsPerSecond)
    return (min(max(nominal, bounds.intervalMin), bounds.intervalMax), price)
  }

  /// Returns the earliest time at which the job may use unspent budget for a request. `now` is the
  /// time of the job's last run, which succeeded.
  package func earliest(_ known: AdaptiveRate, now: Double) -> Double {
    hinted(now + bounds.intervalMin, known, now: now).dueAt
  }

  /// Returns the maximum delay of the back-off in seconds, and whether the source began to fail
  /// less than a day ago. Returns nil if the last run did not fail. The server's Retry-After is
  /// ignored.
  package func retry(
    _ state: AdaptiveState, shared: AdaptiveShared, now: Double
  ) -> (delayMax: Double, isYoung: Bool)? {
    guard let since = state.failingSince else { return nil }
    let failingFor = max(0, now - since)
    let price = price(at: now, shared.price)
    let pace = nominal(price, itemsPerSecond: state.itemsPerSecond)
    return (
      Backoff.adaptiveCeiling(failingFor: failingFor, pace: pace),
      Backoff.isYoung(failingFor: failingFor)
    )
  }

  /// Returns the time of the next retry of a failing source: the end of the back-off, or of the
  /// server's Retry-After if that is later. Returns nil if the last run did not fail.
  package func nextTry(_ state: AdaptiveState, shared: AdaptiveShared, now: Double) -> Double? {
    guard state.failures > 0 else { return nil }
    let price = price(at: now, shared.price)
    let interval = nominal(price, itemsPerSecond: state.itemsPerSecond)
    return max(backedOff(state, interval: interval, now: now), state.retryAt ?? now)
  }

  private func backedOff(_ state: AdaptiveState, interval: Double, now: Double) -> Double {
    now
      + Backoff.adaptiveDelay(
        failures: state.failures, failingFor: max(0, now - (state.failingSince ?? now)),
        pace: interval, chance: jitter.fraction(job: job, count: Int64(state.runs)))
  }

  private func nominal(_ price: Double, itemsPerSecond: Double) -> Double {
    (2 * price / (max(itemsPerSecond, 1e-9) * priority)).squareRoot()
  }

  /// Returns `due`, or the later time to which a believed hint of the source moves it. Also returns
  /// this hint; nil if no hint moved the time.
  private func hinted(
    _ due: Double, _ known: AdaptiveRate, now: Double
  ) -> (dueAt: Double, hint: SourceHint?) {
    guard hints != SourceHints() else { return (due, nil) }
    let later = hints.believed(itemsPerSecond: known.shownItemsPerSecond)
      .later(than: Timestamp(unixSeconds: due), answeredAt: Timestamp(unixSeconds: now))
    return later.hint == nil ? (due, nil) : (later.at.unixSeconds, later.hint)
  }

  package func next(
    _ state: inout AdaptiveState, _ forecast: some ItemForecast, shared: inout AdaptiveShared,
    now: Double
  ) -> AdaptiveDecision {
    ask(&state, forecast, &shared)
    return next(state, forecast, prices: shared.prices(), now: now)
  }

  private func ask(
    _ state: inout AdaptiveState, _ forecast: some ItemForecast, _ shared: inout AdaptiveShared
  ) {
    var asked = [Double](repeating: 0, count: AdaptiveShared.hourCount)
    for kind in 0..<2 {
      for hour in 0..<24 {
        var factor = 0.0
        for day in kind == 0 ? 0..<5 : 5..<7 { factor += forecast.hourly[day * 24 + hour] }
        // The demand ignores the user's reading hours, because plans move fetches to times before
        // these hours.
        factor *= priority / (kind == 0 ? 5 : 2) * forecast.itemsPerSecond / 2
        asked[kind * 24 + hour] = factor.squareRoot()
      }
    }
    let demand = DemandLevels(asked)
    shared.replace(state.demand, by: demand)
    state.demand = demand
  }

  package func next(
    _ state: AdaptiveState, _ forecast: some ItemForecast, prices: [Double], now: Double
  ) -> AdaptiveDecision {
    let price = price(prices, at: now)
    let rate = max(forecast.itemsPerSecond, 1e-9)
    let nominal = nominal(price, itemsPerSecond: rate)
    var reason = AdaptiveReason(
      rule: .plan, itemsPerDay: rate * WeekClock.daySeconds, price: price, weight: priority,
      hourFactor: 1, nominalInterval: nominal)
    if state.failures > 0 { return afterFailure(state, reason, now: now) }

    let interval = min(max(nominal, bounds.intervalMin), bounds.intervalMax)
    let planned = plan(forecast, prices: prices, interval: interval, now: now)
    var due = planned
    func rule(_ rule: AdaptiveReason.Rule, _ time: Double) { (reason.rule, due) = (rule, time) }
    if due > now + bounds.intervalMax { rule(.intervalMax, now + bounds.intervalMax) }
    if let full = windowFull(state, forecast, now: now, before: due) { rule(.window, full) }
    if due < now + bounds.intervalMin { rule(.intervalMin, now + bounds.intervalMin) }
    let bound = AdaptiveBound(rawValue: reason.rule.rawValue)
    let (hintedAt, hint) = hinted(due, state.publication, now: now)
    let chosenAt = hint == nil ? nil : due
    if hint != nil { rule(.hint, hintedAt) }
    reason.weight = priority * (usage?.weight(at: clock.secondOfWeek(due)) ?? 1)
    reason.hourFactor = forecast.hourly[clock.hourOfWeek(due)]
    return AdaptiveDecision(
      dueAt: due, hint: hint, chosenAt: chosenAt, bound: bound, reason: reason)
  }

  private func afterFailure(
    _ state: AdaptiveState, _ reason: AdaptiveReason, now: Double
  ) -> AdaptiveDecision {
    var reason = reason
    reason.rule = .backoff
    var due = backedOff(state, interval: reason.nominalInterval, now: now)
    if let retryAt = state.retryAt, retryAt > due { (reason.rule, due) = (.retryAfter, retryAt) }
    return AdaptiveDecision(dueAt: due, reason: reason)
  }

  /// Returns the price of a request at a time, interpolated between the middles of the hours.
  private func price(_ prices: [Double], at time: Double) -> Double {
    price(at: time) { prices[$0] }
  }

  /// Returns the same price. `priceOfHour` gives the elements of `AdaptiveShared.prices`.
  private func price(at time: Double, _ priceOfHour: (Int) -> Double) -> Double {
    let second = clock.secondOfWeek(time)
    let place = second / 3600 - 0.5
    let below = place.rounded(.down)
    let share = place - below
    func at(_ hour: Int) -> Double {
      priceOfHour(
        AdaptiveShared.index(hourOfWeek: (hour + WeekClock.weekHours) % WeekClock.weekHours))
    }
    return at(Int(below)) * (1 - share) + at(Int(below) + 1) * share
  }

  private func weight(from start: Double, to end: Double) -> Double {
    priority * (usage?.integral(from: start, to: end, clock: clock) ?? end - start)
  }

  private func plan(
    _ forecast: some ItemForecast, prices: [Double], interval: Double, now: Double
  ) -> Double {
    let count = Self.placesPerInterval * Self.intervals
    let step = step(
      forecast, price: price(prices, at: now), places: Double(count), interval: interval, now: now)
    var items = [Double](repeating: 0, count: count + 1)
    var weights = items
    var costs = items
    for place in 1...count {
      let start = now + step * Double(place - 1)
      items[place] = items[place - 1] + forecast.items(from: start, to: start + step)
      weights[place] = weights[place - 1] + weight(from: start, to: start + step)
      costs[place] = price(prices, at: start + step)
    }
    let plan = FetchPlan(
      items: items, weights: weights, prices: costs,
      apart: Int((bounds.intervalMin / step).rounded(.up)), tail: Self.placesPerInterval,
      upkeep: 2 * costs[count] / Double(Self.placesPerInterval))
    guard let first = plan.fetches.first else { return now + interval }
    guard plan.fetches.count >= 2 else { return now + step * Double(first) }
    let second = plan.fetches[1]
    return refine(
      forecast, prices, now: now, step: step, first: first,
      gain: weights[second] - weights[first], items: items)
  }

  /// Returns the length of a step on the plan's time grid. The step is doubled until the
  /// square-root law allows two fetches within the plan, or the plan reaches the maximum interval.
  /// A shorter plan would end with a useless fetch.
  private func step(
    _ forecast: some ItemForecast, price: Double, places: Double, interval: Double, now: Double
  ) -> Double {
    var step = interval / Double(Self.placesPerInterval)
    while step * places < bounds.intervalMax,
      forecast.items(from: now, to: now + step * places) * step * places / 2 * priority
        < 4 * price
    { step *= 2 }
    return step
  }

  /// Returns the cheapest time near the plan's first fetch, using a finer grid. The time of the
  /// second fetch stays fixed.
  private func refine(
    _ forecast: some ItemForecast, _ prices: [Double], now: Double, step: Double, first: Int,
    gain: Double, items: [Double]
  ) -> Double {
    let start = now + step * Double(first - 1)
    let fine = 2 * step / Double(Self.refinements)
    var sum = items[first - 1]
    // The weight of waiting from the candidate time until the second fetch.
    var left = gain + weight(from: start, to: start + step)
    var best = price(prices, at: start) - sum * left
    var time = start
    for place in 1...Self.refinements {
      let at = start + fine * Double(place)
      sum += forecast.items(from: at - fine, to: at)
      left -= weight(from: at - fine, to: at)
      let cost = price(prices, at: at) - sum * left
      if cost < best { (best, time) = (cost, at) }
    }
    return time
  }

  /// Returns the time at which the expected new items fill `windowShare` of the feed. Later, the
  /// feed could drop items before they are fetched. Returns nil if this time is not before `due`,
  /// or if the size of the feed is unknown.
  private func windowFull(
    _ state: AdaptiveState, _ forecast: some ItemForecast, now: Double, before due: Double
  ) -> Double? {
    let room = Self.windowShare * Double(state.window)
    guard room > 0, forecast.items(from: now, to: due) > room else { return nil }
    let step = (due - now) / Double(Self.windowSteps)
    var sum = 0.0
    for place in 1...Self.windowSteps {
      let at = now + step * Double(place)
      let items = forecast.items(from: at - step, to: at)
      sum += items
      if sum >= room { return at - step * (sum - room) / items }
    }
    return nil
  }
}

/// The back-off of an adaptive job. The maximum delay is lower for busy sources.
///
/// The delay is at most two hours on the first day of an outage, because most outages end within a
/// day. Later, it is at most four hours. In the outages of the test traces, waits for the next
/// retry were up to half of the total waiting time. A maximum of a day saved few requests. With
/// that maximum, finding a recovery took twice as long as with a fixed interval and the same
/// budget.
extension Backoff {
  /// The delays that double after each failure, before `adaptiveCeiling` limits them.
  private static let adaptive = Backoff(first: firstDelay, ceiling: laterMax)
  /// The range of the maximum delay during the first day of an outage, in seconds.
  private static let young = 3600.0...7200.0
  private static let later = 3600.0...14_400.0
  private static let nominalShare = 2.0
  private static let adaptiveJitter = 0.25

  /// Whether an outage began less than a day ago. Such an outage probably ends soon.
  static func isYoung(failingFor: Double) -> Bool { failingFor < WeekClock.daySeconds }

  /// Returns the maximum delay in seconds: twice `pace`, limited to a range. `pace` is the nominal
  /// interval in seconds: see `AdaptiveReason.nominalInterval`.
  static func adaptiveCeiling(failingFor: Double, pace: Double) -> Double {
    let range = isYoung(failingFor: failingFor) ? young : later
    return min(max(nominalShare * pace, range.lowerBound), range.upperBound)
  }

  /// Returns the delay until the next retry, in seconds. `chance` is a random number in 0..<1.
  static func adaptiveDelay(
    failures: Int, failingFor: Double, pace: Double, chance: Double
  ) -> Double {
    let doubled = Double(adaptive.longest(failures: failures).wholeMilliseconds) / 1000
    let most = adaptiveCeiling(failingFor: failingFor, pace: pace) / (1 + adaptiveJitter)
    return min(doubled, most) * (1 + adaptiveJitter * chance)
  }
}
