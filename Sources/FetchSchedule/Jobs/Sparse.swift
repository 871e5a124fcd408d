/// A part that few rows of a large table need, stored outside the row. Each row then has one word
/// for it, so that more of the hot data fits into the cache.
struct Sparse<Part: SparsePart>: Hashable, Sendable {
  /// At most one part, never the default.
  private var kept: [Part] = []

  /// The part; nil if it is the default.
  var unusual: Part? { kept.first }

  var part: Part {
    get { kept.first ?? Part() }
    set { kept = newValue == Part() ? [] : [newValue] }
  }
}

/// A part of a row that rarely differs from the result of `init`.
protocol SparsePart: Hashable, Sendable {
  init()
}
