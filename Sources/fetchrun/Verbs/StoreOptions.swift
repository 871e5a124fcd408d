import ArgumentParser
import FetchConfig

/// Where the store is: the flag, else the environment, else the usual place.
struct StoreOptions: ParsableArguments {
  @Option(name: .long, help: "The store's file.", completion: .file())
  var store: String?

  init() {}

  init(_ plain: PlainWords) {
    store = plain[single: "--store"]
  }

  func path(configured: String? = nil) -> String {
    store ?? configured ?? Surroundings.locations.store
  }
}
