extension Delivery {
  /// Whether it waits for the end of its digest's window and for nothing else: nobody has tried it.
  package var waitsForWindow: Bool {
    state == .pending && digest == nil && attemptCount == 0 && failure == nil
      && nextAttemptAt != nil
  }

  /// The delivery with the time that the present settings of its hook give; nil where it keeps its
  /// own. The time is never later than before: a longer digest holds only what comes after it was set.
  package func retimed(by hook: HookConfig) -> Delivery? {
    guard waitsForWindow, let old = nextAttemptAt else { return nil }
    let new = hook.notBefore(createdAt)
    if let new, new >= old { return nil }
    var delivery = self
    delivery.nextAttemptAt = new
    return delivery
  }
}

extension [Delivery] {
  /// As people are shown them: those that wait for a digest have the time that the present settings
  /// of their hooks give, as whoever delivers next sees it.
  package func showingDigests(of hooks: [HookConfig]) -> [Delivery] {
    let byName = Dictionary(hooks.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    return map { delivery in byName[delivery.hook].flatMap(delivery.retimed) ?? delivery }
  }
}
