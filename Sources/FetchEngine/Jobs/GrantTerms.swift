package import FetchModel

/// What a config says that a job's plugin is held against, and fails to say. Few jobs have some, so
/// others are not to carry its size.
package final class GrantTerms: Sendable {
  package let allowance: Allowance
  /// What of the asked is in use and `allowance` refuses.
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
