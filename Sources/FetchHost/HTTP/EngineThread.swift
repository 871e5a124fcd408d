import Glibc

/// Starts the engine's thread, which ends when the engine's loop ends.
enum EngineThread {
  /// Starts a thread that owns and runs the loop; returns false if no thread can be created.
  static func start(_ loop: EngineLoop) -> Bool {
    var thread = pthread_t()
    let context = Unmanaged.passRetained(loop)
    let code = pthread_create(&thread, nil, runEngineLoop, context.toOpaque())
    guard code == 0 else {
      context.release()
      return false
    }
    pthread_detach(thread)
    return true
  }
}

private func runEngineLoop(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let context else { return nil }
  Unmanaged<EngineLoop>.fromOpaque(context).takeRetainedValue().run()
  return nil
}
