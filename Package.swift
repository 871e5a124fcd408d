// swift-tools-version: 6.2
import PackageDescription

var strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableUpcomingFeature("InferIsolatedConformances"),
  // Names generic types to the runtime by their parts instead of by a text that it has to read and
  // to check: a tenth of what a short run costs.
  .unsafeFlags(["-Xfrontend", "-disable-concrete-type-metadata-mangled-name-accessors"]),
]
// Only in CI: a newer compiler, which warns of more, must build this too.
if Context.environment["CI"] != nil { strict.insert(.treatAllWarnings(as: .error), at: 5) }
// Debug information takes a seventh of the build's time. CI keeps no programs to debug.
if Context.environment["FETCHRUN_NO_DEBUG_INFO"] != nil { strict.append(.unsafeFlags(["-gnone"])) }

/// The toolchain's own linker. The default one warns of functions in Swift's Foundation, in words
/// that look like a fault of this program. The programs export no symbols: with Swift's default,
/// each symbol of libcurl's libraries would first be searched among 20,000 names of the program.
let linker: [LinkerSetting] = [.unsafeFlags(["-use-ld=lld", "-Xlinker", "--no-export-dynamic"])]

let deque = Target.Dependency.product(name: "DequeModule", package: "swift-collections")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let lifecycle = Target.Dependency.product(
  name: "ServiceLifecycle", package: "swift-service-lifecycle")
let arguments = Target.Dependency.product(
  name: "ArgumentParser", package: "swift-argument-parser")

/// The products of SwiftNIO, which only FetchWeb uses.
let nio = ["NIOCore", "NIOPosix", "NIOHTTP1"].map { name in
  Target.Dependency.product(name: name, package: "swift-nio")
}

let package = Package(
  name: "fetchrun",
  products: [
    .executable(name: "fetchrun", targets: ["fetchrun"]),
    .executable(name: "fetchrun-worker", targets: ["fetchrun-worker"]),
    .executable(name: "fetchrun-web", targets: ["fetchrun-web"]),
  ],
  // The versions that the tests have passed with.
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    .package(url: "https://github.com/apple/swift-collections", exact: "1.6.0"),
    .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
    .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0"),
  ],
  targets: [
    // The worker's side of the process border: no network, no files, no store.
    .systemLibrary(
      name: "LuaLibrary", path: "Sources/Libraries/Lua", pkgConfig: "lua5.4",
      providers: [.apt(["liblua5.4-dev"])]),
    .systemLibrary(
      name: "XMLLibrary", path: "Sources/Libraries/XML", pkgConfig: "libxml-2.0",
      providers: [.apt(["libxml2-dev"])]),
    .systemLibrary(
      name: "ICULibrary", path: "Sources/Libraries/ICU", pkgConfig: "icu-uc",
      providers: [.apt(["libicu-dev"])]),
    .target(name: "CLua", dependencies: ["LuaLibrary"]),
    // The filter of system calls, and ICU's converters.
    .target(name: "CWorker", dependencies: ["ICULibrary"]),
    .target(name: "LuaVM", dependencies: ["CLua"], swiftSettings: strict),
    .systemLibrary(
      name: "NettleLibrary", path: "Sources/Libraries/Nettle", pkgConfig: "nettle",
      providers: [.apt(["nettle-dev"])]),
    .target(name: "FetchValues", dependencies: ["NettleLibrary"], swiftSettings: strict),
    .target(name: "FetchModel", dependencies: ["FetchValues"], swiftSettings: strict),
    .target(name: "FetchWire", dependencies: ["FetchModel", "FetchValues"], swiftSettings: strict),
    .target(
      name: "FetchSandbox",
      dependencies: [
        "FetchWire", "FetchModel", "FetchValues", "LuaVM", "XMLLibrary", "CWorker",
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "fetchrun-worker", dependencies: ["FetchSandbox"], swiftSettings: strict,
      linkerSettings: linker),

    // The host: all effects.
    // The system calls that Swift cannot make, libcurl and the decoders. The libraries are loaded at
    // the first request, not linked.
    .target(name: "CHost"),
    .target(
      name: "FetchHost",
      dependencies: [
        "FetchWire", "FetchModel", "FetchValues", "CHost", deque, logging,
      ],
      swiftSettings: strict),
    .systemLibrary(
      name: "SQLiteLibrary", path: "Sources/Libraries/SQLite", pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"])]),
    .target(
      name: "FetchStore", dependencies: ["FetchModel", "FetchValues"], swiftSettings: strict),
    .target(
      name: "FetchStoreSQLite",
      dependencies: ["FetchStore", "FetchModel", "FetchValues", "SQLiteLibrary"],
      swiftSettings: strict),
    // libpq is loaded when a store in PostgreSQL is opened, not linked.
    .target(name: "CPostgres"),
    .target(
      name: "FetchStorePostgres",
      dependencies: ["FetchStore", "FetchModel", "FetchValues", "CPostgres"],
      swiftSettings: strict),
    .systemLibrary(
      name: "YAMLLibrary", path: "Sources/Libraries/YAML", pkgConfig: "yaml-0.1",
      providers: [.apt(["libyaml-dev"])]),
    .target(
      name: "FetchConfig", dependencies: ["FetchModel", "FetchValues", "YAMLLibrary"],
      swiftSettings: strict),
    // Decides when a job runs. The worker does not link it.
    .target(
      name: "FetchSchedule", dependencies: ["FetchModel", "FetchValues"], swiftSettings: strict),
    .target(
      name: "FetchEngine",
      dependencies: [
        "FetchHost", "FetchStore", "FetchStoreSQLite", "FetchStorePostgres", "FetchConfig",
        "FetchSchedule", "FetchModel",
        "FetchValues", logging,
      ],
      swiftSettings: strict),
    // What the author of a plugin uses: test cases, checks, a beginning.
    .target(
      name: "FetchAuthoring",
      dependencies: [
        "FetchEngine", "FetchHost", "FetchStore", "FetchConfig", "FetchModel", "FetchValues",
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "fetchrun",
      dependencies: [
        "FetchAuthoring", "FetchEngine", "FetchHost", "FetchConfig", "FetchStore", "FetchSchedule",
        "FetchModel", "FetchValues", arguments, logging,
        lifecycle,
      ],
      swiftSettings: strict, linkerSettings: linker),
    // The web process: HTTP, the API and the page. It reads the store and asks the daemon.
    .target(
      name: "FetchWeb",
      dependencies: [
        "FetchEngine", "FetchHost", "FetchConfig", "FetchStore", "FetchSchedule", "FetchModel",
        "FetchValues", "CHost",
      ] + nio,
      swiftSettings: strict),
    .executableTarget(
      name: "fetchrun-web", dependencies: ["FetchWeb"], swiftSettings: strict,
      linkerSettings: linker),
    // Empty: `swift build --target Runner` builds the programs that run jobs, and `--target Programs`
    // builds these and the page.
    .target(
      name: "Runner", dependencies: ["fetchrun", "fetchrun-worker"],
      path: "Sources/Packaging/Runner"),
    .target(
      name: "Programs", dependencies: ["fetchrun", "fetchrun-worker", "fetchrun-web"],
      path: "Sources/Packaging/Programs"),

    .target(
      name: "FetchTestSupport", dependencies: ["FetchStore", "FetchModel", "FetchValues"],
      path: "Tests/FetchTestSupport",
      swiftSettings: strict),
    .target(
      name: "CLuaUnderTest", dependencies: ["LuaLibrary"], path: "Tests/CLuaUnderTest"),
    .testTarget(
      name: "CLuaTests", dependencies: ["CLuaUnderTest"], exclude: ["Comparisons"],
      swiftSettings: strict),
    .testTarget(
      name: "LuaVMTests", dependencies: ["LuaVM", "FetchModel", "FetchValues"],
      exclude: ["Attacks"],
      swiftSettings: strict),
    .testTarget(
      name: "FetchValuesTests", dependencies: ["FetchValues", "FetchTestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "FetchScheduleTests",
      dependencies: ["FetchSchedule", "FetchModel", "FetchValues", "FetchTestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "FetchModelTests", dependencies: ["FetchModel", "FetchValues", "FetchTestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "FetchSandboxPureLibraryTests",
      dependencies: ["FetchSandbox", "FetchModel", "FetchValues"],
      swiftSettings: strict),
    .target(
      name: "FeedConformance", dependencies: ["FetchSandbox", "FetchModel", "FetchValues"],
      path: "Tests/FeedConformance", swiftSettings: strict),
    .testTarget(
      name: "FetchSandboxLibraryTests",
      dependencies: ["FetchSandbox", "FetchModel", "FetchValues", "FeedConformance"],
      exclude: ["Texts"],
      swiftSettings: strict),
    .executableTarget(
      name: "ConformanceRunner",
      dependencies: ["FetchModel", "FetchValues", "FetchTestSupport", "FeedConformance"],
      path: "Tests/ConformanceRunner", swiftSettings: strict),

    .target(name: "CDiskFault", path: "Tests/CDiskFault"),
    .executableTarget(
      name: "StoreCrashHelper",
      dependencies: ["FetchStore", "FetchStoreSQLite", "FetchModel", "FetchValues", "CDiskFault"],
      path: "Tests/StoreCrashHelper", swiftSettings: strict),
    .testTarget(
      name: "FetchStoreTests",
      dependencies: [
        "FetchStore", "FetchStoreSQLite", "FetchStorePostgres", "FetchModel", "FetchValues",
        "FetchTestSupport", "StoreCrashHelper",
      ],
      swiftSettings: strict),

    // Release only: swift run -c release Benchmarks
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        "fetchrun", "fetchrun-worker", "fetchrun-web", "FetchEngine", "FetchHost", "FetchStore",
        "FetchStoreSQLite", "FetchStorePostgres", "FetchTestSupport", "FetchSchedule", "FetchModel",
        "FetchValues", arguments,
      ],
      path: "Tests/Benchmarks", exclude: ["Traces/make-traces", "Peers"], swiftSettings: strict),

    .testTarget(
      name: "FetchWireTests", dependencies: ["FetchWire", "FetchModel", "FetchValues"],
      swiftSettings: strict),
    .executableTarget(name: "HostileWorker", path: "Tests/HostileWorker"),
    .testTarget(
      name: "FetchHostWorkerTests",
      dependencies: [
        "FetchHost", "FetchWire", "FetchModel", "FetchValues", "FetchTestSupport",
        "fetchrun-worker",
        "HostileWorker", logging,
      ],
      path: "Tests/FetchHostTests/Workers", swiftSettings: strict),
    .testTarget(
      name: "FetchHostHTTPTests",
      dependencies: ["FetchHost", "FetchModel", "FetchValues", "CHost", "FetchTestSupport"],
      path: "Tests/FetchHostTests/HTTP", swiftSettings: strict),
    .testTarget(
      name: "FetchHostFilesTests",
      dependencies: ["FetchHost", "FetchModel", "FetchValues", "FetchTestSupport"],
      path: "Tests/FetchHostTests/Files", swiftSettings: strict),
    .testTarget(
      name: "FetchHostTransferTests",
      dependencies: ["FetchHost", "FetchModel", "FetchValues", "FetchTestSupport"],
      path: "Tests/FetchHostTests/Transfers", swiftSettings: strict),
    .testTarget(
      name: "FetchHostSecretsTests",
      dependencies: ["FetchHost", "FetchModel", "FetchValues", "FetchTestSupport"],
      path: "Tests/FetchHostTests/Secrets", swiftSettings: strict),
    .testTarget(
      name: "PluginTests",
      dependencies: [
        "FetchAuthoring", "FetchConfig", "FetchEngine", "FetchHost", "FetchStore",
        "FetchStoreSQLite", "FetchSandbox", "FetchSchedule", "FetchModel", "FetchValues",
        "FetchTestSupport", "LuaVM", "fetchrun-worker",
      ],
      exclude: ["FileAttacks", "Mistakes"], swiftSettings: strict),
    .testTarget(
      name: "FetchConfigTests",
      dependencies: ["FetchConfig", "FetchModel", "FetchValues", "FetchTestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "FetchHostMachineTests",
      dependencies: ["FetchHost", "FetchModel", "FetchValues", "FetchTestSupport"],
      path: "Tests/FetchHostTests/Machine", swiftSettings: strict),
    .testTarget(
      name: "FetchHostTaskTests", dependencies: ["FetchHost", deque],
      path: "Tests/FetchHostTests/Tasks", swiftSettings: strict),
    .testTarget(
      name: "FetchEngineTests",
      dependencies: [
        "FetchEngine", "FetchConfig", "FetchHost", "FetchStore", "FetchStoreSQLite",
        "FetchSchedule", "FetchModel",
        "FetchValues", "FetchTestSupport",
        "fetchrun-worker", logging,
      ],
      swiftSettings: strict),
    .testTarget(
      name: "FetchWebTests",
      dependencies: [
        "FetchWeb", "FetchEngine", "FetchHost", "FetchConfig", "FetchStore", "FetchStoreSQLite",
        "FetchSchedule", "FetchModel", "FetchValues", "FetchTestSupport", "fetchrun",
        "fetchrun-web", "fetchrun-worker",
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOEmbedded", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
      ],
      swiftSettings: strict),
    .testTarget(name: "TidyTests", swiftSettings: strict),
    .executableTarget(name: "WithoutCalls", path: "Tests/WithoutCalls"),
    .testTarget(
      name: "EndToEndTests",
      dependencies: [
        "fetchrun", "fetchrun-worker", "fetchrun-web", "FetchEngine", "FetchTestSupport",
        "FetchConfig", "FetchSchedule", "FetchStore", "FetchModel", "FetchValues", "WithoutCalls",
      ],
      exclude: ["Attacks"], swiftSettings: strict),
  ]
)

// Links only with libFuzzer's runtime, which Tests/Fuzz/run adds.
if Context.environment["FETCHRUN_FUZZ"] != nil {
  package.targets.append(
    .executableTarget(
      name: "Fuzz", dependencies: ["FetchSandbox", "FetchWire", "FetchModel", "FetchValues"],
      path: "Tests/Fuzz", exclude: ["Corpus", "run"], swiftSettings: strict))
}
