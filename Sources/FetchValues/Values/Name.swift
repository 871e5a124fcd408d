/// The name of a job or a hook; the type `Kind` says which. Names are equal if their bytes are
/// equal. A name of one kind cannot be used as a name of another kind.
///
/// Outside the program, names are plain texts: on the command line, in JSON, in the config, in a
/// database and on the control socket.
public struct Name<Kind>: Sendable {
  @usableFromInline let exact: ExactText
  @inlinable public var text: String { exact.text }
  @inlinable public var isEmpty: Bool { exact.text.isEmpty }

  /// The empty name of a thing that the user has not named.
  @inlinable public static var unnamed: Name { Name("") }

  @inlinable public init(_ text: String) { exact = ExactText(text) }
}

extension Name: Hashable {
  @inlinable public static func == (left: Name, right: Name) -> Bool { left.exact == right.exact }
  @inlinable public func hash(into hasher: inout Hasher) { exact.hash(into: &hasher) }
}

extension Name: Comparable {
  @inlinable public static func < (left: Name, right: Name) -> Bool { left.exact < right.exact }
}

extension Name: CustomStringConvertible {
  @inlinable public var description: String { text }
}

/// The kind of `JobName`.
public enum JobKind {}
/// The kind of `HookName`.
public enum HookKind {}

/// The name of a job, unique in a store.
public typealias JobName = Name<JobKind>
/// The name of a hook, unique in a config.
public typealias HookName = Name<HookKind>
