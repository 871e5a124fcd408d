/// What `require` gives for a name.
package struct InterfaceModule {
  package var name: String
  package var functions: [InterfaceFunction]
  /// What is in it besides functions.
  package var values: [InterfaceField] = []

  init(_ name: String, _ functions: [InterfaceFunction], values: [InterfaceField] = []) {
    self.name = name
    self.functions = functions
    self.values = values
  }
}

/// A section of the page for authors: modules that share a table, and the tables that they give or
/// take.
package struct InterfaceSection {
  /// The heading on the page.
  package let title: String
  package let modules: [InterfaceModule]
  /// Each has a table of its own.
  package let classes: [InterfaceClass]
  /// Tables that only the stubs for editors name.
  package let stubClasses: [InterfaceClass]

  init(
    _ title: String, _ modules: [InterfaceModule] = [], classes: [InterfaceClass] = [],
    stubClasses: [InterfaceClass] = []
  ) {
    self.title = title
    self.modules = modules
    self.classes = classes
    self.stubClasses = stubClasses
  }
}
