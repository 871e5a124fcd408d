package import FetchModel

/// The limits that a config sets for a job's plugin, and the settings that the plugin needs but the
/// config lacks. This type is a class because few jobs have terms. A job without terms then stores
/// only a nil reference.
package final class GrantTerms: Sendable {
  package let allowance: Allowance
  /// The requested permissions that the job uses and that `allowance` does not permit.
  package let refused: [AskedPermission]
  /// The missing options and secrets of the job: see `GrantRule.Claim.lacking`.
  package let lacking: [String]

  package init(
    allowance: Allowance = Allowance(), refused: [AskedPermission] = [], lacking: [String] = []
  ) {
    self.allowance = allowance
    self.refused = refused
    self.lacking = lacking
  }

  func lacking(_ problems: [String]) -> GrantTerms {
    GrantTerms(allowance: allowance, refused: refused, lacking: problems)
  }
}
