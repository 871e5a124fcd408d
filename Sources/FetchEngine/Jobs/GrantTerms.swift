package import FetchModel

/// The limits that a config sets for a job's plugin, and the settings that it lacks. It is an
/// object because few jobs have any, and the others should not pay for its size.
package final class GrantTerms: Sendable {
  package let allowance: Allowance
  /// The requested permissions that are in use and that `allowance` refuses.
  package let refused: [AskedPermission]
  /// See `GrantRule.Claim.lacking`.
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
