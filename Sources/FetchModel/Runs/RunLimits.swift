/// The limits of one run. A run that reaches one ends as `failed` with a code that names it; no
/// other run is affected.
///
/// The property names are the names in a job's `limits:` and in a plugin's manifest.
package struct RunLimits: Equatable, Sendable {
  /// Wall time from the run's start in the worker to its result: iOS gives a woken app 30 s.
  package var window: Duration = .seconds(30)
  /// The longest wall time, over all waits, for which the window stops while the run waits for its
  /// turn at hostnames. More waiting counts as the run's own time. During it the run occupies one
  /// of the concurrent `runs` and its job's lane. Six hundred requests fit, with the usual gap of a
  /// second.
  package var waiting: Duration = .seconds(600)
  /// CPU time of the plugin's own code. Real plugins use milliseconds.
  package var cpu: Duration = .seconds(5)
  /// The memory of the run's Lua state.
  package var memoryBytes: Int = 64 << 20
  /// One response body, after decompression.
  package var bodyBytes: Int = 16 << 20
  /// Decompressed size over received size; a body beyond this is a bomb (deflate reaches 1032).
  package var decompressionRatio: Int = 200
  /// Host calls: requests, checkpoints, files.
  package var hostCalls: Int = 1_000
  package var items: Int = 100_000
  /// All items and the state of one run together, as encoded for the host.
  package var resultBytes: Int = 32 << 20
  package var logBytes: Int = 64 << 10
  /// Nested tables in a value that is passed to the host.
  package var nesting: Int = 64

  package init() {}

  /// The memory of all items and the state of one run in the host, and their size as JSON in the
  /// store. It is twice the limit of their bytes: 100,000 items with an id, a title, an address and
  /// a date weigh 48 MB and take 18 MB on the wire.
  package var resultWeight: Int { 2 * resultBytes }

  /// The memory of one host call's arguments beyond their bytes: a request's body is one text, and
  /// its headers are few.
  package static let argumentExcessBytesMax = 4 << 20
  /// The memory of a plugin's table without its functions.
  package static let manifestWeightMax = 8 << 20

  /// The time after the window at which a worker process that has not returned the run is killed.
  package static let windowGrace: Duration = .seconds(2)
  /// The size of a plugin's source text. The largest scripts in the field have about 50 KB.
  package static let sourceBytesMax = 1 << 20
}
