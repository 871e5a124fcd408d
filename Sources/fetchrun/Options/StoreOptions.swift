import ArgumentParser
import FetchConfig

/// The option that names the store's file. Without it, the config, the environment or the usual
/// place decides, in this order.
struct StoreOptions: ParsableArguments {
  @Option(
    name: .long,
    help:
      "The store's file (default: `store` of the config, otherwise $FETCHRUN_STORE or ~/.local/state/fetchrun/store.sqlite).",
    completion: .file())
  var store: String?

  init() {}

  init(_ plain: FastArguments) {
    store = plain[single: "--store"]
  }

  func path(configured: String? = nil) -> String {
    store ?? configured ?? ProcessEnvironment.locations.store
  }
}
