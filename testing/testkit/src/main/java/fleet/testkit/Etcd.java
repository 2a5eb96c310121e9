package fleet.testkit;

import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A real etcd on this machine, with one member or three, where the machines of a set reach it. It
 * ends with its set. Safe for use by several threads, but for starting and ending members.
 */
public final class Etcd {

  private static final int CLIENT_PORT = 2379;
  private static final int PORTS_EACH = 10;
  private static final Pattern REVISION = Pattern.compile("\"revision\":(\\d+)");

  private final Path directory;
  private final EtcdSettings settings;
  private final List<EtcdMember> members;
  private final Optional<Certificates> certificates;

  private Etcd(
      Path directory,
      EtcdSettings settings,
      List<EtcdMember> members,
      Optional<Certificates> certificates) {
    this.directory = directory;
    this.settings = settings;
    this.members = members;
    this.certificates = certificates;
  }

  /**
   * Starts one, and returns when it serves.
   *
   * @param directory for its data, known to nobody else
   * @param address to be reached at
   * @param number of this etcd at that address, from 0
   */
  static Etcd start(Path directory, String address, int number, EtcdSettings settings) {
    Optional<Certificates> certificates =
        settings.tls()
            ? Optional.of(Certificates.make(directory.resolve("tls"), List.of(address)))
            : Optional.empty();
    var etcd =
        new Etcd(directory, settings, members(directory, address, number, settings), certificates);
    etcd.start();
    settings.password().ifPresent(etcd::demandUser);
    return etcd;
  }

  private static List<EtcdMember> members(
      Path directory, String address, int number, EtcdSettings settings) {
    int first = CLIENT_PORT + number * 3 * PORTS_EACH;
    List<Integer> ports =
        IntStream.range(0, settings.members()).mapToObj(i -> first + i * PORTS_EACH).toList();
    String all =
        ports.stream()
            .map(port -> "m%d=http://%s:%d".formatted(port, address, port + 1))
            .collect(Collectors.joining(","));
    var members = new ArrayList<EtcdMember>();
    for (int port : ports) {
      String peer = "http://%s:%d".formatted(address, port + 1);
      URI client = URI.create("%s://%s:%d".formatted(settings.scheme(), address, port));
      URI metrics = URI.create("http://%s:%d".formatted(address, port + 2));
      Path own = directory.resolve("m" + port);
      var command =
          new ArrayList<>(
              List.of(
                  "etcd",
                  "--name=m" + port,
                  "--data-dir=" + own.resolve("data"),
                  "--listen-peer-urls=" + peer,
                  "--initial-advertise-peer-urls=" + peer,
                  "--listen-client-urls=" + client,
                  "--advertise-client-urls=" + client,
                  "--listen-metrics-urls=" + metrics,
                  "--initial-cluster=" + all));
      command.addAll(settings.options(directory.resolve("tls")));
      members.add(new EtcdMember(own, List.copyOf(command), client, metrics));
    }
    return List.copyOf(members);
  }

  public List<EtcdMember> members() {
    return members;
  }

  /** The member that leads the others now. */
  public EtcdMember leader() {
    return members.stream()
        .filter(member -> member.metrics().leads())
        .findFirst()
        .orElseThrow(() -> new AssertionError("no member of etcd leads"));
  }

  /** Where clients find its members. */
  public List<URI> endpoints() {
    return members.stream().map(EtcdMember::client).toList();
  }

  /** The certificate files of its clients; empty if it was made without TLS. */
  public Optional<Certificates> certificates() {
    return certificates;
  }

  /** A wire to it for one machine: to be cut, slowed and healed apart from all others. */
  public EtcdProxy wire() {
    return new EtcdProxy(endpoints());
  }

  /** Starts all members with the data they have, and returns when they serve. */
  public void start() {
    members.forEach(EtcdMember::start);
    members.forEach(EtcdMember::awaitServing);
  }

  /** All members are gone at once. */
  public void kill() {
    members.forEach(EtcdMember::kill);
  }

  /** Kills and starts all members. */
  public void restart() {
    kill();
    start();
  }

  /** All members stand still, with their connections open. */
  public void freeze() {
    members.forEach(EtcdMember::freeze);
  }

  /** Undoes {@link #freeze()}. */
  public void thaw() {
    members.forEach(EtcdMember::thaw);
  }

  /** The counters of its only member. */
  public EtcdMetrics metrics() {
    return members.getFirst().metrics();
  }

  /** Runs etcdctl, which must succeed, and gives what it wrote. */
  public String ctl(String... arguments) {
    return tryCtl(arguments).orThrow().stdout();
  }

  /** Runs etcdctl, whatever its exit code. */
  public Result tryCtl(String... arguments) {
    return ctlAt(
        endpoints().stream().map(URI::toString).collect(Collectors.joining(",")), arguments);
  }

  private Result ctlAt(String endpoints, String... arguments) {
    var line = new ArrayList<>(List.of("env", "ETCDCTL_API=3", "etcdctl"));
    line.add("--endpoints=" + endpoints);
    certificates.ifPresent(made -> {
      line.add("--cacert=" + made.file("ca.pem"));
      line.add("--cert=" + made.file("client.pem"));
      line.add("--key=" + made.file("client.key"));
    });
    settings.password().ifPresent(password -> line.add("--user=root:" + password));
    line.addAll(List.of(arguments));
    return new Command(List.copyOf(line), "").run();
  }

  private void demandUser(String password) {
    var open = new Etcd(directory, settings.withoutPassword(), members, certificates);
    open.ctl("user", "add", "root:" + password);
    open.ctl("user", "grant-role", "root", "root");
    open.ctl("auth", "enable");
  }

  /** The revision it has come to. */
  public long revision() {
    Matcher found = REVISION.matcher(ctl("get", "none", "--write-out=json"));
    if (!found.find()) {
      throw new AssertionError("etcd tells no revision");
    }
    return Long.parseLong(found.group(1));
  }

  /** Forgets all history before now. */
  public void compact() {
    ctl("compact", "--physical", Long.toString(revision()));
  }

  /** Saves a backup. */
  public void save(Path file) {
    ctlAt(endpoints().getFirst().toString(), "snapshot", "save", file.toString()).orThrow();
  }

  /** Kills it, and starts it with the data of a backup alone. For one member. */
  public void restore(Path file) {
    EtcdMember member = members.getFirst();
    kill();
    Command.of("rm", "-rf", "--one-file-system", member.data().toString()).run().orThrow();
    String peer =
        "http://%s:%d".formatted(member.client().getHost(), member.client().getPort() + 1);
    String name = "m" + member.client().getPort();
    ctl(
        "snapshot",
        "restore",
        file.toString(),
        "--data-dir=" + member.data(),
        "--name=" + name,
        "--initial-advertise-peer-urls=" + peer,
        "--initial-cluster=" + name + "=" + peer);
    start();
  }

  /** Writes until it takes no more; one made with a small quota is full soon. */
  public void fill() {
    String script =
        "head -c 1000000 /dev/zero | tr '\\0' x >\"$0\"; for i in $(seq 200); do"
            + " ETCDCTL_API=3 etcdctl --endpoints=%s put filler/$i <\"$0\" >/dev/null 2>&1 || exit 0;"
                .formatted(endpoints().getFirst())
            + " done; exit 1";
    Command.of("sh", "-c", script, directory.resolve("filler").toString()).run().orThrow();
  }

  /** Deletes what {@link #fill()} wrote, gives the room back and takes writes again. */
  public void empty() {
    ctl("del", "--prefix", "filler/");
    compact();
    ctl("defrag");
    ctl("alarm", "disarm");
  }
}
