package fleet.api;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.api.listen.Listen;
import fleet.cluster.Caller;
import fleet.cluster.CertificateHolder;
import fleet.cluster.NewInvitation;
import fleet.core.access.AccessRole;
import fleet.core.access.Grant;
import fleet.core.access.GrantHolder;
import fleet.core.audit.AuditEntry;
import fleet.core.audit.AuditEntry.Result;
import fleet.core.state.DesiredState;
import fleet.core.testing.SilentFlood;
import fleet.trust.TestCertificate;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The port that people come by: strangers log in, and whoever has logged in commands. */
class LoginsApiTest {

  private static final String LOGIN = "/fleet/v1/login";
  private static final int MOST_OF_ADDRESS = 128;
  private static final GrantHolder ALICE = GrantHolder.parse("alice").orElseThrow();
  private static final Caller ROOT = new Caller("user root");

  @TempDir static Path directory;
  private static TestCertificate server;
  private static TestCertificate alice;
  private static TestCertificate other;

  private final FakeCluster cluster = new FakeCluster();
  private final FakeGrants grants = new FakeGrants();
  private final FakeLogins logins = new FakeLogins(grants);
  private final List<AuditEntry> written = new CopyOnWriteArrayList<>();
  private ApiServer api;
  private InetSocketAddress address;

  @BeforeAll
  static void makeCertificates() throws Exception {
    server = TestCertificate.make(directory, "server", "EC");
    alice = TestCertificate.make(directory, "alice", "EC");
    other = TestCertificate.make(directory, "other", "EC");
  }

  @BeforeEach
  void begin() throws Exception {
    cluster.add(FakeUnits.view("web.service", DesiredState.LAUNCHED));
    logins.holders.put("CN=alice", new CertificateHolder.Person("alice", "k1", FakeLogins.END));
    api =
        new ApiServer(
            new FakeBackend(
                cluster,
                new FakeTokens(),
                new FakeTrust(),
                new FakeClusterAuthority(),
                grants,
                logins),
            List.of(),
            new ApiSettings("2.0.0", 100, List.of(), Optional.empty()),
            written::add,
            ApiUnderTest.ready());
    api.start();
    // As it is when the first invitation is made.
    api.open(
        new Listen.Cluster(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), server.takingAny()));
    address = (InetSocketAddress) api.sockets().getFirst().channel().getLocalAddress();
  }

  @AfterEach
  void end() {
    api.stop();
  }

  private RawConnection connect(SSLContext context) throws IOException {
    return RawConnection.to(
        context.getSocketFactory().createSocket(address.getAddress(), address.getPort()));
  }

  private Reply ask(SSLContext context, String method, String path, String body)
      throws IOException {
    try (RawConnection wire = connect(context)) {
      return wire.request(method, path, body, "Content-Type: application/json");
    }
  }

  private Reply asStranger(String method, String path, String body) throws Exception {
    return ask(TestCertificate.anonymousTrusting(server), method, path, body);
  }

  private Reply asAlice(String method, String path) throws Exception {
    return ask(alice.trusting(server), method, path, "");
  }

  private void give(AccessRole role, String key) {
    grants.grant(new Grant(ALICE, role, List.of(), Map.of()).withKeys(Set.of(key)), ROOT);
  }

  private String code() {
    NewInvitation made =
        logins.invite(
            ALICE,
            Optional.of(new Grant(ALICE, AccessRole.OPERATOR, List.of(), Map.of())),
            Duration.ofHours(1),
            ROOT);
    return made.code();
  }

  private static String body(String code) {
    return "{\"code\":\"" + code + "\",\"request\":\"AAAA\"}";
  }

  // ---- strangers

  @Test
  void aStrangerWithACodeGetsACertificateOnce() throws Exception {
    String code = code();

    Reply reply = asStranger("POST", LOGIN, body(code));
    assertThat(reply.status()).as(reply.body()).isEqualTo(201);
    assertThat(reply.body()).contains("\"name\":\"alice\"").contains("certificate of alice");
    assertThat(reply.header("connection")).isEqualTo("close");

    assertThat(asStranger("POST", LOGIN, body(code)).error()).isEqualTo("403 the code is unknown");
    assertThat(written).extracting(AuditEntry::action).containsOnly("person.login");
    assertThat(written).extracting(AuditEntry::subject).containsOnly("127.0.0.1");
    assertThat(written)
        .extracting(AuditEntry::target)
        .containsExactly("person:alice", "invitation 00000001");
    assertThat(written).extracting(AuditEntry::result).containsExactly(Result.DONE, Result.REFUSED);
    assertThat(written.toString()).doesNotContain("b".repeat(32));
  }

  @Test
  void aStrangerIsAnsweredNothingElse() throws Exception {
    List<String> paths =
        List.of(
            "units",
            "state",
            "machines",
            "events",
            "discovery",
            "access",
            "tokens",
            "audit",
            "certificate",
            "units/web.service/restart",
            "access/alice/invite");
    for (String path : paths) {
      for (String method : List.of("GET", "POST", "PUT")) {
        Reply reply = asStranger(method, "/fleet/v1/" + path, "{}");
        assertThat(reply.status()).as("%s %s: %s", method, path, reply.body()).isEqualTo(401);
        assertThat(reply.body()).contains("it has not logged in, see fleetctl login --help");
      }
    }
    assertThat(asStranger("GET", "/metrics", "").status()).isEqualTo(401);
    assertThat(cluster.callers).isEmpty();
    assertThat(written).allSatisfy(entry -> assertThat(entry.action()).startsWith("stranger."));
  }

  @Test
  void whatAStrangerSendsIsShort() throws Exception {
    String tooLong = "{\"code\":\"" + "a".repeat(20 << 10) + "\"}";
    assertThat(asStranger("POST", LOGIN, tooLong).status()).isEqualTo(413);
  }

  @Test
  void aMistypedCodeIsToldSo() throws Exception {
    String code = code();
    assertThat(asStranger("POST", LOGIN, body(code.substring(0, code.length() - 1))).error())
        .startsWith("400 the code is mistyped or not whole");
  }

  /** The same bounds as on the port for machines: the oldest makes room. */
  @Test
  void strangersOfOneAddressHaveFewConnections() throws Exception {
    try (RawConnection known = connect(alice.trusting(server))) {
      give(AccessRole.VIEWER, "k1");
      assertThat(known.get("/fleet/v1/units").status()).isEqualTo(200);
      SilentFlood.awaitCut(address.getPort(), MOST_OF_ADDRESS + 100, 50, () -> {});
      assertThat(known.get("/fleet/v1/units").status()).as("who is known stays").isEqualTo(200);
    }
  }

  // ---- people

  @Test
  void aPersonMayWhatTheGrantSaysWhileItKnowsTheKey() throws Exception {
    give(AccessRole.VIEWER, "k1");
    assertThat(asAlice("GET", "/fleet/v1/units").status()).isEqualTo(200);
    assertThat(asAlice("POST", "/fleet/v1/units/web.service/restart").error())
        .contains("person alice may not restart web.service")
        .contains("fleetctl access grant person:alice --role=operator");

    give(AccessRole.OPERATOR, "k1");
    assertThat(asAlice("POST", "/fleet/v1/units/web.service/restart").status()).isEqualTo(202);
    assertThat(cluster.callers.getLast().name()).isEqualTo("person alice");

    give(AccessRole.OPERATOR, "k2");
    assertThat(asAlice("GET", "/fleet/v1/units").error())
        .startsWith("403 person alice may not list")
        .contains("fleetctl access invite person:alice");
  }

  @Test
  void aPersonGetsTheNextCertificate() throws Exception {
    give(AccessRole.VIEWER, "k1");
    Reply reply =
        ask(alice.trusting(server), "POST", "/fleet/v1/certificate", "{\"request\":\"AAAA\"}");
    assertThat(reply.status()).as(reply.body()).isEqualTo(201);
    assertThat(written.getLast().action()).isEqualTo("certificate.renew");
    assertThat(written.getLast().subject()).isEqualTo("person alice");
  }

  @Test
  void aRevokedGrantEndsAnOpenStream() throws Exception {
    give(AccessRole.VIEWER, "k1");
    try (RawConnection wire = connect(alice.trusting(server))) {
      wire.ask("GET", "/fleet/v1/events", "");
      assertThat(wire.head().status()).isEqualTo(200);
      assertThat(wire.chunk()).isNotEmpty();
      grants.revoke(ALICE, ROOT);
      assertThat(cluster.events.closedStreams.take()).isNotNull();
    }
  }

  @Test
  void certificatesThatAreNoneOfAPersonAreNamed() throws Exception {
    assertThat(ask(other.trusting(server), "GET", "/fleet/v1/units", "").error())
        .isEqualTo("401 the certificate of CN=other is not by this cluster's authority");
    logins.holders.put("CN=other", new CertificateHolder.Refused("it is none of a person"));
    assertThat(ask(other.trusting(server), "GET", "/fleet/v1/units", "").error())
        .isEqualTo("401 it is none of a person");
    logins.holders.put("CN=other", new CertificateHolder.Person("other", "k9", Instant.EPOCH));
    assertThat(ask(other.trusting(server), "GET", "/fleet/v1/units", "").error())
        .startsWith("401 the certificate of other was good until 1970");
  }

  @Test
  void aServerIsReachedByAnyNameAndByNoPage() throws Exception {
    give(AccessRole.VIEWER, "k1");
    try (RawConnection wire = connect(alice.trusting(server))) {
      assertThat(wire.request("GET", "/fleet/v1/units", "", "Host: lb.example.org").status())
          .isEqualTo(200);
    }
    try (RawConnection wire = connect(alice.trusting(server))) {
      assertThat(
              wire.request("GET", "/fleet/v1/units", "", "Origin: https://evil.example").status())
          .isEqualTo(403);
    }
  }

  // ---- invitations

  @Test
  void anAdminInvites() throws Exception {
    give(AccessRole.ADMIN, "k1");
    Reply made =
        ask(
            alice.trusting(server),
            "POST",
            "/fleet/v1/access/bob/invite",
            "{\"role\":\"operator\",\"units\":[\"web@*\"],\"ttlSeconds\":1800}");

    assertThat(made.status()).as(made.body()).isEqualTo(201);
    assertThat(made.body())
        .contains("\"code\":\"FLEET-LOGIN-1-00000001-")
        .contains("\"servers\":[\"10.0.0.1:50060\"]");
    assertThat(grants.list())
        .anySatisfy(given ->
            assertThat(given.grant().text()).isEqualTo("operator of person:bob, units web@*"));
    AuditEntry entry = written.getLast();
    assertThat(entry.action()).isEqualTo("access.invite");
    assertThat(entry.target()).isEqualTo("person:bob");
    assertThat(entry.reason()).contains("operator of person:bob, units web@*");
    assertThat(entry.toString()).doesNotContain("b".repeat(32));
    assertThat(
            ask(alice.trusting(server), "POST", "/fleet/v1/access/user:bob/invite", "{}").error())
        .isEqualTo("400 user:bob cannot log in");
    assertThat(
            ask(
                    alice.trusting(server),
                    "POST",
                    "/fleet/v1/access/bob/invite",
                    "{\"units\":[\"a\"]}")
                .error())
        .startsWith("400 a grant needs a role");
  }
}
