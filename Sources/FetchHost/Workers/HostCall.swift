package import FetchModel
package import FetchValues

/// What a run asks of the host, as the worker sent it: nothing in it has been checked.
package struct HostCall: Equatable, Sendable {
  /// Which call, such as `http.request`.
  package let name: String
  /// An encoded list of the arguments.
  package let arguments: [UInt8]

  /// Of a call that takes them: the items since the last one, one encoded after the other.
  package var items: [UInt8] = []

  /// What the arguments and the items take once they are read.
  package internal(set) var weight = 0

  /// Whether a thread of its own is to read it: see `LargeResults`.
  var isLarge: Bool { weight > LargeResults.weightMin }

  /// The call that stores what a run has given so far.
  package static let checkpointName = "checkpoint"
  /// The call by which a hook file gives what became of the last items and gets the next ones.
  package static let hookItemsName = "hook.items"

  /// The call by which a hook file that failed says after how many seconds to try again.
  package static let hookRetryName = "hook.retry"

  /// Whether the call takes what the run has given since the last one that does.
  var takesItems: Bool { Self.takesItems(name) }

  static func takesItems(_ name: String) -> Bool { name == checkpointName || name == hookItemsName }

  package init(name: String, arguments: [UInt8]) {
    self.name = name
    self.arguments = arguments
  }

  /// What a `checkpoint` wants stored, checked for shape and limits as a run's end is. The state is
  /// the call's one argument.
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

  /// The arguments as trees, for calls that are not hot.
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

  /// Whether a repeated run asks the same again. A Lua table has no order, so the same call may
  /// come with its fields in another one.
  func isSame(as other: HostCall) -> Bool {
    guard name.utf8.elementsEqual(other.name.utf8) else { return false }
    if arguments == other.arguments { return true }
    guard let own = try? values(), let others = try? other.values() else { return false }
    return own == others
  }
}

/// Does what runs ask for: the only way from a plugin to an effect.
package protocol HostCallHandler: Sendable {
  /// Called once for each call a run makes, never again when the run is repeated after a crash.
  /// Cancelled when the run ends before the answer is there; the answer is then not used.
  func answer(_ call: HostCall) async -> HostCallAnswer
}

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
