/// Every pure library function that a plugin can reach. Lua calls a function by its index in this
/// list. The index is the same in every worker of one build, and is never stored.
package enum LibraryRegistry {
  package static let all: [LibraryFunction] =
    JSONLibrary.functions + CSVLibrary.functions + TimeLibrary.functions + URLLibrary.functions
    + HashLibrary.functions + Base64Library.functions + TextLibrary.functions
    + FeedLibrary.functions + XMLTreeLibrary.functions + HTMLLibrary.functions
}
