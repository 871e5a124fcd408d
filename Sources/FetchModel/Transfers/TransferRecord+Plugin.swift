package import FetchValues

extension TransferRecord {
  /// What the plugin's `on_transfer` is given. Absent fields are nil in Lua.
  package var pluginValue: Value {
    var object = ValueObject([
      ("id", .integer(id)), ("url", .string(request.url)), ("to", .string(request.to.text)),
      ("state", .string(state.rawValue)),
    ])
    if state == .done { object.append("size", .integer(download.receivedBytes)) }
    if let sha256 { object.append("sha256", .string(Hexadecimal.text(of: sha256))) }
    if let etag = download.validators.etag { object.append("etag", .string(etag)) }
    if let modified = modifiedAt { object.append("modified", .string(modified.description)) }
    if let failure {
      object.append(
        "failure", ["code": .string(failure.code.rawValue), "message": .string(failure.message)])
    }
    return .object(object)
  }

  /// As it was asked for, else as the server said.
  var modifiedAt: Timestamp? {
    request.modified ?? download.validators.lastModified.flatMap(HTTPDate.parse)
  }
}
