/// A part of a table's row that few rows need, stored outside the row. Each row thus needs only one
/// machine word for the part, so that more rows fit into the cache.
struct Sparse<Part: SparsePart>: Hashable, Sendable {
  /// A list with the part if the part differs from the default; otherwise an empty list.
  private var kept: [Part] = []

  /// The part of the row; nil if it equals the default.
  var unusual: Part? { kept.first }

  var part: Part {
    get { kept.first ?? Part() }
    set { kept = newValue == Part() ? [] : [newValue] }
  }
}

/// A part of a table's row that is rarely different from its default, which `init` returns.
protocol SparsePart: Hashable, Sendable {
  init()
}
