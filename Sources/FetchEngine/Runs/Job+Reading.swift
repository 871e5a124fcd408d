import FetchHost
import FetchModel
import FetchValues

extension Job {
  /// Returns the failure of a refused read. If the plugin's file requests the path, the message
  /// includes the command with which the user grants it.
  func explained(_ failure: Failure, at path: String, _ suggested: SuggestedCommand) -> Failure {
    guard holdsToGrant, failure.code == .permission, failure.message.hasSuffix(ReadGrant.hint)
    else { return failure }
    let asked = PermissionResolution.paths(plugin.manifest.permissions.read, options)
    guard AskedPermissions(asked.map { .read($0) }).covers(.read(path)) else { return failure }
    var failure = failure
    failure.message.removeLast(ReadGrant.hint.count)
    failure.message +=
      "its file requests this permission: agree with " + suggested.command("grant", of: .job(name))
    return failure
  }

  /// Returns the result of a request for a `file:` address. If the request failed, the failure
  /// includes the command that grants the path.
  func explained<Answer>(
    _ result: Result<Answer, Failure>, of url: String, _ suggested: SuggestedCommand
  ) -> Result<Answer, Failure> {
    guard case .failure(let failure) = result, let target = try? TargetURL(url),
      target.scheme == .file
    else { return result }
    let path = String(decoding: PercentEncoding.decode(target.path.utf8), as: UTF8.self)
    return .failure(explained(failure, at: path, suggested))
  }
}
