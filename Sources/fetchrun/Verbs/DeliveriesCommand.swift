import ArgumentParser
import FetchEngine
import FetchModel
import FetchStore
import FetchValues

/// `fetchrun deliveries`: shows and changes the waiting and the failed deliveries of hooks.
struct DeliveriesCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "deliveries", abstract: "List, retry or drop the deliveries of hooks.",
    usage:
      "fetchrun deliveries [--failed] [--hook HOOK] [--json] [list | retry ID... | drop ID...]",
    discussion: """
      Completed deliveries are not listed. Retried deliveries are sent immediately, or with the \
      next run, but not before the rate of their hook allows them. Dropped deliveries are not sent \
      again. Times are in UTC.
      """)

  enum Action: String, ExpressibleByArgument, CaseIterable {
    case list, retry, drop
  }

  @Argument(help: ArgumentHelp("list (the default), retry or drop.", valueName: "action"))
  var action = Action.list

  @Argument(help: "Ids of deliveries, to retry or drop.", completion: .deliveries)
  var ids: [Int64] = []

  @Flag(name: .long, help: "List only deliveries that were given up.")
  var failed = false

  @Option(name: .long, help: "List only the deliveries of one hook.", completion: .hooks)
  var hook: HookName?

  @OptionGroup var daemon: DaemonOptions

  @Flag(name: .long, help: "Print one JSON object per delivery.")
  var json = false

  mutating func validate() throws {
    if action == .list, !ids.isEmpty { throw ValidationError("list takes no ids") }
    if action != .list, ids.isEmpty {
      throw ValidationError("missing delivery id: `fetchrun deliveries` lists the ids")
    }
  }

  func run() async throws {
    let output = RunOutput(asJSON: json)
    switch action {
    case .list: try await list(output)
    case .retry: try await ask(.retry, output)
    case .drop: try await ask(.drop, output)
    }
  }

  private func list(_ output: RunOutput) async throws {
    do {
      let shown = try await StoreQueries(at: daemon.store(output))
        .deliveries(onlyDead: failed, hook: hook) { daemon.hooks }
      if json {
        for delivery in shown { Terminal.current.output(json: delivery.json) }
      } else {
        DeliveryTable.table(shown).write(to: .current)
        if shown.isEmpty {
          let hook = hook.map { " of the hook '\($0)'" } ?? ""
          output.message(
            "no deliveries\(hook) " + (failed ? "were given up" : "are waiting or were given up"))
        }
      }
    } catch let error as StoreError {
      output.message(daemon.sentence(error))
      throw ExitStatus.runFailed
    }
  }

  private func ask(_ action: ControlRequest.DeliveryAction, _ output: RunOutput) async throws {
    try await daemon.ask(.deliveries(action, ids: ids), output) { line in
      output.control(line) {
        guard let id = line["id"]?.integerValue, let state = line["state"]?.stringValue else {
          return nil
        }
        return "\(id): \(state)\(Self.wait(line))"
      }
    }
  }

  /// Returns the time before which a delivery is not sent, and the reason if there is one. The
  /// result is empty if the delivery does not wait.
  private static func wait(_ line: Value) -> String {
    guard let time = line["nextAttemptAt"]?.stringValue.flatMap(Timestamp.init(rfc3339:)) else {
      return ""
    }
    let reason = line["failure"]?.stringValue.map { ": \($0)" } ?? ""
    return ", not before \(DeliveryTable.text(time))\(reason)"
  }
}
