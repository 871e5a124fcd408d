/// What few rows of a large table have: a word where it is as usual, kept apart where it is not, so
/// that more of what every row is read for fits into the cache.
struct Sparse<Part: SparsePart>: Hashable, Sendable {
  /// At most one, and none that is as usual.
  private var kept: [Part] = []

  /// Nil where it is as usual.
  var unusual: Part? { kept.first }

  var part: Part {
    get { kept.first ?? Part() }
    set { kept = newValue == Part() ? [] : [newValue] }
  }
}

/// Parts of a row that seldom are anything but what `init` makes.
protocol SparsePart: Hashable, Sendable {
  init()
}
