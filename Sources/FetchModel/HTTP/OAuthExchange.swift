import FetchValues

/// The request for an access token, and the reading of the answer (RFC 6749 sections 4.4, 5 and 6).
package enum OAuthExchange {
  /// The maximum length of a text from the token server in a message, in Unicode scalars.
  private static let shownMax = 200

  package static func request(
    _ client: OAuthClient, secret: SecretValue?, refreshToken: SecretValue?
  ) -> HTTPRequest {
    var form: [(String, String)] = []
    if let refreshToken {
      form = [("grant_type", "refresh_token"), ("refresh_token", refreshToken.text)]
    } else {
      form = [("grant_type", "client_credentials")]
    }
    if let scope = client.scope { form.append(("scope", scope)) }
    var request = HTTPRequest(url: client.tokenURL)
    if let secret, client.authentication == .basic {
      // RFC 6749 section 2.3.1: the client's id and its secret must be form-encoded first.
      request.basicAuth = (encoded(client.clientID), encoded(secret.text))
    } else {
      form.append(("client_id", client.clientID))
      if let secret { form.append(("client_secret", secret.text)) }
    }
    request.method = "POST"
    request.headers = [
      HTTPField("Content-Type", "application/x-www-form-urlencoded"),
      HTTPField("Accept", "application/json"),
    ]
    request.body = Array(
      form.map { "\($0)=\(encoded($1))" }.joined(separator: "&").utf8)
    request.conditional = false
    // The client's secret is only for the token server that the user has named.
    request.followRedirects = false
    return request
  }

  private static func encoded(_ text: String) -> String { PercentEncoding.encode(text) }

  /// Reads the access token from the token server's answer. Throws an error if the server refused
  /// the request, or if the answer has no usable token.
  package static func read(_ answer: HTTPAnswer) throws(SecretProblem) -> AccessToken {
    let value = try? JSONReader.decode(String(decoding: answer.body, as: UTF8.self))
    guard (200...299).contains(answer.status) else { throw refusal(answer.status, value) }
    guard let text = value?["access_token"]?.stringValue, !text.isEmpty else {
      throw SecretProblem("the token server's answer has no access_token")
    }
    if let type = value?["token_type"]?.stringValue, type.asciiLowercased != "bearer" {
      throw SecretProblem(
        "the token server gave a token of the type \(shown(type)), but only Bearer is supported")
    }
    var token = AccessToken(value: SecretValue(text))
    token.lifetime = lifetime(value?["expires_in"])
    if let next = value?["refresh_token"]?.stringValue, !next.isEmpty {
      token.refreshToken = SecretValue(next)
    }
    return token
  }

  /// Returns the lifetime from a number of seconds; nil if the number is missing or invalid. Some
  /// servers write the number as a string.
  private static func lifetime(_ value: Value?) -> Duration? {
    let seconds = value?.numberValue ?? value?.stringValue.flatMap(Double.init)
    guard let seconds, seconds >= 0, seconds < 1e9 else { return nil }
    return .seconds(Int64(seconds))
  }

  private static func refusal(_ status: Int, _ value: Value?) -> SecretProblem {
    let code = value?["error"]?.stringValue
    let words = value?["error_description"]?.stringValue
    let why = [code, words].compactMap { $0.map(shown) }.joined(separator: ": ")
    return SecretProblem(
      "it answered \(status)" + (why.isEmpty ? "" : ", " + why),
      retryable: status >= 500 || status == 429)
  }

  private static func shown(_ text: String) -> String {
    let line = text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }
    return String(String.UnicodeScalarView(line.prefix(shownMax)))
  }
}
