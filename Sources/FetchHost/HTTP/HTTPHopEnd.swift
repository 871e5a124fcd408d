package import FetchModel
import FetchValues

/// The result of one hop, with the number of bytes that the hop received.
package struct HTTPHopEnd: Sendable {
  package var result: Result<HTTPHopAnswer, HTTPFault>
  /// The number of header and body bytes received, before decoding.
  package var receivedBytes = 0

  package init(_ result: Result<HTTPHopAnswer, HTTPFault>, receivedBytes: Int = 0) {
    self.result = result
    self.receivedBytes = receivedBytes
  }
}

/// A complete answer with its decoded body.
package struct HTTPHopAnswer: Sendable {
  package var status: Int
  /// The header fields in the order received, with names in lower case.
  package var headers: [HTTPField]
  package var body: [UInt8]

  package init(status: Int, headers: [HTTPField] = [], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}
