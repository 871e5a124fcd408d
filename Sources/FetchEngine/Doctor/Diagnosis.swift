package import FetchHost
import FetchModel
package import FetchStore
package import FetchValues
import Glibc

/// The checks of `doctor`: the workers' isolation, the HTTP library, the store and the plugin
/// folders. No check runs a plugin of the user.
package struct Diagnosis: Sendable {
  private let workers: WorkerPool
  private let store: StoreAddress
  private let pluginFolders: [String]

  package init(workers: WorkerPool, store: StoreAddress, pluginFolders: [String]) {
    self.workers = workers
    self.store = store
    self.pluginFolders = pluginFolders
  }

  package func findings() async -> [Finding] {
    await Self.machineFindings(workers) + storeFindings() + [plugins()]
  }

  /// Returns the findings about the workers' isolation and the HTTP library.
  package static func machineFindings(_ workers: WorkerPool) async -> [Finding] {
    [await isolation(of: workers), http()]
  }

  /// Runs a built-in plugin and reports which restrictions confine the worker.
  private static func isolation(of workers: WorkerPool) async -> Finding {
    let text = "return { fetch = function() end }"
    var run = WorkerRun(
      plugin: PluginSource(name: "doctor", fileName: "doctor.lua", text: Array(text.utf8)), seed: 1)
    run.limits.window = .seconds(5)
    let end = await workers.run(run, calls: NoCalls())
    if case .failure(let failure) = end.result {
      return Finding(subject: "worker", grade: .bad, message: failure.message)
    }
    guard let report = end.isolation else {
      return Finding(subject: "worker", grade: .bad, message: "no worker could be started")
    }
    let parts = [
      "system call filter \(report.seccomp ? "on" : "off")",
      "Landlock \(report.landlockABI > 0 ? "ABI \(report.landlockABI)" : "off")",
      "no new privileges \(report.noNewPrivileges ? "on" : "off")",
      "resource limits \(report.resourceLimits ? "on" : "off")",
    ]
    let advice =
      if !report.isConfined {
        "; plugins run only with `sandbox: best-effort`: run only plugins that you trust"
      } else if !report.isComplete {
        "; the kernel or container refuses a part of the isolation: run only plugins that you trust"
      } else {
        ""
      }
    return Finding(
      subject: "worker", grade: report.isComplete ? .good : .weak,
      message: parts.joined(separator: ", ") + advice)
  }

  private static func http() -> Finding {
    let problem = CurlLibrary.problem
    let version = CurlLibrary.version ?? ""
    return Finding(
      subject: "http", grade: problem == nil ? .good : .bad,
      message: problem ?? "libcurl \(version)")
  }

  private func storeFindings() async -> [Finding] {
    do throws(StoreError) {
      let reader = try await StoreOpener.read(store)
      let faults = try await reader.check()
      guard faults.isEmpty else {
        return [
          Finding(
            subject: "store", grade: .bad,
            message: "\(store) is damaged: \(faults[0]); restore a copy of the store")
        ]
      }
      let jobs = try await reader.jobs()
      let items = jobs.reduce(0) { $0 + $1.itemCount }
      let facts = try await reader.facts()
      let found = Finding(
        subject: "store", grade: .good,
        message: "\(store): sound, \(counted(jobs.count, "job")), \(counted(items, "item"))"
          + (store.isServer ? ", \(facts.database)" : ""))
      return [found]
        + facts.weaknesses.map { Finding(subject: "store", grade: .weak, message: $0) }
    } catch {
      guard error.code == .missing else {
        return [Finding(subject: "store", grade: .bad, message: error.message)]
      }
      let missing = "\(store): there is no store yet"
      guard !store.isServer, let folder = Self.closedFolder(of: store.path) else {
        return [
          Finding(subject: "store", grade: .good, message: missing + "; the first run creates it")
        ]
      }
      return [
        Finding(
          subject: "store", grade: .bad,
          message: missing + ", and this user may create no files in the folder \(folder): change "
            + "its permissions, or keep the store elsewhere (`store:` in the config, or `--store`)")
      ]
    }
  }

  /// Returns the last existing folder on the path of a store's file, if this user may not create
  /// files in it; otherwise nil.
  private static func closedFolder(of path: String) -> String? {
    var folder = path
    repeat {
      guard let slash = folder.lastSlash else {
        folder = "."
        break
      }
      folder = slash == folder.startIndex ? "/" : String(folder[..<slash])
    } while folder != "/" && !FileBytes.isFolder(folder)
    return access(folder, W_OK | X_OK) == 0 ? nil : folder
  }

  private func plugins() -> Finding {
    let there = pluginFolders.filter { FileBytes.absolute($0) != nil }
    return Finding(
      subject: "plugins", grade: there.isEmpty ? .weak : .good,
      message: there.isEmpty
        ? "none of these plugin folders exists: \(pluginFolders.joined(separator: ", ")); create one"
          + " of them, unless the config names others in `plugins`"
        : there.joined(separator: ", "))
  }
}

/// A handler that refuses every host call, for runs that make no host calls.
private struct NoCalls: HostCallHandler {
  func answer(_ call: HostCall) async -> HostCallAnswer {
    .raises("this run cannot make host calls")
  }
}

/// The result of one check of `doctor`.
package struct Finding: Equatable, Sendable {
  package enum Grade: String, Sendable {
    case good
    /// The check found a weakness. For example, the kernel refuses a part of the isolation. Plugins
    /// may need the setting `sandbox: best-effort` to run.
    case weak
    /// The check found a problem that usually makes runs fail.
    case bad
  }

  package var subject: String
  package var grade: Grade
  /// The result of the check. If the grade is not `good`, the message usually also says what to do.
  package var message: String

  package init(subject: String, grade: Grade, message: String) {
    self.subject = subject
    self.grade = grade
    self.message = message
  }
}

extension Finding {
  /// The finding as an object: `{"subject":…,"grade":…,"message":…}`.
  package var value: Value {
    [
      "subject": .string(subject), "grade": .string(grade.rawValue), "message": .string(message),
    ]
  }

  /// Creates a finding from an object; nil if a member is missing or invalid.
  package init?(_ value: Value) {
    guard let subject = value["subject"]?.stringValue,
      let grade = value["grade"]?.stringValue.flatMap(Grade.init(rawValue:)),
      let message = value["message"]?.stringValue
    else { return nil }
    self.init(subject: subject, grade: grade, message: message)
  }

  /// The finding as JSON.
  package var json: String { (try? JSONWriter.text(value)) ?? "{}" }
}
