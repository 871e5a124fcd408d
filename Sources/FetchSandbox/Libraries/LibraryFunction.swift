package import FetchValues

/// A pure function that plugins call from Lua: encoded values in, encoded values out, no effects.
///
/// Runs inside the worker, on bytes that nobody has checked. It must not trap, must take time and
/// memory in proportion to its input, and keeps whatever outlives the call in the run's
/// `LibraryContext`.
package struct LibraryFunction: Sendable {
  package typealias Body =
    @Sendable (inout LibraryArguments, LibraryContext, inout ValueWriter) throws(LibraryError)
    -> Int

  /// `module.function`, as in `require "module".function`; a name that begins with an underscore
  /// is for the trusted Lua code of its module only.
  package let name: String
  /// Reads its arguments in order, writes its results one after the other, returns how many, or
  /// `nullAlone`.
  package let body: Body

  /// Returned by a body whose one result is `json.null`: a null that stands alone is nil in Lua.
  package static let nullAlone = -1

  package init(_ name: String, _ body: @escaping Body) {
    self.name = name
    self.body = body
  }
}

/// Why a library function gave no result.
package enum LibraryError: Error, Equatable {
  /// The caller's mistake: raised as a Lua error at the caller's line.
  case misuse(String)
  /// An error page in place of a document: raised too, and as `httpStatus` where it ends the run.
  case errorStatus(String, retryable: Bool)
  /// The input's fault, which a plugin may want to handle: `nil, message` in Lua.
  case refused(String)
}
