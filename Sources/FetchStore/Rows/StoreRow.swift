import FetchModel
package import FetchValues

/// One row that a database has returned. Columns are counted from 0.
///
/// The stores of different databases share the conversion of these rows into values.
package protocol StoreRow {
  /// Returns the number in a column; 0 for NULL.
  func integer(_ column: Int32) -> Int64
  /// Returns the number in a column; nil for NULL.
  func optionalInteger(_ column: Int32) -> Int64?
  /// Returns the text in a column; nil for NULL. Repairs bytes that are not UTF-8.
  func text(_ column: Int32) -> String?
  /// Returns the bytes in a column; nil for NULL.
  func bytes(_ column: Int32) -> [UInt8]?
}

extension StoreRow {
  /// Returns the time that a column stores in milliseconds since 1970; 1970 for NULL.
  package func time(_ column: Int32) -> Timestamp { Timestamp(milliseconds: integer(column)) }

  /// Returns the count in a column, at least 0 and at most 2^40. Sums of the counts of a damaged
  /// store therefore cannot overflow.
  package func count(_ column: Int32) -> Int { Int(max(0, min(integer(column), 1 << 40))) }

  package func optionalTime(_ column: Int32) -> Timestamp? {
    optionalInteger(column).map { Timestamp(milliseconds: $0) }
  }

  /// Returns the name in a column; an empty name for NULL.
  package func name<Kind>(_ column: Int32) -> Name<Kind> { Name(text(column) ?? "") }
}
