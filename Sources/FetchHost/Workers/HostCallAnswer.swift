package import FetchModel
package import FetchValues

/// What a host call comes to, as the run sees it.
package enum HostCallAnswer: Equatable, Sendable {
  /// An encoded list of what the call returns in Lua.
  case returns([UInt8])
  /// A Lua error with this message at the caller's line.
  case raises(String)

  package static func values(_ values: [Value]) -> HostCallAnswer {
    var writer = ValueWriter()
    writer.beginArray(count: values.count)
    for value in values { writer.write(value) }
    return .returns(writer.bytes)
  }

  /// `nil, message, code, retryable`: a failure the plugin may handle. Where the plugin lets it be
  /// the run's end (`return nil, message`, `assert`), the run fails with that code. More values may
  /// follow.
  package static func failure(_ failure: Failure, _ more: Value...) -> HostCallAnswer {
    .values(
      [
        .null, .string(failure.message), .string(failure.code.rawValue), .bool(failure.retryable),
      ] + more)
  }
}
