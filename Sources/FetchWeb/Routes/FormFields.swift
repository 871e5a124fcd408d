import FetchValues

/// The fields of a form's body (`application/x-www-form-urlencoded`).
package struct FormFields: Sendable {
  private var fields: [(name: String, value: String)] = []

  private static let type = "application/x-www-form-urlencoded"
  static let fieldsMax = 64

  /// Reads the fields. Returns nil if `type` is not the media type of forms, or if the body is not
  /// UTF-8. Also returns nil if there are too many fields, or if a field occurs twice.
  package init?(_ body: [UInt8], type: String?) {
    guard Self.isForm(type) else { return nil }
    for (name, value) in URLQuery.pairs(of: body) {
      guard fields.count < Self.fieldsMax, let name = String(validating: name, as: UTF8.self),
        let value = String(validating: value, as: UTF8.self), self[name] == nil
      else { return nil }
      fields.append((name, value))
    }
  }

  static func isForm(_ type: String?) -> Bool {
    type?.prefix(while: { $0 != ";" }).trimmingHTTPSpace.asciiLowercased == Self.type
  }

  package init?(_ received: ReceivedRequest) {
    self.init(received.body, type: received.headers.only("Content-Type"))
  }

  package init?(_ request: WebRequest) {
    self.init(request.body, type: request.headers.only("Content-Type"))
  }

  package subscript(name: String) -> String? {
    fields.first { $0.name.hasSameBytes(as: name) }?.value
  }
}
