/// The limits of one run. A run that reaches a limit ends as `failed` with a code for that limit.
/// No other run is affected.
///
/// The property names are the names in a job's `limits:` and in a plugin's manifest.
package struct RunLimits: Equatable, Sendable {
  /// The maximum time from the run's start in the worker to its result. The default is the time
  /// that iOS gives an app that it wakes.
  package var window: Duration = .seconds(30)
  /// The maximum total time for which the run may wait until it may send requests to hostnames.
  /// During this time, the window does not pass. Further waiting counts as the run's own time. A
  /// waiting run still counts as one of the concurrent `runs`, and no other run of its job starts.
  /// The default is enough for six hundred requests with the usual gap of a second.
  package var waiting: Duration = .seconds(600)
  /// The maximum CPU time of the plugin's own code. Real plugins use milliseconds.
  package var cpu: Duration = .seconds(5)
  /// The maximum memory of the run's Lua state, in bytes.
  package var memoryBytes: Int = 64 << 20
  /// The maximum size of one answer's body after decompression, in bytes.
  package var bodyBytes: Int = 16 << 20
  /// The highest ratio of decompressed to received size. A higher ratio is treated as an attack;
  /// deflate can reach 1032.
  package var decompressionRatio: Int = 200
  /// The maximum number of host calls, such as requests, checkpoints and file operations.
  package var hostCalls: Int = 1_000
  package var items: Int = 100_000
  /// The maximum size of a run's items and state together, in bytes, in the encoding for the host.
  package var resultBytes: Int = 32 << 20
  package var logBytes: Int = 64 << 10
  /// The maximum depth of nested tables in a value that is passed to the host.
  package var nesting: Int = 64

  package init() {}

  /// The maximum memory of a run's items and state in the host, and their maximum size as JSON in
  /// the store, in bytes. This limit is twice `resultBytes`, because decoded values need more
  /// memory than their encoding. For example, 100,000 items with an id, a title, an address and a
  /// date need 48 MB of memory and 18 MB on the wire.
  package var resultWeight: Int { 2 * resultBytes }

  /// The maximum memory, in bytes, that the arguments of one host call may need beyond their
  /// encoded size. The limit can be small, because a request's body is one string, and a request
  /// has few headers.
  package static let argumentExcessBytesMax = 4 << 20
  /// The maximum memory of a plugin's table without its functions, in bytes.
  package static let manifestWeightMax = 8 << 20

  /// The time after the end of the window at which the host kills a worker process that has not
  /// returned the run.
  package static let windowGrace: Duration = .seconds(2)
  /// The maximum size of a plugin's source text, in bytes. The largest known scripts have about 50
  /// KB.
  package static let sourceBytesMax = 1 << 20
}
