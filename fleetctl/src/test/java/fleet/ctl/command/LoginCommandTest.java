package fleet.ctl.command;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import fleet.core.access.LoginCode;
import fleet.ctl.command.Terminal.Ran;
import fleet.ctl.fake.FakeAuthority;
import fleet.ctl.fake.FakeHttpServer;
import fleet.ctl.fake.FakeHttpServer.Request;
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
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A laptop that logs in to a cluster with an authority of its own, and comes back. */
final class LoginCommandTest {

  private static final String MACHINES = "{\"machines\":[{\"id\":\"m1\",\"primaryIP\":\"\"}]}";
  private static final Pattern REQUEST = Pattern.compile("\"request\":\"([^\"]+)\"");
  private static final Duration HALF_A_WEEK = Duration.ofHours(85);

  @TempDir static Path shared;
  private static FakeAuthority cluster;

  @TempDir Path home;
  private final List<String> asked = new CopyOnWriteArrayList<>();
  private FakeAuthority.Server server;
  private Optional<String> refusal = Optional.empty();
  private String serverTime = Instant.now().toString();
  private String start = "-1d";
  private FakeAuthority signing;

  @BeforeAll
  static void makeAuthority() throws Exception {
    cluster = new FakeAuthority(shared.resolve("own"), "CN=m1,OU=server,O=fleet", "-1d");
  }

  @BeforeEach
  void listen() throws Exception {
    signing = cluster;
    server = cluster.serve(this::handle);
  }

  @AfterEach
  void close() {
    server.close();
  }

  private boolean handle(Request request, OutputStream out) throws IOException {
    if (!request.path().endsWith("/rescheduling")) {
      asked.add(request.method() + " " + request.path());
    }
    if (request.method().equals("GET")) {
      return FakeHttpServer.reply(out, 200, MACHINES, "Connection: close");
    }
    if (refusal.isPresent()) {
      return FakeHttpServer.reply(
          out,
          403,
          "{\"error\":{\"code\":403,\"message\":\"" + refusal.get() + "\"}}",
          "Connection: close");
    }
    Matcher sent = REQUEST.matcher(request.body());
    assertThat(sent.find()).isTrue();
    try {
      String certificate = signing.person("alice", sent.group(1), start, 8);
      return FakeHttpServer.reply(
          out,
          201,
          "{\"authorities\":\"%s\",\"certificate\":\"%s\",\"name\":\"alice\",\"time\":\"%s\"}"
              .formatted(escaped(signing.pem()), escaped(certificate), serverTime),
          "Connection: close");
    } catch (Exception e) {
      throw new IOException(e);
    }
  }

  private static String escaped(String pem) {
    return pem.replace("\r", "").replace("\n", "\\n");
  }

  private static String code(FakeAuthority of) throws Exception {
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

  private Ran login(String servers) throws Exception {
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
    assertThat(ran.err()).isEqualTo("Error: the code expired at 2026-01-01T00:00:00Z\n");
    assertThat(run("context", "list", "--no-legend").out()).isEmpty();
    assertThat(identity()).doesNotExist();
  }

  /** The secret goes to no server but those of the cluster that the code names. */
  @Test
  void aServerOfAnotherClusterIsToldNothing() throws Exception {
    var other = new FakeAuthority(home.resolve("other"), "CN=m1,OU=server,O=fleet", "-1d");
    Ran ran = run("login", address(), code(other));
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err()).contains("the server is not of the cluster that the code is of");
    assertThat(asked).isEmpty();
  }

  @Test
  void aMachineOfTheClusterThatIsNoServerIsToldNothing() throws Exception {
    var mixed = new FakeAuthority(home.resolve("mixed"), "CN=m2,OU=agent,O=fleet", "-1d");
    try (FakeAuthority.Server agent = mixed.serve(this::handle)) {
      Ran ran = run("login", "127.0.0.1:" + agent.port(), code(mixed));
      assertThat(ran.err()).contains("of the cluster is no server of it");
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
    FakeAuthority.Server second = cluster.serve(this::handle);
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
    var ahead = new FakeAuthority(home.resolve("ahead"), "CN=m1,OU=server,O=fleet", "+2d");
    try (FakeAuthority.Server of = ahead.serve(this::handle)) {
      Ran ran = run("login", "127.0.0.1:" + of.port(), code(ahead));
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

  /** Of two keys for one renewal, the server would know the last alone. */
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
    var next = new FakeAuthority(home.resolve("next"), "CN=m1,OU=server,O=fleet", "-1d");
    signing = next;
    try (FakeAuthority.Server moved = next.serve(this::handle, cluster.crossSigned(next))) {
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
      assertThat(certificate()).contains(next.pem().replace("\r", "").strip());
    }
    try (FakeAuthority.Server alone = next.serve(this::handle)) {
      assertThat(run("login", "127.0.0.1:" + alone.port(), code(cluster)).err())
          .contains("the server is not of the cluster that the code is of");
    }
  }

  @Test
  void aCertificateThatHasEndedSaysHowToGetBackIn() throws Exception {
    start = "-9d";
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
