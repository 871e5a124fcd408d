package import FetchModel
import FetchValues

/// The end of one hop.
package struct HTTPHopEnd: Sendable {
  package var result: Result<HTTPHopAnswer, HTTPFault>
  /// The header and body bytes on the wire, before decoding.
  package var receivedBytes = 0

  package init(_ result: Result<HTTPHopAnswer, HTTPFault>, receivedBytes: Int = 0) {
    self.result = result
    self.receivedBytes = receivedBytes
  }
}

/// A whole answer: body complete and decoded.
package struct HTTPHopAnswer: Sendable {
  package var status: Int
  /// Lower-case names, in the order received.
  package var headers: [HTTPField]
  package var body: [UInt8]

  package init(status: Int, headers: [HTTPField] = [], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}
