package import FetchValues

/// How a request ended: the last line of a reply.
package struct ControlEnd: Hashable, Sendable {
  /// The exit status of the requesting program; 0 is success.
  package var status: Int32
  /// The message for a person; nil if the lines of the reply are enough.
  package var message: String?
  /// The problems of a config that was not loaded, each as a JSON object. The server sends these
  /// objects as lines before the end of the reply.
  package var problems: [String] = []

  package init(status: Int32 = 0, message: String? = nil) {
    self.status = status
    self.message = message
  }

  package static let done = ControlEnd()

  package static func failed(_ message: String, status: Int32 = 1) -> ControlEnd {
    ControlEnd(status: status, message: message)
  }

  package static func unknownJob(_ name: JobName, among names: [JobName]) -> ControlEnd {
    .failed("there is no job '\(name)'\(NearestName.hint(name, among: names))")
  }
}
