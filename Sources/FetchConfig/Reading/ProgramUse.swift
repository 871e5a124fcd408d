import FetchModel
import FetchValues

/// A place in a config at which a program is named that fetchrun starts.
struct ProgramUse {
  /// The name or path of the program, as the config has it.
  var program: String
  var file: String
  var place = ConfigPlace()

  /// Returns all uses of programs in the config: those of the file's secrets, of the hooks, and of
  /// the jobs' secrets, in this order.
  static func all(in config: Config) -> [ProgramUse] {
    var uses: [ProgramUse] = []
    for secret in config.secrets {
      uses += secret.source.commands.map { ProgramUse($0, file: config.file) }
    }
    for hook in config.allHooks {
      let place = ConfigPlace(line: hook.place.line, column: hook.place.column)
      uses += hook.sink.commands.map { ProgramUse($0, file: hook.file, place: place) }
    }
    for job in config.jobs {
      for (index, secret) in job.secrets.enumerated() {
        let place =
          index < job.secretPlaces.count
          ? job.secretPlaces[index] : ConfigPlace(line: job.line, column: job.column)
        uses += secret.source.commands.map { ProgramUse($0, file: job.file, place: place) }
      }
      let place = ConfigPlace(line: job.line, column: job.column)
      uses += (job.push?.secret?.commands ?? []).map {
        ProgramUse($0, file: job.file, place: place)
      }
    }
    return uses
  }

  private init(_ words: [String], file: String, place: ConfigPlace = ConfigPlace()) {
    program = words.first ?? ""
    self.file = file
    self.place = place
  }
}
