import FetchValues

/// The commands `fetchrun push --address|--remove-address JOB`. `fetchrun` passes these commands on
/// to `fetchrun-web`, the only program that reads and writes the file of addresses.
struct PushAddressActions {
  let file: AccessFile
  /// The address of the server, without a path.
  let server: String
  /// The names of the jobs in the config; nil if the config is unknown or has mistakes.
  let jobs: [JobName]?
  let now: Timestamp
  let random: () -> UInt64

  /// Runs the command and returns its output.
  ///
  /// - Parameter words: `add` or `remove`, the names of jobs, and perhaps `--json`.
  func run(_ words: [String]) throws(TokenActions.Failed) -> TokenActions.Output {
    let asJSON = words.contains("--json")
    var names = words.filter { $0 != "--json" }[...]
    let verb = names.popFirst()
    guard !names.isEmpty else { throw .usage("missing job name: add one or more job names") }
    switch verb {
    case "add": return try add(Array(names), asJSON: asJSON)
    case "remove": return try remove(Array(names), asJSON: asJSON)
    default: throw .usage("use `fetchrun push --address` or `fetchrun push --remove-address`")
    }
  }

  private func add(
    _ names: [String], asJSON: Bool
  ) throws(TokenActions.Failed) -> TokenActions.Output {
    if let jobs, let unknown = names.first(where: { !jobs.contains(JobName($0)) }) {
      throw TokenActions.Failed(
        message: "there is no job '\(PlainText.line(unknown))'"
          + NearestName.hint(JobName(unknown), among: jobs))
    }
    var output = TokenActions.Output()
    try change { records throws(AccessFileError) in
      for job in names {
        guard let capability = records.addPushAddress(of: JobName(job), now: now, random: random)
        else {
          throw AccessFileError(
            "only \(AccessRecords.pushAddressesMax) addresses are allowed; remove some first with"
              + " `fetchrun push --remove-address JOB`")
        }
        let address = server + PushRoutes.pathStart + capability
        if asJSON {
          output.lines.append(Self.text(["job": .string(job), "address": .string(address)]))
        } else {
          output.lines.append(address)
        }
      }
    }
    if !asJSON {
      output.messages.append(
        "keep each address secret; it is shown only now, and replaces any previous one of the job")
    }
    return output
  }

  private func remove(
    _ names: [String], asJSON: Bool
  ) throws(TokenActions.Failed) -> TokenActions.Output {
    var output = TokenActions.Output()
    try change { records throws(AccessFileError) in
      for job in names {
        guard records.removePushAddress(of: JobName(job)) else {
          throw AccessFileError("the job '\(PlainText.line(job))' has no address for pushes")
        }
        if asJSON {
          output.lines.append(Self.text(["job": .string(job), "address": .null]))
        } else {
          output.messages.append("removed the address for pushes to '\(PlainText.line(job))'")
        }
      }
    }
    return output
  }

  private func change(
    _ body: (inout AccessRecords) throws(AccessFileError) -> Void
  ) throws(TokenActions.Failed) {
    do throws(AccessFileError) { try file.change(body) } catch {
      throw TokenActions.Failed(message: error.description)
    }
  }

  private static func text(_ value: Value) -> String {
    ShownJSON.text((try? JSONWriter.text(value)) ?? "{}")
  }
}
