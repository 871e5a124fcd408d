/// A request that is sent to a server, or that would be sent without a recording.
package struct SentRequest: Equatable, Sendable {
  package var method: String
  package var url: String
  package var headers: [HTTPField]
  package var body: [UInt8]?

  package init(method: String, url: String, headers: [HTTPField] = [], body: [UInt8]? = nil) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
  }
}
