import FetchModel
import FetchValues

/// One place of a config that has a program started.
struct ProgramUse {
  /// As it is written there.
  var program: String
  var file: String
  var place = ConfigPlace()

  /// In the order of the secrets of the file, the hooks, and the secrets of jobs.
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
    }
    return uses
  }

  private init(_ words: [String], file: String, place: ConfigPlace = ConfigPlace()) {
    program = words.first ?? ""
    self.file = file
    self.place = place
  }
}
