import FetchModel
import Yams

extension ConfigReader {
  /// What is written is added to what holds already.
  mutating func setAllow(to node: Node, in allow: inout Allowance) {
    guard let mapping = mapping(node, "allow") else { return }
    for (key, _, node) in entries(mapping, AllowKey.self) {
      switch key {
      case .hosts: allow.hosts = (allow.hosts ?? []) + hosts(node)
      case .privateAddresses:
        allow.privateAddresses = allow.privateAddresses.union(privateAddresses(node))
      case .read: allow.readPaths += texts(node, "read").map(\.text)
      case .write: allow.keepsFiles = flag(node, "write")
      }
    }
  }

  private mutating func privateAddresses(_ node: Node) -> PrivateAddresses {
    if case .scalar = node, let flag = value(node).boolValue { return PrivateAddresses(flag) }
    let blocks = parsed(node, "private", by: AddressBlock.init(parsing:))
    return blocks.isEmpty ? .none : .within(blocks)
  }
}
