import FetchValues

/// The reading of a config by its index, and the writing of the index.
extension ConfigFile {
  /// Returns the index file of a config; nil if the config needs none, or if `jobs.d` has files
  /// with further jobs or cannot be read.
  static func indexFile(
    of path: String, _ bytes: [UInt8], _ locations: Locations
  ) -> ConfigIndexFile? {
    guard (try? jobFiles(in: folder(of: path) + jobsFolder))?.isEmpty == true else { return nil }
    return ConfigIndexFile(of: path, containing: bytes, in: locations.cacheFolder)
  }

  /// Returns the config with only the jobs of a part. Returns nil if the part has other jobs than
  /// expected, or any problem: only the whole config shows all problems.
  static func config(
    with part: ConfigIndex.Part, at path: String, _ environment: [String: String]
  ) -> Config? {
    let found = inspect(part.text, path: path, environment: environment, without: part.skipped)
    guard found.problems.isEmpty, found.config.jobs.map(\.name) == part.jobs else { return nil }
    return found.config
  }

  /// Writes the index of a config that was read as a whole, unless the present index fits. An index
  /// is written only if the first job read by it is the same as in the whole config.
  static func refresh(
    _ index: ConfigIndexFile, of found: ConfigReader.Reading, at path: String,
    _ environment: [String: String]
  ) {
    guard index.part(naming: []) == nil, let first = found.config.jobs.first,
      let new = index.index(of: found), let part = index.part(naming: [first.name], by: new),
      let config = config(with: part, at: path, environment)
    else { return }
    let names = Set(part.jobs)
    var whole = found.config
    whole.jobs = whole.jobs.filter { names.contains($0.name) }
    if config == whole { index.write(new) }
  }
}
