/// Does what runs ask for: the only way from a plugin to an effect.
package protocol HostCallHandler: Sendable {
  /// Called once for each call a run makes, never again when the run is repeated after a crash.
  /// Cancelled when the run ends before the answer is there; the answer is then not used.
  func answer(_ call: HostCall) async -> HostCallAnswer
}
