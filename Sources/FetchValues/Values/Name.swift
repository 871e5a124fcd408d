/// The name of a job, a hook or a plugin; the type `Kind` says which. Names are equal if their
/// bytes are equal. A name of one kind cannot be used as a name of another kind.
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
/// The kind of `PluginName`.
public enum PluginNameKind {}

/// The name of a job, unique in a store.
public typealias JobName = Name<JobKind>
/// The name of a hook, unique in a config.
public typealias HookName = Name<HookKind>
/// The name in the manifest of a plugin or hook file. It is neither the file's path nor the text
/// with which a config or a command line names the plugin.
public typealias PluginName = Name<PluginNameKind>
