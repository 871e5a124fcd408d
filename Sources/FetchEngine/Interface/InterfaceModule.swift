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
