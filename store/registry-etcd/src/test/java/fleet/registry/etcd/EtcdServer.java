package fleet.registry.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.core.testing.ServerPorts;
import fleet.core.testing.Standstill;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.maintenance.StatusResponse;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Real etcds of this test, on loopback. */
public final class EtcdServer implements AutoCloseable {

  private static final String BINARY = "/usr/bin/etcd";

  /** By the one and by the other of its loggers. */
  private static final Pattern SERVING = Pattern.compile("ready to serve|serving client traffic");

  private static final String[] ALONE = {"--heartbeat-interval", "20", "--election-timeout", "200"};

  private final List<String> command;
  private final URI client;
  private final Map<String, CompletableFuture<String>> awaited = new ConcurrentHashMap<>();
  private Process process;

  private EtcdServer(List<String> command, URI client) throws IOException {
    this.command = command;
    this.client = client;
    this.process = new ProcessBuilder(command).redirectErrorStream(true).start();
  }

  /** One without others elects itself, and need not take its time for that. */
  public static EtcdServer start(Path directory, String... more) throws Exception {
    String[] options = Stream.concat(Stream.of(ALONE), Arrays.stream(more)).toArray(String[]::new);
    return cluster(directory, 1, options).getFirst();
  }

  /** Members of one cluster, serving. */
  public static List<EtcdServer> cluster(Path directory, int members, String... more)
      throws Exception {
    List<Integer> ports = ServerPorts.take(2 * members);
    String all =
        IntStream.range(0, members)
            .mapToObj(i -> "m%d=http://127.0.0.1:%d".formatted(i, ports.get(2 * i)))
            .collect(Collectors.joining(","));
    List<EtcdServer> servers = new ArrayList<>();
    for (int i = 0; i < members; i++) {
      String scheme = List.of(more).contains("--client-cert-auth") ? "https" : "http";
      String peer = "http://127.0.0.1:" + ports.get(2 * i);
      URI client = URI.create(scheme + "://127.0.0.1:" + ports.get(2 * i + 1));
      List<String> command = new ArrayList<>(List.of(BINARY, "--name", "m" + i));
      command.addAll(List.of("--data-dir", directory.resolve("m" + i).toString()));
      command.addAll(List.of("--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer));
      command.addAll(List.of("--listen-client-urls", client.toString()));
      command.addAll(List.of("--advertise-client-urls", client.toString()));
      command.addAll(List.of("--initial-cluster", all));
      command.addAll(List.of(more));
      servers.add(new EtcdServer(command, client));
    }
    for (EtcdServer server : servers) {
      server.awaitServing();
    }
    return servers;
  }

  /** The member that leads the others, as they say. */
  public static EtcdServer leader(List<EtcdServer> members) throws Exception {
    Map<Long, EtcdServer> byId = new HashMap<>();
    long leader = 0;
    for (EtcdServer member : members) {
      try (Client client = Client.builder().endpoints(member.client).build()) {
        StatusResponse status =
            client.getMaintenanceClient().statusMember("" + member.client).get();
        byId.put(status.getHeader().getMemberId(), member);
        leader = status.getLeader();
      }
    }
    return Objects.requireNonNull(byId.get(leader));
  }

  private void awaitServing() throws Exception {
    CompletableFuture<Void> serving = new CompletableFuture<>();
    BufferedReader output = process.inputReader();
    Thread.ofVirtual()
        .start(() -> {
          StringBuilder told = new StringBuilder();
          try {
            output
                .lines()
                .forEach(line -> {
                  told.append(line).append('\n');
                  if (SERVING.matcher(line).find()) {
                    serving.complete(null);
                  }
                  noteAwaited(line);
                });
          } catch (UncheckedIOException killed) {
            told.append(killed);
          }
          serving.completeExceptionally(new AssertionError("etcd ended:\n" + told));
        });
    serving.get();
  }

  private void noteAwaited(String line) {
    awaited.forEach((text, said) -> {
      if (line.contains(text)) {
        said.complete(line);
      }
    });
  }

  /** The first line of its log that has this text in it, of those to come. */
  CompletableFuture<String> nextLine(String text) {
    return awaited.computeIfAbsent(text, _ -> new CompletableFuture<>());
  }

  public URI client() {
    return client;
  }

  public void kill() {
    process.destroyForcibly().onExit().join();
  }

  /** Runs etcdctl, which must succeed. */
  void etcdctl(String... arguments) throws Exception {
    List<String> call = new ArrayList<>(List.of("/usr/bin/etcdctl", "--endpoints", "" + client));
    call.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(call).redirectErrorStream(true);
    builder.environment().put("ETCDCTL_API", "3");
    Process etcdctl = builder.start();
    String told = new String(etcdctl.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(etcdctl.waitFor()).as(told).isZero();
  }

  public void backUp(Path file) throws Exception {
    etcdctl("snapshot", "save", "" + file);
  }

  /** Replaces its data by a backup, while it is down; it serves where it did. */
  public void restore(Path file, String token) throws Exception {
    kill();
    Path data = Path.of(option("--data-dir"));
    Path old = data.resolveSibling(data.getFileName() + ".old");
    Files.move(data, old);
    etcdctl(
        "snapshot",
        "restore",
        "" + file,
        "--name",
        option("--name"),
        "--data-dir",
        "" + data,
        "--initial-cluster",
        option("--initial-cluster"),
        "--initial-advertise-peer-urls",
        option("--initial-advertise-peer-urls"),
        "--initial-cluster-token",
        token);
    restart();
  }

  private String option(String name) {
    return command.get(command.indexOf(name) + 1);
  }

  /** With the data it has. */
  public void restart() throws Exception {
    assertThat(process.isAlive()).isFalse();
    process = new ProcessBuilder(command).redirectErrorStream(true).start();
    awaitServing();
  }

  /** Serves again, whatever was done to it. */
  void revive() throws Exception {
    if (process.isAlive()) {
      thaw();
    } else {
      restart();
    }
  }

  public void freeze() throws Exception {
    Standstill.freeze(process);
  }

  public void thaw() throws Exception {
    Standstill.thaw(process);
  }

  @Override
  public void close() {
    kill();
  }
}
