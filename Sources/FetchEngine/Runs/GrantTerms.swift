package import FetchModel

/// What a config says that a job's plugin is held against. Few jobs have some, so others are not to
/// carry its size.
package final class GrantTerms: Sendable {
  package let allowance: Allowance
  /// What of the asked is in use and `allowance` refuses.
  package let refused: [AskedPermission]

  package init(allowance: Allowance, refused: [AskedPermission]) {
    self.allowance = allowance
    self.refused = refused
  }
}
