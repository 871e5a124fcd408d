import ArgumentParser
import FetchModel
import FetchValues

/// The options that allow jobs to reach private addresses.
struct PrivateAddressOptions: ParsableArguments {
  @Flag(name: .long, help: "Allow private, loopback and link-local addresses.")
  var allowPrivate = false

  @Option(
    name: .long,
    help: ArgumentHelp(
      "Like --allow-private, but only for the addresses in this block; may be repeated.",
      valueName: "cidr"))
  var allowPrivateNetwork: [String] = []

  static let plainFlags = ["--allow-private"]
  static let plainLists = ["--allow-private-network"]

  init() {}

  init(_ plain: FastArguments) {
    allowPrivate = plain.has("--allow-private")
    allowPrivateNetwork = plain[list: "--allow-private-network"]
  }

  mutating func validate() throws {
    for text in allowPrivateNetwork {
      do throws(AddressBlockError) { _ = try AddressBlock(parsing: text) } catch {
        throw ValidationError("--allow-private-network: \(error)")
      }
    }
  }

  var privateAddresses: PrivateAddresses {
    let blocks = allowPrivateNetwork.compactMap { try? AddressBlock(parsing: $0) }
    return blocks.isEmpty ? PrivateAddresses(allowPrivate) : .within(blocks)
  }

  mutating func allow(_ addresses: PrivateAddresses) {
    switch privateAddresses.union(addresses) {
    case .none: break
    case .all: (allowPrivate, allowPrivateNetwork) = (true, [])
    case .within(let blocks): allowPrivateNetwork = blocks.map(\.description)
    }
  }
}

/// The network options of verbs that make requests.
struct NetworkOptions: ParsableArguments {
  @OptionGroup var addresses: PrivateAddressOptions

  @Option(
    name: .long, help: "A PEM file of certificate authorities, instead of the system's.",
    completion: .file())
  var caFile: String?

  @Flag(
    name: .long,
    help: "Do not verify TLS certificates: anyone on the network path can change the answers.")
  var insecure = false

  static let plainFlags = PrivateAddressOptions.plainFlags + ["--insecure"]
  static let plainSingles = ["--ca-file"]
  static let plainLists = PrivateAddressOptions.plainLists

  init() {}

  init(_ plain: FastArguments) {
    addresses = PrivateAddressOptions(plain)
    caFile = plain[single: "--ca-file"]
    insecure = plain.has("--insecure")
  }

  var privateAddresses: PrivateAddresses { addresses.privateAddresses }

  func warn(_ output: RunOutput) {
    guard insecure else { return }
    output.message(
      "TLS certificates are not verified (--insecure): anyone on the network path can read and"
        + " change what is fetched")
  }

  /// The default options, for verbs that make no requests.
  static var none: NetworkOptions { NetworkOptions(FastArguments()) }
}
