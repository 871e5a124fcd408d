/// The reason why a text is not a URL.
package enum URLError: Error, Equatable {
  case forbiddenByte(UInt8)
  case badScheme
  case badHost(String)
  case badPort(String)
  case noHost
}

extension URLError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .forbiddenByte(UInt8(ascii: " ")): "a URL must not contain a space (write %20)"
    case .forbiddenByte(UInt8(ascii: "\\")): "a URL must not contain a backslash"
    case .forbiddenByte(let byte): "a URL must not contain the control byte \(byte)"
    case .badScheme: "the scheme of the URL is not valid"
    case .badHost(let host): "'\(host)' is not a valid hostname or address"
    case .badPort(let port): "'\(port)' is not a port (0 to 65535)"
    case .noHost: "the URL has no host"
    }
  }
}
