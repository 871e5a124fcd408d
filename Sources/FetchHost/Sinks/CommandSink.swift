package import FetchModel
import FetchValues

/// Starts a program for each delivery: its JSON as input, `FETCHRUN_*` variables, no shell unless the
/// user asked for one. Status 0 is taken as received.
package struct CommandSink: DeliverySink {
  private let settings: CommandSettings
  private let environment: [String: String]
  private let redactor: @Sendable (DeliveryBatch) async -> Redactor
  private let listener: (@Sendable (ArraySlice<UInt8>) -> Void)?

  /// - Parameters:
  ///   - environment: what the program has besides.
  ///   - redactor: of the secrets that a program could tell, which has this environment and the JSON.
  ///   - listener: is told all that the program writes, as it comes; else nobody is, but for the last
  ///     line of one that fails.
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
      let said = await said(output, batch)
      return .failed(DeliveryFailure("\(name) ended with status \(status)\(said)"))
    case .killed(let signal, let output):
      let said = await said(output, batch)
      return .failed(DeliveryFailure("\(name) was ended by signal \(signal)\(said)"))
    case .timedOut:
      return .failed(
        DeliveryFailure("\(name) did not end within \(settings.timeout.shortText)"))
    case .cancelled: return .failed(DeliveryFailure("\(name) was broken off"))
    case .notStarted(let why):
      return .failed(DeliveryFailure("\(name) cannot be started: \(why)"))
    }
  }

  /// One variable has no more: the whole environment of a program is bounded.
  private static let variableBytesMax = 8 << 10

  /// What scripts need most; all of it is in the JSON.
  static func variables(of batch: DeliveryBatch) -> [String: String] {
    let items = batch.items
    var variables = [
      "HOOK": batch.hook, "EVENT": batch.event, "JOB": batch.job ?? "",
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

  /// The last line that it wrote, for the message.
  private func said(_ output: [UInt8], _ batch: DeliveryBatch) async -> String {
    let text = String(decoding: output, as: UTF8.self)
    let line = text.split(whereSeparator: \.isNewline).last { !$0.allSatisfy(\.isWhitespace) }
    guard let line else { return "" }
    // Before it is cut: half a secret is one, too.
    return ": \(await redactor(batch).redacted(String(line)).prefix(200))"
  }
}
