package import FetchValues

/// The matching of the secrets that a manifest requests with the secrets that the user gives.
package enum SecretResolution {
  /// Returns a grant for each given secret that the manifest requests, with the hostnames that may
  /// receive the secret. A given secret that the manifest does not request is a problem, and so is
  /// a missing secret that the manifest requires.
  package static func fit(
    _ given: [GivenSecret], to request: PermissionRequest, options: ValueObject
  ) -> (grants: [SecretGrant], problems: [OptionProblem]) {
    var problems: [OptionProblem] = []
    var grants: [SecretGrant] = []
    for secret in given {
      guard let asked = request.secrets.first(where: { isSame($0.name, secret.name) }) else {
        problems.append(unknown(secret.name, request.secrets.map(\.name)))
        continue
      }
      let hosts = secret.hosts ?? PermissionResolution.hosts(asked.hosts, options)
      grants.append(SecretGrant(name: secret.name, hosts: hosts))
    }
    for asked in request.secrets
    where asked.isRequired && !given.contains(where: { isSame($0.name, asked.name) }) {
      problems.append(missing(asked))
    }
    return (grants, problems)
  }

  private static func isSame(_ left: String, _ right: String) -> Bool {
    ExactText(left) == ExactText(right)
  }

  private static func unknown(_ name: String, _ known: [String]) -> OptionProblem {
    let there =
      known.isEmpty ? "it asks for no secrets" : "it asks for " + known.joined(separator: ", ")
    return OptionProblem(
      secret: name,
      "the manifest does not ask for the secret '\(name)'\(NearestName.hint(name, among: known)); "
        + there)
  }

  private static func missing(_ asked: SecretRequest) -> OptionProblem {
    let what = asked.summary.map { " (\($0))" } ?? ""
    return OptionProblem(
      secret: asked.name, "the secret '\(asked.name)'\(what) is missing", isMissing: true)
  }
}
