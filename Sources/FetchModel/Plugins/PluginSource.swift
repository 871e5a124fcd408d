import FetchValues

/// The source texts of a plugin and its libraries. A worker needs no other files to run the plugin.
package struct PluginSource: Equatable, Sendable {
  /// A file that the plugin or another library requires by its name, as in `require "name"`.
  package struct Library: Equatable, Sendable {
    package let name: String
    /// The name of the file in messages, such as `lib/dates.lua`.
    package let fileName: String
    package let text: [UInt8]

    package init(name: String, fileName: String, text: [UInt8]) {
      self.name = name
      self.fileName = fileName
      self.text = text
    }
  }

  package let name: String
  /// The name of the plugin's file in messages, such as `reuters.lua`.
  package let fileName: String
  package let text: [UInt8]
  package let libraries: [Library]
  /// The SHA-256 of the names and source texts of the plugin and its libraries. Runs share a worker
  /// process only if this hash is the same.
  package let contentHash: [UInt8]

  package init(name: String, fileName: String, text: [UInt8], libraries: [Library] = []) {
    self.name = name
    self.fileName = fileName
    self.text = text
    self.libraries = libraries
    contentHash = Self.hash(name, fileName, text, libraries)
  }

  private static func hash(
    _ name: String, _ fileName: String, _ text: [UInt8], _ libraries: [Library]
  ) -> [UInt8] {
    var writer = ValueWriter(reserving: text.count + 256)
    writer.write(name)
    writer.write(fileName)
    writer.write(bytes: text)
    for library in libraries {
      writer.write(library.name)
      writer.write(library.fileName)
      writer.write(bytes: library.text)
    }
    return SHA256.hash(data: writer.bytes)
  }
}
