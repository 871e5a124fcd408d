package import FetchModel

/// Which store a config names.
package struct ConfiguredStore: Equatable, Sendable {
  /// Nil for the usual one.
  package var path: String?
  /// The retention settings; nil if the config cannot be read.
  package var keep: Retention?
  /// The private addresses that all jobs may reach; none if the config has mistakes.
  package var privateAddresses = PrivateAddresses.none
  /// What else was seen to be wrong with the config, if not with its store.
  package var problems: [ConfigProblem] = []
}
