/// The kind of a directory entry, in the words of the plugin interface.
package enum FileKind: String, Sendable, CaseIterable {
  case file
  case folder
  /// A symbolic link, regardless of its target.
  case link
  /// A FIFO, socket or device.
  case other
}
