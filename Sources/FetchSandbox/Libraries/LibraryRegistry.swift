/// Every pure library function that a plugin can reach. A function's place in the list is the
/// number Lua calls it by; it is the same in every worker of one build, and nowhere stored.
package enum LibraryRegistry {
  package static let all: [LibraryFunction] =
    JSONLibrary.functions + CSVLibrary.functions + TimeLibrary.functions + URLLibrary.functions
    + HashLibrary.functions + Base64Library.functions + TextLibrary.functions
    + FeedLibrary.functions + XMLTreeLibrary.functions + HTMLLibrary.functions
}
