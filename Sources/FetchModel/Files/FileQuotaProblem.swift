import FetchValues

/// The exhausted part of a folder's quota.
package enum FileQuotaProblem: Error, Equatable, Sendable {
  case bytes(Int64)
  case count(Int)
}

extension FileQuotaProblem: CustomStringConvertible {
  package var description: String {
    switch self {
    case .bytes(let max):
      "the folder may hold \(ByteSize(bytes: max)) (files.bytes); remove files or raise the quota"
    case .count(let max):
      "the folder may hold \(max) files and folders (files.count);"
        + " remove some or raise the quota"
    }
  }
}
