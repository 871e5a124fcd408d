import FetchConfig
import FetchEngine
import FetchHost
import FetchModel
import FetchStore
import FetchValues
import Glibc

/// The program `fetchrun-web`: the server, and the commands that print its documents, list or
/// change the tokens, or change the push addresses.
package enum WebProcess {
  private static let usageStatus: Int32 = 64
  private static let failedStatus: Int32 = 1

  /// Runs the program. A server runs until SIGTERM or SIGINT. A server that the service manager's
  /// sockets started also ends after a time without connections, if the config sets such a time.
  package static func main() -> Never {
    ProcessMemory.keepPrivate()
    ProcessMemory.shareHeaps()
    HostExecutor.shared.run {
      let status = await run(
        Array(CommandLine.arguments.dropFirst()), environment: variables)
      _exit(status)
    }
    exit(failedStatus)
  }

  private static func run(_ arguments: [String], environment: [String: String]) async -> Int32 {
    do {
      let options = try WebOptions(arguments, environment: environment)
      try await act(options, environment)
      return 0
    } catch let problem as WebOptions.Problem {
      message(problem.message)
      return problem.message == WebOptions.usage ? usageStatus : failedStatus
    } catch let failed as TokenActions.Failed {
      message(failed.message)
      return failed.status
    } catch {
      message("\(error)")
      return failedStatus
    }
  }

  private static func act(_ options: WebOptions, _ environment: [String: String]) async throws {
    switch options.action {
    case .openAPI:
      let document = OpenAPIDocument.value(of: WebRoutes.all, version: Product.version)
      try output(JSONWriter.text(document, options: JSONWriter.Options(isPretty: true)))
    case .markdown: output(RouteTables.markdown(of: WebRoutes.all))
    case .token(let words): try token(words, options)
    case .pushAddress(let words): try pushAddress(words, options)
    case .serve: try await serve(options, environment)
    case .login:
      // Without an address that a browser can open, nothing is started.
      _ = try own(options)
      let sockets = StateFolder(of: options.store).webSockets
      if ControlClient.hasDaemon(at: sockets) { return try printLogin(options) }
      try await serve(options, environment)
    }
  }

  private static func token(_ words: [String], _ options: WebOptions) throws {
    let time = RunTime.system
    output(
      try TokenActions(
        file: AccessFile(path: StateFolder(of: options.store).webAccess), now: time.now(),
        random: time.random
      ).run(words))
  }

  private static func pushAddress(_ words: [String], _ options: WebOptions) throws {
    let time = RunTime.system
    output(
      try PushAddressActions(
        file: AccessFile(path: StateFolder(of: options.store).webAccess),
        server: try own(options), jobs: options.jobs, now: time.now(), random: time.random
      ).run(words))
  }

  private static func output(_ result: TokenActions.Output) {
    for line in result.lines { output(line) }
    for line in result.messages { message(line) }
  }

  /// Prints an address that logs a browser in.
  private static func printLogin(_ options: WebOptions) throws {
    let time = RunTime.system
    let file = AccessFile(path: StateFolder(of: options.store).webAccess)
    let code = try file.change { records throws(AccessFileError) in
      records.addCode(now: time.now(), random: time.random)
    }
    output("\(try own(options))/login?code=\(code)")
    message("open this address in a browser within five minutes; it works once")
  }

  private static func own(_ options: WebOptions) throws(WebOptions.Problem) -> String {
    guard let own = options.server else {
      throw WebOptions.Problem(
        message: "web.listen names no address: add an address to web.listen, or set web.url to"
          + " the address of a reverse proxy")
    }
    return own
  }

  private static func serve(_ options: WebOptions, _ environment: [String: String]) async throws {
    for warning in options.warnings { message(warning) }
    let inherited = WebListener.inherited(environment)
    let state = StateFolder(of: options.store)
    // This call also creates the state folder, if no other program has created it yet.
    PrivateFile.makeFolder(state.webFolder)
    let own =
      inherited.contains(where: \.isLocal)
      ? nil : try ControlListener(path: state.webSocket(), owner: "another fetchrun-web")
    let store = await opened(options.store)
    var restriction = ProcessRestriction()
    restriction.restrictFiles(options.store, environment)
    let end = EndSignal()
    do throws(Failure) {
      try ProcessSignals.listen(for: [SIGTERM, SIGINT]) { _ in end.ring() }
    } catch { throw WebOptions.Problem(message: error.message) }
    WebServer.useOneLoop()
    let server = server(options, store)
    do {
      if let own { try await server.listen(at: .descriptor(own.descriptor)) }
      for place in inherited { try await server.listen(at: place) }
      if inherited.isEmpty { try await listen(server, options) }
      if options.action == .login { try printLogin(options) }
    } catch {
      own?.removeFile()
      throw error
    }
    restriction.restrictCalls(options.store)
    if let weakness = restriction.weakness { message(weakness) }
    let exitTimeout = inherited.isEmpty ? nil : options.settings.idleExitTimeout
    watchIdleness(server, exitTimeout, end)
    ServiceNotifier(environment: environment).ready()
    await end.wait()
    await server.stop()
    own?.removeFile()
  }

  /// Opens the store, on this thread, while the process still has the right to create the store's
  /// shared memory. If the store cannot be opened, each read tries to open it until one succeeds.
  /// For example, the store may not exist yet.
  private static func opened(_ address: StoreAddress) async -> WebStore {
    let now = RunTime.system.now
    guard let reader = try? await StoreOpener.read(address),
      (try? await reader.lastSequence()) != nil
    else { return WebStore(address, now: now) }
    return WebStore(reader, now: now)
  }

  private static func server(_ options: WebOptions, _ store: WebStore) -> WebServer {
    let state = StateFolder(of: options.store)
    let time = RunTime.system
    var context = WebContext(
      store: store,
      control: WebControl(sockets: state.daemonSockets),
      access: WebAccess(
        options.settings, file: AccessFile(path: state.webAccess), random: time.random),
      now: time.now, clock: time.clock)
    context.errorPage = PageRoutes.errorPage
    context.hooks = options.hooks
    context.disabledJobs = options.disabledJobs
    let site = WebSite(WebRoutes.all, context)
    return WebServer(ConnectionService(site, now: time.now))
  }

  private static func listen(_ server: WebServer, _ options: WebOptions) async throws {
    var isListening = false
    for place in options.settings.listen {
      do {
        try await server.listen(at: .address(place.address, port: place.port))
        isListening = true
        message("listening at http://\(place)")
        let peer = WebPeer.address(place.address)
        if !peer.isLoopback, options.settings.url?.hasPrefix("https://") != true {
          message(
            "warning: \(place) can be reached from other machines without encryption: put a reverse"
              + " proxy with TLS in front of it, and set web.url to the https address of the proxy")
        }
      } catch  where place.address.isV6 && WebPeer.address(place.address).isLoopback {
        // Some machines have no IPv6.
        message("note: not listening at \(place): \(error)")
      } catch {
        throw WebOptions.Problem(message: "cannot listen at \(place): \(error)")
      }
    }
    if !isListening { message("listening only at the unix socket") }
  }

  /// The time without a connection after which the process returns freed memory to the system.
  private static let trimDelay: Duration = .seconds(5)

  /// Trims the memory after a short time without a connection. Ends the process after `exitTimeout`
  /// without a connection, unless `exitTimeout` is nil. Only a process that the service manager's
  /// sockets started may end, because only these sockets start it again.
  private static func watchIdleness(
    _ server: WebServer, _ exitTimeout: Duration?, _ end: EndSignal
  ) {
    let trim = IdleWait(trimDelay) { ProcessMemory.trim() }
    let exit = exitTimeout.map { IdleWait($0) { end.ring() } }
    server.onChange { isEmpty in
      trim.changed(isEmpty)
      exit?.changed(isEmpty)
    }
  }

  private static func output(_ text: String) {
    let line = Array("\(text)\n".utf8)
    var rest = line[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  static func message(_ text: String) {
    let line = Array("fetchrun-web: \(text)\n".utf8)
    _ = line.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }

  private static var variables: [String: String] {
    var variables: [String: String] = [:]
    var next = environ
    while let entry = next.pointee {
      let text = String(cString: entry)
      if let cut = text.firstIndex(of: "=") {
        variables[String(text[..<cut])] = String(text[text.index(after: cut)...])
      }
      next += 1
    }
    return variables
  }
}
