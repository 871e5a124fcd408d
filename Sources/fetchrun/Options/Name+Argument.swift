public import ArgumentParser
public import FetchValues

/// The name of a job or a hook, as typed on the command line.
extension Name: ExpressibleByArgument {
  public init?(argument: String) { self.init(argument) }
}
