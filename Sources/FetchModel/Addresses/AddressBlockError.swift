/// Why a text is no block of addresses; the description says what could be one.
package struct AddressBlockError: Error, Equatable, CustomStringConvertible {
  package var description: String

  package init(_ description: String) { self.description = description }

  static func noBlock(_ text: String) -> AddressBlockError {
    AddressBlockError(
      "'\(text.prefix(60))' is no block of addresses; write 192.168.0.0/16, fd00::/8"
        + " or one address")
  }

  /// `block` is the one that the text begins inside of.
  static func begunInside(_ text: String, _ block: String) -> AddressBlockError {
    let address = text.prefix { $0 != "/" }
    return AddressBlockError(
      "'\(text.prefix(60))' begins inside a block; write \(block), or \(address) alone")
  }
}
