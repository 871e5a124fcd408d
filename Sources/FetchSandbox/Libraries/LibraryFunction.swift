package import FetchValues

/// A pure function that plugins call from Lua: encoded values in, encoded values out, no effects.
///
/// It runs inside the worker on unchecked bytes. It must not trap and must take time and memory in
/// proportion to its input. Data that outlives a call is kept in the run's `LibraryContext`.
package struct LibraryFunction: Sendable {
  package typealias Body =
    @Sendable (inout LibraryArguments, LibraryContext, inout ValueWriter) throws(LibraryError)
    -> Int

  /// `module.function`, as in `require "module".function`. A name that begins with an underscore is
  /// only for the trusted Lua code of its module.
  package let name: String
  /// Reads its arguments in order, writes its results in order, and returns their number or
  /// `nullAlone`.
  package let body: Body

  /// The return value for a single result `json.null`: a lone null would be nil in Lua.
  package static let nullAlone = -1

  package init(_ name: String, _ body: @escaping Body) {
    self.name = name
    self.body = body
  }
}

/// The reason why a library function gave no result.
package enum LibraryError: Error, Equatable {
  /// A mistake of the caller, raised as a Lua error at the caller's line.
  case misuse(String)
  /// An error page in place of a document: also raised, with the code `httpStatus` if it ends the
  /// run.
  case errorStatus(String, retryable: Bool)
  /// A fault of the input, which a plugin may want to handle: `nil, message` in Lua.
  case refused(String)
}
