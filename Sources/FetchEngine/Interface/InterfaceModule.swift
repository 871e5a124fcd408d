/// A module that `require` returns for a name.
package struct InterfaceModule {
  package var name: String
  package var functions: [InterfaceFunction]
  /// The fields that are not functions.
  package var values: [InterfaceField] = []

  init(_ name: String, _ functions: [InterfaceFunction], values: [InterfaceField] = []) {
    self.name = name
    self.functions = functions
    self.values = values
  }
}

/// A section of the page for authors: modules that share a table, with the tables that they return
/// or take.
package struct InterfaceSection {
  /// The heading on the page.
  package let title: String
  package let modules: [InterfaceModule]
  /// The classes, each with its own table.
  package let classes: [InterfaceClass]
  /// The tables that only the stubs for editors name.
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
