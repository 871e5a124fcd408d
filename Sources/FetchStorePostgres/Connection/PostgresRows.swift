internal import CPostgres
import FetchStore
import FetchValues

/// The rows that a statement has returned.
///
/// The server may be any program, so the lengths of integers are checked. An integer that does not
/// have 1, 2, 4 or 8 bytes counts as NULL.
final class PostgresRows {
  private let result: UnsafeMutableRawPointer
  let count: Int

  init(_ result: UnsafeMutableRawPointer) {
    self.result = result
    count = Int(cpostgres_row_count(result))
  }

  deinit { cpostgres_free(result) }

  var changedCount: Int { Int(clamping: max(0, min(cpostgres_changed_count(result), 1 << 40))) }

  var fault: PostgresFault? {
    var state: (CChar, CChar, CChar, CChar, CChar, CChar) = (0, 0, 0, 0, 0, 0)
    return withUnsafeMutableBytes(of: &state) { bytes in
      let text = bytes.bindMemory(to: CChar.self)
      guard let start = text.baseAddress, cpostgres_fault(result, start) != 0 else { return nil }
      return PostgresFault(
        .statement(String(cString: start)), String(cString: cpostgres_message(result, false)),
        detail: String(cString: cpostgres_message(result, true)))
    }
  }

  var first: PostgresRow? { count > 0 ? self[0] : nil }

  subscript(index: Int) -> PostgresRow { PostgresRow(rows: self, index: Int32(index)) }

  func map<T>(_ transform: (PostgresRow) throws -> T) rethrows -> [T] {
    try (0..<count).map { try transform(self[$0]) }
  }

  func compactMap<T>(_ transform: (PostgresRow) throws -> T?) rethrows -> [T] {
    try (0..<count).compactMap { try transform(self[$0]) }
  }

  func forEach(_ body: (PostgresRow) throws -> Void) rethrows {
    for index in 0..<count { try body(self[index]) }
  }

  fileprivate func value(_ row: Int32, _ column: Int32) -> UnsafeRawBufferPointer? {
    var length: Int32 = 0
    guard let start = cpostgres_value(result, row, column, &length) else { return nil }
    return UnsafeRawBufferPointer(start: start, count: Int(length))
  }
}

struct PostgresRow: StoreRow {
  fileprivate let rows: PostgresRows
  fileprivate let index: Int32

  func optionalInteger(_ column: Int32) -> Int64? {
    guard let value = rows.value(index, column) else { return nil }
    switch value.count {
    case 8: return Int64(bigEndian: value.loadUnaligned(as: Int64.self))
    case 4: return Int64(Int32(bigEndian: value.loadUnaligned(as: Int32.self)))
    case 2: return Int64(Int16(bigEndian: value.loadUnaligned(as: Int16.self)))
    case 1: return Int64(value[0])
    default: return nil
    }
  }

  func integer(_ column: Int32) -> Int64 { optionalInteger(column) ?? 0 }

  func bytes(_ column: Int32) -> [UInt8]? { rows.value(index, column).map { Array($0) } }

  func text(_ column: Int32) -> String? {
    rows.value(index, column).map { String(decoding: $0, as: UTF8.self) }
  }
}
