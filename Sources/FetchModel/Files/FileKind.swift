/// What lies under a name, as plugins see it.
package enum FileKind: String, Sendable, CaseIterable {
  case file
  case folder
  /// A symbolic link, wherever it leads.
  case link
  /// A FIFO, socket or device.
  case other
}
