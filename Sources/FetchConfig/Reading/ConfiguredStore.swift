package import FetchModel

/// The store that a config names.
package struct ConfiguredStore: Equatable, Sendable {
  /// The path of the store; nil for the default path.
  package var path: String?
  /// The retention settings; nil if the config cannot be read.
  package var keep: Retention?
  /// The private addresses that all jobs may reach; `.none` if the config has mistakes.
  package var privateAddresses = PrivateAddresses.none
  /// The other problems that were found in the config, if none of them concerns the store.
  package var problems: [ConfigProblem] = []
}
