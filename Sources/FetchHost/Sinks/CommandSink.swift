package import FetchModel
import FetchValues

/// A sink that starts a program for each batch. The program receives the batch's JSON on its
/// standard input, and the main facts in `FETCHRUN_*` variables. The program runs in a shell only
/// if the user has requested a shell. Status 0 means that the batch was received.
package struct CommandSink: DeliverySink {
  private let settings: CommandSettings
  private let environment: [String: String]
  private let redactor: @Sendable (DeliveryBatch) async -> Redactor
  private let listener: (@Sendable (ArraySlice<UInt8>) -> Void)?

  /// - Parameters:
  ///   - environment: the program's environment without the `FETCHRUN_*` variables.
  ///   - redactor: returns the redactor for the secrets in the environment and the JSON, because a
  ///     program could print them.
  ///   - listener: receives all output as it arrives.
  package init(
    _ settings: CommandSettings, environment: [String: String],
    redactor: @escaping @Sendable (DeliveryBatch) async -> Redactor = { _ in Redactor() },
    listener: (@Sendable (ArraySlice<UInt8>) -> Void)? = nil
  ) {
    self.settings = settings
    self.environment = environment
    self.redactor = redactor
    self.listener = listener
  }

  package func deliver(_ batch: DeliveryBatch) async -> DeliveryEnd {
    let words = settings.shell ? ["/bin/sh", "-c"] + settings.words : settings.words
    let name = settings.shell ? "the command" : "'\(settings.words.first ?? "")'"
    let command = HookCommand(
      words: words, environment: environment.merging(Self.variables(of: batch)) { $1 },
      input: Array(batch.json.utf8) + [UInt8(ascii: "\n")], timeout: settings.timeout,
      listener: listener)
    switch await command.run() {
    case .exited(0, _): return .delivered
    case .exited(let status, let output):
      let lastLine = await lastLine(output, batch)
      return .failed(DeliveryFailure("\(name) ended with status \(status)\(lastLine)"))
    case .killed(let signal, let output):
      let lastLine = await lastLine(output, batch)
      return .failed(DeliveryFailure("\(name) was killed by signal \(signal)\(lastLine)"))
    case .timedOut:
      return .failed(
        DeliveryFailure("\(name) did not end within \(settings.timeout.shortText)"))
    case .cancelled: return .failed(DeliveryFailure("\(name) was cancelled"))
    case .notStarted(let why):
      return .failed(DeliveryFailure("\(name) cannot be started: \(why)"))
    case .unknown:
      return .failed(DeliveryFailure("\(name) ended, but the system did not return its status"))
    }
  }

  /// The maximum length of one variable's value, in bytes. The size of a program's environment is
  /// limited.
  private static let variableBytesMax = 8 << 10

  /// Returns the `FETCHRUN_*` variables with the facts that scripts need most.
  static func variables(of batch: DeliveryBatch) -> [String: String] {
    let items = batch.items
    var variables = [
      "HOOK": batch.hook.text, "EVENT": batch.event, "JOB": batch.job?.text ?? "",
      "RUN": batch.run?.description ?? "", "IDEMPOTENCY_KEY": batch.key, "COUNT": "\(items.count)",
    ]
    variables["TITLE"] = items.first?["title"]?.stringValue ?? ""
    variables["URL"] = items.first?["url"]?.stringValue ?? ""
    variables["TEXT"] = DeliveryText.subject(of: batch)
    return Dictionary(
      uniqueKeysWithValues: variables.map { name, value in
        let clean = value.utf8.filter { $0 != 0 }.prefix(variableBytesMax)
        return ("FETCHRUN_" + name, String(decoding: clean, as: UTF8.self))
      })
  }

  /// Returns the last non-blank line of the output, redacted, shortened and formatted to follow a
  /// message; empty if there is no such line.
  private func lastLine(_ output: [UInt8], _ batch: DeliveryBatch) async -> String {
    let text = String(decoding: output, as: UTF8.self)
    let line = text.split(whereSeparator: \.isNewline).last { !$0.allSatisfy(\.isWhitespace) }
    guard let line else { return "" }
    // Redacts before shortening, because a part of a secret would not be recognised.
    return ": \(await redactor(batch).redacted(String(line)).prefix(200))"
  }
}
