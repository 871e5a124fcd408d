/// What `require` gives for a name.
struct InterfaceModule {
  var name: String
  var functions: [InterfaceFunction]
  /// What is in it besides functions.
  var values: [InterfaceField] = []

  init(_ name: String, _ functions: [InterfaceFunction], values: [InterfaceField] = []) {
    self.name = name
    self.functions = functions
    self.values = values
  }
}
