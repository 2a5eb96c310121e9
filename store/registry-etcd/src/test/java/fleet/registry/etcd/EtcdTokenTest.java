package fleet.registry.etcd;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import fleet.core.testing.Await;
import fleet.registry.Lease;
import fleet.registry.Outcome.Committed;
import fleet.registry.Recorder;
import fleet.registry.Transaction;
import fleet.registry.Watch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tokens that etcd gives to a user and that run out. Each kind of request has a handle of its own,
 * so that each is the first to come with an old token.
 */
class EtcdTokenTest {

  private static final Pattern TOKEN = Pattern.compile("\"token\":\"([^\"]+)\"");
  private static final Duration LEASE = Duration.ofSeconds(60);

  @TempDir Path directory;
  private final HttpClient http = HttpClient.newHttpClient();
  private final List<EtcdRegistry> open = new ArrayList<>();

  @AfterEach
  void close() {
    open.forEach(EtcdRegistry::close);
    http.close();
  }

  private interface Expiry {
    void await(EtcdServer server) throws Exception;
  }

  /** With a JWT nothing but its age counts; etcd's simple tokens live on as they are used. */
  @Test
  void aTokenThatRunsOutIsAskedForAgain() throws Exception {
    OpensslCertificates keys = OpensslCertificates.make(directory.resolve("keys"));
    keys.openssl("genrsa -out jwt.key 2048");
    keys.openssl("rsa -in jwt.key -pubout -out jwt.pub");
    String token =
        "jwt,pub-key=%s,priv-key=%s,sign-method=RS256,ttl=1s"
            .formatted(keys.file("jwt.pub"), keys.file("jwt.key"));
    assertOutlivesItsToken(this::awaitEndOfJwt, "--auth-token", token);
  }

  @Test
  void aSimpleTokenThatRunsOutIsAskedForAgain() throws Exception {
    assertOutlivesItsToken(this::awaitEndOfSimpleToken, "--auth-token-ttl", "1", "--logger", "zap");
  }

  private void assertOutlivesItsToken(Expiry expiry, String... tokens) throws Exception {
    String[] options =
        Stream.concat(Arrays.stream(tokens), Stream.of("--bcrypt-cost", "4"))
            .toArray(String[]::new);
    try (EtcdServer server = EtcdServer.start(directory, options);
        FaultProxy proxy = new FaultProxy(server.client())) {
      Users.enable(server.client());
      EtcdRegistry writing = open(proxy);
      EtcdRegistry working = open(proxy);
      Lease renewed = open(proxy).grant(LEASE);
      Lease revoked = open(proxy).grant(LEASE);
      Recorder recorder = new Recorder();
      EtcdRegistry watching = open(proxy);
      try (Watch _ = watching.watch("k", watching.read("k"), recorder)) {
        expiry.await(server);
        assertThat(renewed.renew()).isTrue();
        recorder.until(put(writing, "k", revoked));
        assertWorks(working);
        revoked.revoke();
        expiry.await(server);
        proxy.resetAll();
        assertThat(renewed.renew()).isTrue();
        recorder.until(put(writing, "k", renewed));
        assertWorks(working);
      }
    }
  }

  private EtcdRegistry open(FaultProxy proxy) {
    EtcdRegistry registry =
        EtcdRegistry.open(
            new EtcdOptions(
                List.of(proxy.uri()),
                "/fleet/",
                "writer" + open.size(),
                Duration.ofSeconds(2),
                Duration.ofMinutes(1),
                Optional.of(Users.FLEET),
                Optional.empty(),
                EtcdOptions.DEFAULT_QUOTA,
                Optional.empty()));
    open.add(registry);
    return registry;
  }

  private static long put(EtcdRegistry registry, String key, Lease lease) {
    var outcome = registry.commit(Transaction.when().put(key, "1", lease).build());
    assertThat(outcome).isInstanceOf(Committed.class);
    return outcome.revision();
  }

  private static void assertWorks(EtcdRegistry registry) {
    Recorder recorder = new Recorder();
    try (Watch _ = registry.watch("a", registry.read(""), recorder)) {
      var outcome = registry.commit(Transaction.when().put("a", "1").build());
      assertThat(recorder.next().revision()).isEqualTo(outcome.revision());
    }
  }

  /** Waits for the end of a token that is younger than all others and unused: etcd logs it. */
  private void awaitEndOfSimpleToken(EtcdServer server) throws Exception {
    server.nextLine(token(server.client())).get();
  }

  /** Waits for the end of a token that is younger than all others: no event tells of it. */
  private void awaitEndOfJwt(EtcdServer server) throws Exception {
    String token = token(server.client());
    Await.until(() -> !isTaken(server.client(), token));
  }

  private String token(URI etcd) throws Exception {
    String login =
        "{\"name\":\"%s\",\"password\":\"%s\"}"
            .formatted(Users.FLEET.user(), Users.FLEET.password());
    HttpRequest request =
        HttpRequest.newBuilder(etcd.resolve("/v3/auth/authenticate"))
            .POST(HttpRequest.BodyPublishers.ofString(login))
            .build();
    String told = http.send(request, BodyHandlers.ofString()).body();
    Matcher token = TOKEN.matcher(told);
    assertThat(token.find()).as(told).isTrue();
    return token.group(1);
  }

  private boolean isTaken(URI etcd, String token) {
    String key = Base64.getEncoder().encodeToString("/fleet/a".getBytes(UTF_8));
    HttpRequest request =
        HttpRequest.newBuilder(etcd.resolve("/v3/kv/range"))
            .header("Authorization", token)
            .POST(HttpRequest.BodyPublishers.ofString("{\"key\":\"%s\"}".formatted(key)))
            .build();
    try {
      HttpResponse<String> response = http.send(request, BodyHandlers.ofString());
      return response.statusCode() == 200;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
