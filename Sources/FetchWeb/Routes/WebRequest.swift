package import FetchValues

/// A request that has passed the checks of its route, with its caller and its valid parameters.
package struct WebRequest: Sendable {
  package var method: String
  package var target: RequestTarget
  package var headers: WebHeaders
  package var body: [UInt8]
  package var peer: WebPeer
  /// The value of the request's `Host` field in lower case, with the port if there is one.
  package var host: String
  package var caller: Caller
  package var now: Timestamp
  /// The valid parameters by name.
  package var parameters = ValueObject()
  /// The check of the body; nil unless the route checks the body as it arrives.
  package var check: BodyCheck?

  package init(
    method: String, target: RequestTarget, headers: WebHeaders, body: [UInt8] = [], peer: WebPeer,
    host: String, caller: Caller, now: Timestamp
  ) {
    self.method = method
    self.target = target
    self.headers = headers
    self.body = body
    self.peer = peer
    self.host = host
    self.caller = caller
    self.now = now
  }

  package func text(_ name: String) -> String? { parameters[name]?.stringValue }
  package func integer(_ name: String) -> Int64? { parameters[name]?.integerValue }
  package func flag(_ name: String) -> Bool? { parameters[name]?.boolValue }

  /// Whether the answer should be JSON lines instead of one JSON object that contains the lines:
  /// see `MediaRange.prefers`.
  package var wantsLines: Bool { MediaRange.prefers(WebMedia.lines, headers.all("Accept")) }

  /// Returns the path and the query, with the given parameters replaced or added.
  package func link(replacing pairs: [(name: String, value: String)]) -> String {
    let kept = target.query.filter { pair in !pairs.contains { $0.name == pair.name } }
    let query = URLQuery.text(
      of: (kept + pairs).map { (Array($0.name.utf8), Array($0.value.utf8)) })
    return query.isEmpty ? target.path : "\(target.path)?\(query)"
  }
}

/// The media types of answers.
package enum WebMedia {
  package static let json = "application/json"
  package static let lines = "application/x-ndjson"
  package static let text = "text/plain; charset=utf-8"
  package static let html = "text/html; charset=utf-8"
}

/// The evaluation of the `Accept` field (RFC 9110, 12.5.1), as far as the server needs it.
package enum MediaRange {
  /// Whether the field names the type with a quality that is above zero and at least the quality of
  /// `application/json`.
  package static func prefers(_ type: String, _ values: [String]) -> Bool {
    guard let wanted = quality(type, values), wanted > 0 else { return false }
    return wanted >= (quality(WebMedia.json, values) ?? 0)
  }

  /// Returns the quality of a type that the field names in full; nil if the field does not name it.
  /// Wildcards are ignored.
  private static func quality(_ type: String, _ values: [String]) -> Double? {
    for range in values.joined(separator: ",").split(separator: ",") {
      let parts = range.split(separator: ";").map(\.trimmingHTTPSpace)
      guard parts.first?.asciiLowercased == type else { continue }
      let weight = parts.dropFirst().first { $0.asciiLowercased.hasPrefix("q=") }
      return weight.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
    }
    return nil
  }
}
