package import FetchModel
package import FetchValues

/// A run's request to the host, as the worker sent it: nothing in it has been checked.
package struct HostCall: Equatable, Sendable {
  /// The name, such as `http.request`.
  package let name: String
  /// An encoded list of the arguments.
  package let arguments: [UInt8]

  /// The items since the last such call, if the call takes them: one encoded after the other.
  package var items: [UInt8] = []

  /// The memory that the arguments and the items take once they are decoded.
  package internal(set) var weight = 0

  /// Whether a thread of its own decodes it: see `LargeResults`.
  var isLarge: Bool { weight > LargeResults.weightMin }

  /// The call that stores what a run has produced so far.
  package static let checkpointName = "checkpoint"
  /// The call in which a hook file returns its results for the last items and gets the next ones.
  package static let hookItemsName = "hook.items"

  /// The call in which a failed hook file sets the seconds until its next attempt.
  package static let hookRetryName = "hook.retry"

  /// Whether the call takes the items that the run has produced since the last such call.
  var takesItems: Bool { Self.takesItems(name) }

  static func takesItems(_ name: String) -> Bool { name == checkpointName || name == hookItemsName }

  package init(name: String, arguments: [UInt8]) {
    self.name = name
    self.arguments = arguments
  }

  /// Returns what a `checkpoint` stores, checked for shape and limits like a run's end. The state
  /// is the call's one argument.
  package func products(_ limits: RunLimits) -> Result<WorkerProducts, Failure> {
    guard let state = try? values().first else {
      return .failure(Failure(.invalidValue, "checkpoint: the state cannot be read"))
    }
    var writer = ValueWriter()
    writer.write(state)
    do throws(ItemDecoder.Problem) {
      return .success(
        try ItemDecoder.products(RawProducts(items: items, state: writer.bytes), limits))
    } catch {
      switch error {
      case .failure(let failure): return .failure(failure)
      case .malformed(let error):
        return .failure(Failure(.invalidValue, "checkpoint: the items cannot be read: \(error)"))
      }
    }
  }

  /// Returns the arguments as trees, for calls that are not frequent.
  package func values() throws(ValueError) -> [Value] {
    let result = arguments.withUnsafeBytes { bytes in
      Result { () throws(ValueError) in
        var reader = ValueReader(bytes)
        return try reader.readValue()
      }
    }
    guard let list = try result.get().arrayValue else {
      throw .unexpected("table", wanted: "list")
    }
    return list
  }

  /// Whether a repeated run makes the same call. A Lua table has no order, so the fields may come
  /// in another one.
  func isSame(as other: HostCall) -> Bool {
    guard name.utf8.elementsEqual(other.name.utf8) else { return false }
    if arguments == other.arguments { return true }
    guard let own = try? values(), let others = try? other.values() else { return false }
    return own == others
  }
}

/// Handles the calls of runs: the only way from a plugin to an effect.
package protocol HostCallHandler: Sendable {
  /// Called once for each call of a run, and not again when the run is repeated after a crash. It
  /// is cancelled when the run ends first; then the answer is not used.
  func answer(_ call: HostCall) async -> HostCallAnswer
}

/// The result of a host call, as the run sees it.
package enum HostCallAnswer: Equatable, Sendable {
  /// An encoded list of the values that the call returns in Lua.
  case returns([UInt8])
  /// A Lua error with this message at the caller's line.
  case raises(String)

  package static func values(_ values: [Value]) -> HostCallAnswer {
    var writer = ValueWriter()
    writer.beginArray(count: values.count)
    for value in values { writer.write(value) }
    return .returns(writer.bytes)
  }

  /// Returns `nil, message, code, retryable`: a failure that the plugin may handle. If the plugin
  /// ends the run with it (`return nil, message`, `assert`), the run fails with that code. More
  /// values may follow.
  package static func failure(_ failure: Failure, _ more: Value...) -> HostCallAnswer {
    .values(
      [
        .null, .string(failure.message), .string(failure.code.rawValue), .bool(failure.retryable),
      ] + more)
  }
}
