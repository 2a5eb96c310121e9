package fleet.fleetctl.command;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import fleet.core.access.LoginCode;
import fleet.core.machine.Role;
import fleet.fleetctl.command.Terminal.Ran;
import fleet.fleetctl.fake.FakeHttpServer;
import fleet.fleetctl.fake.FakeHttpServer.Request;
import fleet.fleetctl.fake.FakeTlsServer;
import fleet.fleetctl.output.LocalTimes;
import fleet.trust.Peer;
import fleet.trust.TestAuthority;
import fleet.trust.TrustException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A laptop that logs in to a cluster with an authority of its own, and comes back. */
final class LoginCommandTest {

  private static final String MACHINES = "{\"machines\":[{\"id\":\"m1\",\"primaryIP\":\"\"}]}";
  private static final Pattern REQUEST = Pattern.compile("\"request\":\"([^\"]+)\"");
  private static final Duration DAY = Duration.ofDays(1);
  private static final Duration HALF_A_WEEK = Duration.ofHours(85);

  @TempDir Path home;
  private final TestAuthority cluster = new TestAuthority();
  private final List<String> asked = new CopyOnWriteArrayList<>();
  private FakeTlsServer server;
  private Optional<String> refusal = Optional.empty();
  private String serverTime = Instant.now().toString();
  private Instant begins = Instant.now().minus(DAY);
  private TestAuthority signing = cluster;

  @BeforeEach
  void listen() throws Exception {
    server = serve(cluster.server());
  }

  private FakeTlsServer serve(SSLContext as) throws IOException {
    return new FakeTlsServer(as, this::handle);
  }

  @AfterEach
  void close() {
    server.close();
  }

  private boolean handle(Request asking, OutputStream out) throws IOException {
    if (!asking.path().endsWith("/rescheduling")) {
      asked.add(asking.method() + " " + asking.path());
    }
    if (asking.method().equals("GET")) {
      return FakeHttpServer.reply(out, 200, MACHINES, "Connection: close");
    }
    if (refusal.isPresent()) {
      return FakeHttpServer.reply(
          out,
          403,
          "{\"error\":{\"code\":403,\"message\":\"" + refusal.get() + "\"}}",
          "Connection: close");
    }
    Matcher sent = REQUEST.matcher(asking.body());
    assertThat(sent.find()).isTrue();
    try {
      byte[] request = Base64.getMimeDecoder().decode(sent.group(1));
      String certificate = signing.person("alice", request, begins);
      return FakeHttpServer.reply(
          out,
          201,
          "{\"authorities\":\"%s\",\"certificate\":\"%s\",\"name\":\"alice\",\"time\":\"%s\"}"
              .formatted(escaped(signing.pem()), escaped(certificate), serverTime),
          "Connection: close");
    } catch (TrustException e) {
      throw new IOException(e);
    }
  }

  private static String escaped(String pem) {
    return pem.replace("\n", "\\n");
  }

  private static String code(TestAuthority of) {
    return new LoginCode("5a1f03c2", of.sha256(), "0".repeat(32)).text();
  }

  private String address() {
    return "127.0.0.1:" + server.port();
  }

  private Ran run(String... arguments) {
    return new Terminal(home, home.resolve("fleet.sock"))
        .with("FLEETCTL_ENDPOINT", "")
        .with("XDG_CONFIG_HOME", home.toString())
        .run(arguments);
  }

  private Ran login(String servers) {
    return run("login", servers, code(cluster), "--context=prod");
  }

  private Path identity() {
    return home.resolve("fleet/identities/prod.pem");
  }

  private String certificate() throws IOException {
    return Files.readString(identity(), US_ASCII);
  }

  /** As if it had been got so long ago. */
  private void age(Duration by) throws IOException {
    Files.setLastModifiedTime(identity(), FileTime.from(Instant.now().minus(by)));
  }

  // ---- log in

  @Test
  void aCodeBecomesTheContextInUse() throws Exception {
    Ran login = login(address());
    assertThat(login.err()).isEmpty();
    assertThat(login.code()).isZero();
    assertThat(login.out()).startsWith("Logged in as alice, until ").contains("context prod");

    Ran listed = run("list-machines", "--no-legend");
    assertThat(listed.err()).isEmpty();
    assertThat(listed.out()).startsWith("m1");
    assertThat(asked).containsExactly("POST /fleet/v1/login", "GET /fleet/v1/machines");
    assertThat(server.callers.getFirst()).as("a stranger logs in").isEmpty();
    assertThat(server.callers.getLast()).contains("CN=alice");
    assertThat(run("context", "list").out()).contains("https://" + address());
  }

  @Test
  void theKeyIsForItsOwnerAlone() throws Exception {
    login(address());
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(identity())))
        .isEqualTo("rw-------");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(identity().getParent())))
        .isEqualTo("rwx------");
    run("context", "remove", "prod");
    assertThat(identity()).doesNotExist();
  }

  @Test
  void aMistypedCodeIsToldSoBeforeAnybodyIsAsked() throws Exception {
    String code = code(cluster);
    Ran ran = run("login", address(), code.substring(0, code.length() - 1) + "x");
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err()).startsWith("Error: the code is mistyped or not whole");
    assertThat(asked).isEmpty();
  }

  @Test
  void whatTheServerSaysAgainstACodeIsShownAndNothingIsKept() throws Exception {
    refusal = Optional.of("the code expired at 2026-01-01T00:00:00Z");
    Ran ran = login(address());
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err())
        .isEqualTo("Error: the code expired at " + LocalTimes.of("2026-01-01T00:00:00Z") + "\n");
    assertThat(run("context", "list", "--no-legend").out()).isEmpty();
    assertThat(identity()).doesNotExist();
  }

  /** The secret goes to no server but those of the cluster that the code names. */
  @Test
  void aServerOfAnotherClusterIsToldNothing() throws Exception {
    Ran ran = run("login", address(), code(new TestAuthority()));
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err()).contains("the server is not of the cluster that the code is of");
    assertThat(asked).isEmpty();
  }

  @Test
  void aMachineOfTheClusterThatIsNoServerIsToldNothing() throws Exception {
    var machine = new Peer("m2", Role.AGENT);
    try (var agent = serve(cluster.machine(machine, begins))) {
      Ran ran = run("login", "127.0.0.1:" + agent.port(), code(cluster));
      assertThat(ran.err()).contains("of the cluster is not a server of it");
    }
    assertThat(asked).isEmpty();
  }

  @Test
  void nobodyThereIsNamed() throws Exception {
    String gone = address();
    server.close();
    Ran ran = login(gone);
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err()).contains("nobody listens on https://" + gone);
  }

  @Test
  void aPortThatSpeaksNoTlsIsNamed() throws Exception {
    try (FakeHttpServer plain =
        FakeHttpServer.onLoopback((_, out) -> {
          FakeHttpServer.reply(out, 400, "");
          return false;
        })) {
      Ran ran = login("127.0.0.1:" + plain.port());
      assertThat(ran.code()).isEqualTo(1);
      assertThat(ran.err()).contains("is that the port that \"fleetctl access invite\" has named?");
    }
  }

  @Test
  void anyOfSeveralServersAnswers() throws Exception {
    FakeTlsServer second = serve(cluster.server());
    try (second) {
      Ran login = login("127.0.0.1:1," + address() + ",127.0.0.1:" + second.port());
      assertThat(login.err()).isEmpty();
      server.close();
      assertThat(run("list-machines", "--no-legend").out()).startsWith("m1");
      assertThat(second.callers).isNotEmpty();
    }
    Ran none = run("list-machines");
    assertThat(none.code()).isEqualTo(1);
    assertThat(none.err()).contains("no server answers: nobody listens on https://127.0.0.1:1");
  }

  // ---- clocks

  @Test
  void aClockThatIsDaysBehindIsNamed() throws Exception {
    var machine = new Peer("m1", Role.SERVER);
    Instant ahead = Instant.now().plus(DAY.multipliedBy(2));
    try (var of = serve(cluster.machine(machine, ahead))) {
      Ran ran = run("login", "127.0.0.1:" + of.port(), code(cluster));
      assertThat(ran.code()).isEqualTo(1);
      assertThat(ran.err()).contains("and here it is").contains("check the clocks");
    }
  }

  @Test
  void aClockThatIsHoursOffWorksAndIsToldSo() throws Exception {
    serverTime = Instant.now().minus(Duration.ofHours(3)).toString();
    Ran login = login(address());
    assertThat(login.code()).isZero();
    assertThat(login.err()).startsWith("WARN the clock here says");
    assertThat(run("list-machines", "--no-legend").out()).startsWith("m1");
    assertThat(asked).as("nothing is renewed yet").hasSize(2);
  }

  // ---- come back

  @Test
  void aCommandRenewsTheCertificateQuietlyAtHalf() throws Exception {
    login(address());
    String before = certificate();
    age(HALF_A_WEEK);

    Ran listed = run("list-machines", "--no-legend");
    assertThat(listed.err()).isEmpty();
    assertThat(listed.out()).startsWith("m1");
    assertThat(certificate()).isNotEqualTo(before);
    assertThat(asked)
        .containsExactly(
            "POST /fleet/v1/login", "POST /fleet/v1/certificate", "GET /fleet/v1/machines");
    assertThat(server.callers.get(1)).contains("CN=alice");
    assertThat(run("list-machines").code()).isZero();
    assertThat(asked).as("once").hasSize(4);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(identity())))
        .isEqualTo("rw-------");
  }

  @Test
  void aRenewalThatFailsFailsNoCommand() throws Exception {
    login(address());
    String before = certificate();
    age(HALF_A_WEEK);
    refusal = Optional.of("no");

    Ran listed = run("list-machines", "--no-legend");
    assertThat(listed.err()).isEmpty();
    assertThat(listed.out()).startsWith("m1");
    assertThat(certificate()).isEqualTo(before);
    assertThat(run("--debug", "list-machines").err())
        .contains("the certificate was not renewed: no");
  }

  /** Two keys for one renewal would leave the server with the last alone. */
  @Test
  void twoCommandsDoNotRenewAtOnce() throws Exception {
    login(address());
    age(HALF_A_WEEK);
    Path lock = identity().resolveSibling("prod.pem.lock");
    try (FileChannel other =
            FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock _ = other.lock()) {
      assertThat(run("list-machines").code()).isZero();
    }
    assertThat(asked).doesNotContain("POST /fleet/v1/certificate");
  }

  /** As servers have it while the authority is replaced. */
  @Test
  void anAuthorityThatTheOldOneVouchesForIsBelievedAndTheNextCertificateIsByIt() throws Exception {
    login(address());
    var next = new TestAuthority();
    signing = next;
    try (var moved = serve(next.server(cluster.crossSigned(next)))) {
      Path context = home.resolve("fleet/contexts/prod");
      Files.writeString(
          context, Files.readString(context).replace(address(), "127.0.0.1:" + moved.port()));
      asked.clear();
      assertThat(run("list-machines").err()).isEmpty();
      assertThat(run("list-machines").err()).isEmpty();
      assertThat(run("list-machines").err()).isEmpty();
      assertThat(asked)
          .containsExactly(
              "GET /fleet/v1/machines",
              "POST /fleet/v1/certificate",
              "GET /fleet/v1/machines",
              "GET /fleet/v1/machines");
      assertThat(certificate()).contains(next.pem());
    }
    try (var alone = serve(next.server())) {
      assertThat(run("login", "127.0.0.1:" + alone.port(), code(cluster)).err())
          .contains("the server is not of the cluster that the code is of");
    }
  }

  @Test
  void aCertificateThatHasEndedSaysHowToGetBackIn() throws Exception {
    begins = Instant.now().minus(DAY.multipliedBy(9));
    login(address());
    asked.clear();

    Ran ran = run("list-machines");
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err())
        .contains("the certificate of alice ended at")
        .contains("and here it is")
        .contains("\"fleetctl access invite alice\" on a server");
    assertThat(asked).isEmpty();
  }

  @Test
  void aContextWhoseKeyIsGoneSaysSo() throws Exception {
    login(address());
    Files.delete(identity());
    assertThat(run("list-machines").err()).contains("there is no file").contains("log in again");
    Files.writeString(identity(), "nothing");
    assertThat(run("list-machines").err()).contains("holds no key with its certificate");
  }

  @Test
  void wrongCallsAreUsageErrors() throws Exception {
    for (String[] call :
        List.of(
            new String[] {"login"},
            new String[] {"login", address()},
            new String[] {"login", "https://10.0.0.1", code(cluster)},
            new String[] {"login", "10.0.0.1:x", code(cluster)},
            new String[] {"login", address(), code(cluster), "--context=../prod"})) {
      assertThat(run(call).code()).as(String.join(" ", call)).isEqualTo(2);
    }
    assertThat(asked).isEmpty();
  }
}
