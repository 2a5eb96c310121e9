package fleet.house;

import static java.util.Arrays.asList;

import com.tngtech.archunit.core.domain.JavaClass;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The floors of the house: each stands only on those it names, which come before it. */
@SuppressWarnings("ImmutableEnumChecker") // Its sets and lists are: see the factories.
enum Floor {
  CORE("core", on(), libraries("com.google.re2j")),
  ENTITIES("entities", on(CORE), libraries("io.avaje")),
  SCHEDULER("scheduler", on(CORE), libraries()),
  REGISTRY("registry", on(CORE), libraries("io.avaje.json", "org.sqlite", "org.slf4j")),
  REGISTRY_ETCD(
      "registry-etcd",
      "fleet.registry.etcd",
      on(CORE, REGISTRY),
      libraries("io.etcd.jetcd", "io.grpc", "io.netty", "org.slf4j")),
  SYSTEMD("systemd", on(CORE), libraries("org.slf4j")),
  COORDINATION("coordination", on(CORE), libraries("org.slf4j")),
  COORDINATION_STORE(
      "coordination-store",
      "fleet.coordination.store",
      on(CORE, REGISTRY, COORDINATION),
      libraries("org.slf4j")),
  CLUSTER("cluster", on(CORE), libraries()),
  TRUST("trust", on(CORE, REGISTRY, CLUSTER), libraries("org.bouncycastle", "org.slf4j")),
  RPC(
      "rpc",
      on(CORE, COORDINATION, TRUST),
      libraries("com.google.protobuf", "com.google.common", "io.grpc", "io.netty", "org.slf4j")),
  COORDINATION_RPC(
      "coordination-rpc",
      "fleet.coordination.rpc",
      on(CORE, COORDINATION, RPC),
      libraries("com.google.protobuf", "io.grpc", "org.slf4j")),
  RELAY(
      "relay",
      "fleet.relay",
      on(CORE, CLUSTER, RPC),
      libraries("com.google.protobuf", "io.grpc", "org.slf4j")),
  ENGINE("engine", on(CORE, SCHEDULER, REGISTRY, COORDINATION, CLUSTER), libraries("org.slf4j")),
  AGENT("agent", on(CORE, SCHEDULER, SYSTEMD, COORDINATION), libraries("org.slf4j")),
  SYSTEMD_SIMULATED("systemd-simulated", "fleet.systemd.simulated", on(CORE, SYSTEMD), libraries()),
  SIMULATION(
      "simulation",
      on(
          CORE,
          SCHEDULER,
          REGISTRY,
          SYSTEMD,
          SYSTEMD_SIMULATED,
          COORDINATION,
          COORDINATION_STORE,
          RPC,
          COORDINATION_RPC,
          CLUSTER,
          ENGINE,
          AGENT),
      libraries("org.slf4j")),
  HOLLOW(
      "hollow",
      on(
          CORE,
          REGISTRY,
          REGISTRY_ETCD,
          SYSTEMD_SIMULATED,
          COORDINATION,
          COORDINATION_STORE,
          TRUST,
          RPC,
          COORDINATION_RPC,
          AGENT),
      libraries("org.slf4j")),
  DASHBOARD("dashboard", on(), libraries()),
  API("api", on(CORE, ENTITIES, CLUSTER, DASHBOARD), libraries("org.eclipse.jetty", "org.slf4j")),
  FLEETCTL(
      "fleetctl",
      "fleet.fleetctl",
      on(CORE, ENTITIES),
      libraries("picocli", "com.sun.net.httpserver")),
  FLEETD(
      "fleetd",
      "fleet.fleetd",
      on(
          CORE,
          ENTITIES,
          SCHEDULER,
          REGISTRY,
          REGISTRY_ETCD,
          SYSTEMD,
          COORDINATION,
          COORDINATION_STORE,
          CLUSTER,
          TRUST,
          RPC,
          COORDINATION_RPC,
          RELAY,
          ENGINE,
          AGENT,
          API),
      libraries("io.grpc", "org.slf4j", "ch.qos.logback")),
  TESTKIT("testkit", on(), libraries("org.junit", "com.microsoft.playwright")),
  BENCH(
      "bench",
      on(CORE, SCHEDULER, TESTKIT),
      libraries("org.openjdk.jmh", "com.microsoft.playwright")),
  CHAOS("chaos", on(TESTKIT), libraries());

  /** Modules without classes of ours that are shipped. */
  static final Set<String> OTHER_MODULES =
      Set.of("picocli", "command-specs", "dist", "machine-tests", "house");

  private final String module;
  private final String root;
  private final Set<Floor> below;
  private final List<String> libraries;

  Floor(String module, Set<Floor> below, List<String> libraries) {
    this(module, "fleet." + module, below, libraries);
  }

  Floor(String module, String root, Set<Floor> below, List<String> libraries) {
    this.module = module;
    this.root = root;
    this.below = below;
    this.libraries = libraries;
  }

  private static Set<Floor> on(Floor... below) {
    return below.length == 0 ? Set.of() : Set.copyOf(asList(below));
  }

  private static List<String> libraries(String... packages) {
    return List.of(packages);
  }

  String module() {
    return module;
  }

  static Optional<Floor> of(JavaClass type) {
    return Arrays.stream(values()).filter(floor -> floor.has(type.getPackageName())).findFirst();
  }

  /** Whether the package is this floor's; one within another's belongs to the inner floor. */
  boolean has(String packageName) {
    return isWithin(packageName, root)
        && Arrays.stream(values())
            .filter(other -> other != this && isWithin(other.root, root))
            .noneMatch(inner -> isWithin(packageName, inner.root));
  }

  /** Whether classes of this floor may know a class of that package. */
  boolean mayKnow(String packageName) {
    return has(packageName)
        || below.stream().anyMatch(floor -> floor.has(packageName))
        || libraries.stream().anyMatch(library -> isWithin(packageName, library))
        || isWithin(packageName, "org.jspecify.annotations")
        || isPlatform(packageName);
  }

  private static boolean isPlatform(String packageName) {
    return List.of("java", "javax", "jdk", "com.sun.management").stream()
        .anyMatch(platform -> isWithin(packageName, platform));
  }

  private static boolean isWithin(String packageName, String root) {
    return packageName.equals(root) || packageName.startsWith(root + ".");
  }
}
