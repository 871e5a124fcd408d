import FetchValues
import Glibc

/// The group that many systems create for each user, with the user's name and no other member.
enum PrivateGroup {
  struct User: Equatable {
    var id: uid_t
    var name: String
    var group: gid_t
  }

  struct Group: Equatable {
    var id: gid_t
    var name: String
    /// The names of the group's members, except users whose primary group it is.
    var members: [String]
  }

  /// Whether the group is the private group of this process's user.
  static func isOwn(_ id: gid_t) -> Bool {
    guard let user = user(geteuid()), user.group == id, let group = group(id) else { return false }
    return isPrivate(group, of: user)
  }

  /// Whether `group` is the private group of `user`: the group has the user's name and no other
  /// member, as `useradd` creates it. Root has no private group, because members of group 0 are
  /// administrators.
  static func isPrivate(_ group: Group, of user: User) -> Bool {
    user.id != 0 && group.id != 0 && user.group == group.id
      && ExactText(group.name) == ExactText(user.name)
      && group.members.allSatisfy { ExactText($0) == ExactText(user.name) }
  }

  /// The maximum size of an entry that is read from the system's databases of users and groups, in
  /// bytes.
  private static let entryBytesMax = 64 << 10

  private static func user(_ id: uid_t) -> User? {
    var entry = passwd()
    var found: UnsafeMutablePointer<passwd>?
    var buffer = [CChar](repeating: 0, count: entryBytesMax)
    guard getpwuid_r(id, &entry, &buffer, buffer.count, &found) == 0, let found else { return nil }
    return User(
      id: id, name: String(cString: found.pointee.pw_name), group: found.pointee.pw_gid)
  }

  private static func group(_ id: gid_t) -> Group? {
    var entry = Glibc.group()
    var found: UnsafeMutablePointer<Glibc.group>?
    var buffer = [CChar](repeating: 0, count: entryBytesMax)
    guard getgrgid_r(id, &entry, &buffer, buffer.count, &found) == 0, let found else { return nil }
    var members: [String] = []
    var next = found.pointee.gr_mem
    while let place = next, let member = place.pointee {
      members.append(String(cString: member))
      next = place + 1
    }
    return Group(id: id, name: String(cString: found.pointee.gr_name), members: members)
  }
}
