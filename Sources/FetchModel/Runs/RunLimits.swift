/// The ceilings of one run. Each ends the run it is reached in, as `failed` with a code that names
/// it; no other run is touched.
///
/// The property names are the names in a job's `limits:` and in a plugin's manifest.
package struct RunLimits: Equatable, Sendable {
  /// Wall time from the worker's start of the run until its result: iOS gives a woken app 30 s.
  package var window: Duration = .seconds(30)
  /// Wall time for which the window stands still while the run waits for its turn at hostnames, all
  /// waits together; more of it counts as the run's own. A run holds one of the `runs` at once and its
  /// job's lane meanwhile. Six hundred requests fit, with the usual gap of a second between two.
  package var waiting: Duration = .seconds(600)
  /// CPU time of the plugin's own code. Real plugins use milliseconds.
  package var cpu: Duration = .seconds(5)
  /// What the run's Lua state may hold.
  package var memoryBytes: Int = 64 << 20
  /// One response body, after decompression.
  package var bodyBytes: Int = 16 << 20
  /// Decompressed size over received size; beyond this a body is a bomb (deflate reaches 1032).
  package var decompressionRatio: Int = 200
  /// Calls of the host: requests, checkpoints, files.
  package var hostCalls: Int = 1_000
  package var items: Int = 100_000
  /// All items and the state of one run together, as they cross the border.
  package var resultBytes: Int = 32 << 20
  package var logBytes: Int = 64 << 10
  /// Tables inside each other in a value that crosses the border.
  package var nesting: Int = 64

  package init() {}

  /// What all items and the state of one run may take in the host's memory, and as JSON in the store.
  /// Twice the limit of their bytes: 100,000 items with an id, a title, an address and a date weigh
  /// 48 MB and have 18 MB on the wire.
  package var resultWeight: Int { 2 * resultBytes }

  /// What the arguments of one call of the host may take in the host's memory beyond their bytes:
  /// a request's body is one text, and its headers are few.
  package static let argumentExcessBytesMax = 4 << 20
  /// What a plugin's table without its functions may take in the host's memory.
  package static let manifestWeightMax = 8 << 20

  /// How long after the window the worker process is ended when it does not give the run back.
  package static let windowGrace: Duration = .seconds(2)
  /// A plugin's source text. The largest scripts in the field have some 50 KB.
  package static let sourceBytesMax = 1 << 20
}
