/// What is wrong with an encoded value.
package enum ValueError: Error, Equatable {
  case truncated
  case unknownTag(UInt8)
  case tooDeep(Int)
  case invalidUTF8
  case unexpected(String, wanted: String)
}

extension ValueError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .truncated: "the value ends too early"
    case .unknownTag(let tag): "the value has an unknown kind (\(tag))"
    case .tooDeep(let depthMax): "the value is nested deeper than \(depthMax)"
    case .invalidUTF8: "a string is not valid UTF-8"
    case .unexpected(let found, let wanted): "\(wanted) expected, got \(found)"
    }
  }
}
