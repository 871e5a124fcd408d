import FetchHost
import FetchModel
import Synchronization

/// The file `web.json`. `records` reads the file again if it has changed.
///
/// Several processes change the file: the command line adds tokens, and the web process adds logins
/// of browsers. `change` works under a lock, and replaces the file completely or not at all.
package final class AccessFile: Sendable {
  private struct State {
    var stamp: FileStamp?
    var records = AccessRecords()
  }

  package let path: String
  private let state = Mutex(State())

  package init(path: String) { self.path = path }

  /// Returns the present contents, which are empty if there is no file.
  package func records() throws(AccessFileError) -> AccessRecords {
    let stamp = FileStamp(path)
    if let known = state.withLock({ $0.stamp == stamp ? $0.records : nil }) { return known }
    let records = try read()
    state.withLock { $0 = State(stamp: stamp, records: records) }
    return records
  }

  /// Changes the contents under a lock, and returns the result of `body`. If `body` throws an
  /// error, or if the file would become too large, nothing is changed.
  package func change<Result>(
    _ body: (inout AccessRecords) throws(AccessFileError) -> Result
  ) throws(AccessFileError) -> Result {
    let outcome: Swift.Result<Result, AccessFileError>
    do throws(SecretProblem) {
      outcome = try PrivateFile.locked(path) { () throws(SecretProblem) in
        Swift.Result { () throws(AccessFileError) in try changeLocked(body) }
      }
    } catch { throw AccessFileError(error.message) }
    return try outcome.get()
  }

  private func changeLocked<Result>(
    _ body: (inout AccessRecords) throws(AccessFileError) -> Result
  ) throws(AccessFileError) -> Result {
    var records = try read()
    let before = records
    let result = try body(&records)
    guard records != before else { return result }
    let json = records.json
    // A larger file could not be read again, and nobody would have access.
    guard json.count <= AccessRecords.bytesMax else {
      throw AccessFileError(
        "\(path) would have more than \(AccessRecords.bytesMax) bytes; remove some tokens"
          + " (`fetchrun token remove NAME`) or addresses for pushes (`fetchrun push"
          + " --remove-address JOB`) first")
    }
    do throws(SecretProblem) { try PrivateFile.replace(path, with: json) } catch {
      throw AccessFileError(error.message)
    }
    return result
  }

  private func read() throws(AccessFileError) -> AccessRecords {
    guard PrivateFile.isThere(path) else { return AccessRecords() }
    let bytes: [UInt8]
    do throws(SecretProblem) {
      bytes = try PrivateFile.read(path, isShared: false, bytesMax: AccessRecords.bytesMax)
    } catch { throw AccessFileError(error.message) }
    guard let records = AccessRecords(json: bytes) else {
      throw AccessFileError(
        "\(path) cannot be read; move it away, then add the tokens (`fetchrun token add`) and the"
          + " addresses for pushes (`fetchrun push --address`) again")
    }
    return records
  }
}

/// The reason why `web.json` cannot be read or changed.
package struct AccessFileError: Error, Equatable, CustomStringConvertible {
  package var description: String
  package init(_ description: String) { self.description = description }
}
