/// A module of the plugin interface, which `require` returns.
package struct InterfaceModule {
  package var name: String
  package var functions: [InterfaceFunction]
  /// The fields of the module that are not functions.
  package var values: [InterfaceField] = []

  init(_ name: String, _ functions: [InterfaceFunction], values: [InterfaceField] = []) {
    self.name = name
    self.functions = functions
    self.values = values
  }
}

/// A section of the page for authors. It contains the modules that share a table, and the classes
/// of their arguments and results.
package struct InterfaceSection {
  /// The heading on the page.
  package let title: String
  package let modules: [InterfaceModule]
  /// The classes of the section. Each has its own table on the page.
  package let classes: [InterfaceClass]
  /// The classes that appear only in the stubs for editors.
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
