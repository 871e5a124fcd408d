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
// Debug information takes a part of the build's time, and only debug builds need it. The package
// manager's own `-g` comes later and would win over a plain `-gnone`.
strict.append(.unsafeFlags(["-Xfrontend", "-gnone"], .when(configuration: .release)))

/// `FETCHRUN_TESTS=release` builds the tests in release mode, with the programs that they test.
/// CI does so: it builds the sources once, and tests the programs that it packages. The code of the
/// tests is not optimized.
var tested = strict
if Context.environment["FETCHRUN_TESTS"] == "release" {
  strict.append(.unsafeFlags(["-enable-testing"]))
  // Nothing imports the tests. Writing their interfaces first would check all of them twice.
  tested = strict + [.unsafeFlags(["-Onone", "-no-emit-module-separately-wmo"])]
}

/// The toolchain's own linker. The default one warns of functions in Swift's Foundation, in words
/// that look like a fault of this program. The programs export no symbols: with Swift's default,
/// each symbol of libcurl's libraries would first be searched among 20,000 names of the program.
///
/// The programs contain Swift's libraries, so that they start faster and run without Swift. The
/// option `--static-swift-stdlib` would do the same, but then the tests, which cannot have them,
/// would need all modules compiled a second time. For the same reason, no test depends on a program.
/// The two libraries belong to FoundationEssentials, which swift-argument-parser uses.
let linker: [LinkerSetting] = [
  .unsafeFlags([
    "-static-stdlib", "-l_FoundationCollections", "-l_FoundationCShims", "-use-ld=lld", "-Xlinker",
    "--no-export-dynamic",
  ])
]

/// Takes the C++ library, which Swift's own libraries need, from an archive: otherwise its 4,000
/// symbols are looked up at each start, which takes 0.5 ms. The worker loads the shared library in
/// any case, for ICU.
let withCXX =
  linker + [
    .unsafeFlags(["-L\(Context.packageDirectory)/Sources/Libraries/CXX"])
  ]

let deque = Target.Dependency.product(name: "DequeModule", package: "swift-collections")
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
    .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
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
      dependencies: ["FetchWire", "FetchModel", "FetchValues", "CHost", deque],
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
        "FetchSchedule", "FetchModel", "FetchValues",
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
        "FetchModel", "FetchValues", arguments,
      ],
      swiftSettings: strict, linkerSettings: withCXX),
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
      linkerSettings: withCXX),
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
      swiftSettings: tested),
    .target(
      name: "CLuaUnderTest", dependencies: ["LuaLibrary"], path: "Tests/CLuaUnderTest"),
    .testTarget(
      name: "CLuaTests", dependencies: ["CLuaUnderTest"], exclude: ["Comparisons"],
      swiftSettings: tested),
    .testTarget(
      name: "LuaVMTests", dependencies: ["LuaVM", "FetchModel", "FetchValues"],
      exclude: ["Attacks"],
      swiftSettings: tested),
    .testTarget(
      name: "FetchValuesTests", dependencies: ["FetchValues", "FetchTestSupport"],
      swiftSettings: tested),
    .testTarget(
      name: "FetchScheduleTests",
      dependencies: ["FetchSchedule", "FetchModel", "FetchValues", "FetchTestSupport"],
      swiftSettings: tested),
    .testTarget(
      name: "FetchModelTests", dependencies: ["FetchModel", "FetchValues", "FetchTestSupport"],
      swiftSettings: tested),
    .testTarget(
      name: "FetchSandboxPureLibraryTests",
      dependencies: ["FetchSandbox", "FetchModel", "FetchValues"],
      swiftSettings: tested),
    .target(
      name: "FeedConformance", dependencies: ["FetchSandbox", "FetchModel", "FetchValues"],
      path: "Tests/FeedConformance", swiftSettings: tested),
    .testTarget(
      name: "FetchSandboxLibraryTests",
      dependencies: ["FetchSandbox", "LuaVM", "FetchModel", "FetchValues", "FeedConformance"],
      exclude: ["Texts"],
      swiftSettings: tested),
    .executableTarget(
      name: "ConformanceRunner",
      dependencies: ["FetchModel", "FetchValues", "FetchTestSupport", "FeedConformance"],
      path: "Tests/ConformanceRunner", swiftSettings: tested),

    .target(name: "CDiskFault", path: "Tests/CDiskFault"),
    .executableTarget(
      name: "StoreCrashHelper",
      dependencies: ["FetchStore", "FetchStoreSQLite", "FetchModel", "FetchValues", "CDiskFault"],
      path: "Tests/StoreCrashHelper", swiftSettings: tested),
    .testTarget(
      name: "FetchStoreTests",
      dependencies: [
        "FetchStore", "FetchStoreSQLite", "FetchStorePostgres", "FetchModel", "FetchValues",
        "FetchTestSupport", "StoreCrashHelper",
      ],
      swiftSettings: tested),

    // Release only: swift run -c release Benchmarks
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        "fetchrun", "fetchrun-worker", "fetchrun-web", "FetchEngine", "FetchHost", "FetchStore",
        "FetchStoreSQLite", "FetchStorePostgres", "FetchTestSupport", "FetchSchedule", "FetchModel",
        "FetchValues", arguments,
      ],
      path: "Tests/Benchmarks", exclude: ["Traces/make-traces", "Peers"], swiftSettings: tested),

    .testTarget(
      name: "FetchWireTests", dependencies: ["FetchWire", "FetchModel", "FetchValues"],
      swiftSettings: tested),
    .executableTarget(name: "HostileWorker", path: "Tests/HostileWorker"),
    .testTarget(
      name: "FetchHostWorkerTests",
      dependencies: [
        "FetchHost", "FetchWire", "FetchModel", "FetchValues", "FetchTestSupport", "HostileWorker",
      ],
      path: "Tests/FetchHostTests/Workers", swiftSettings: tested),
    .testTarget(
      name: "FetchHostHTTPTests",
      dependencies: ["FetchHost", "FetchModel", "FetchValues", "CHost", "FetchTestSupport"],
      path: "Tests/FetchHostTests/HTTP", swiftSettings: tested),
    .testTarget(
      name: "FetchHostFilesTests",
      dependencies: ["FetchHost", "FetchModel", "FetchValues", "CHost", "FetchTestSupport"],
      path: "Tests/FetchHostTests/Files", swiftSettings: tested),
    .testTarget(
      name: "FetchHostTransferTests",
      dependencies: ["FetchHost", "FetchModel", "FetchValues", "FetchTestSupport"],
      path: "Tests/FetchHostTests/Transfers", swiftSettings: tested),
    .testTarget(
      name: "FetchHostSecretsTests",
      dependencies: ["FetchHost", "FetchModel", "FetchValues", "FetchTestSupport"],
      path: "Tests/FetchHostTests/Secrets", swiftSettings: tested),
    .testTarget(
      name: "PluginTests",
      dependencies: [
        "FetchAuthoring", "FetchConfig", "FetchEngine", "FetchHost", "FetchStore",
        "FetchStoreSQLite", "FetchSandbox", "FetchSchedule", "FetchModel", "FetchValues",
        "FetchTestSupport", "LuaVM",
      ],
      exclude: ["FileAttacks", "Mistakes"], swiftSettings: tested),
    .testTarget(
      name: "FetchConfigTests",
      dependencies: ["FetchConfig", "FetchModel", "FetchValues", "FetchTestSupport"],
      swiftSettings: tested),
    .testTarget(
      name: "FetchHostMachineTests",
      dependencies: ["FetchHost", "FetchModel", "FetchValues", "FetchTestSupport"],
      path: "Tests/FetchHostTests/Machine", swiftSettings: tested),
    .testTarget(
      name: "FetchHostTaskTests", dependencies: ["FetchHost", deque],
      path: "Tests/FetchHostTests/Tasks", swiftSettings: tested),
    .testTarget(
      name: "FetchEngineTests",
      dependencies: [
        "FetchEngine", "FetchConfig", "FetchHost", "FetchStore", "FetchStoreSQLite",
        "FetchSchedule", "FetchModel", "FetchValues", "FetchTestSupport",
      ],
      swiftSettings: tested),
    .testTarget(
      name: "FetchWebTests",
      dependencies: [
        "FetchWeb", "FetchEngine", "FetchHost", "FetchConfig", "FetchStore", "FetchStoreSQLite",
        "FetchSchedule", "FetchModel", "FetchValues", "FetchTestSupport",
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOEmbedded", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
      ],
      swiftSettings: tested),
    .testTarget(name: "TidyTests", swiftSettings: tested),
    .executableTarget(name: "WithoutCalls", path: "Tests/WithoutCalls"),
    .testTarget(
      name: "EndToEndTests",
      dependencies: [
        "FetchEngine", "FetchTestSupport", "FetchConfig", "FetchSchedule", "FetchStore",
        "FetchModel", "FetchValues", "WithoutCalls",
      ],
      exclude: ["Attacks"], swiftSettings: tested),
  ]
)

// Links only with libFuzzer's runtime, which Tests/Fuzz/run adds.
if Context.environment["FETCHRUN_FUZZ"] != nil {
  package.targets.append(
    .executableTarget(
      name: "Fuzz", dependencies: ["FetchSandbox", "FetchWire", "FetchModel", "FetchValues"],
      path: "Tests/Fuzz", exclude: ["Corpus", "run"], swiftSettings: strict))
}
