package fleet.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import fleet.cluster.Caller;
import fleet.cluster.NotLeadingException;
import fleet.cluster.UnitView;
import fleet.cluster.request.ApiAnswer;
import fleet.cluster.request.ApiHandler;
import fleet.cluster.request.ApiRequest;
import fleet.core.access.Subject;
import fleet.core.audit.AuditEntry;
import fleet.core.audit.AuditEntry.Result;
import fleet.core.question.UnitVerb;
import fleet.core.state.DesiredState;
import fleet.core.unit.UnitFile;
import fleet.entities.EntityJson;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every decision is written down where it is made, before the answer goes out. */
class AuditedRequestsTest {

  private static final String UNITS = "/fleet/v1/units";
  private static final String OTHER_TEXT =
      "{\"options\":[{\"section\":\"Service\",\"name\":\"ExecStart\",\"value\":\"/bin/false\"}]}";

  /** Questions that are asked by POST, as a query is too short for them; they change nothing. */
  private static final Set<String> READ_BY_POST = Set.of("/fleet/v1/plan", "/fleet/v1/journal");

  private final FakeCluster cluster = new FakeCluster();
  private final List<AuditEntry> written = new ArrayList<>();
  private Backend backend = new FakeBackend(cluster, new FakeTokens(), new FakeGrants());
  private final Routes routes =
      new Routes(
          new ApiSettings("2.0.0", 3, List.of(), Optional.empty()),
          new EntityJson(),
          new MetricsResource(new MetricStore(), Optional::empty),
          new HealthResource(Optional::empty));

  private Gateway gateway() {
    return new Gateway(routes, new EntityJson(), backend, written::add, Duration.ofSeconds(1));
  }

  private PlayedAnswer answer(ApiRequest request) throws IOException {
    PlayedAnswer answer = new PlayedAnswer();
    gateway().answer(request, answer);
    return answer;
  }

  private PlayedAnswer answer(String method, String target, String body) throws IOException {
    return answer(PlayedRequest.of(method, target).with(body));
  }

  private AuditEntry only() {
    assertThat(written).hasSize(1);
    return written.getFirst();
  }

  /** A request of another machine's user, as its fleetd passes it on. */
  private record Relayed(PlayedRequest request) implements ApiRequest {
    @Override
    public String method() {
      return request.method();
    }

    @Override
    public String target() {
      return request.target();
    }

    @Override
    public List<String> headers(String name) {
      return request.headers(name);
    }

    @Override
    public Optional<byte[]> body(int atMost) {
      return request.body(atMost);
    }

    @Override
    public Caller caller() {
      return new Caller("user root on m2");
    }

    @Override
    public Subject subject() {
      return request.subject();
    }

    @Override
    public String connection() {
      return "c2";
    }

    @Override
    public String requestId() {
      return "r2";
    }

    @Override
    public String passedOnBy() {
      return "m2";
    }
  }

  // ---- every route

  /** All paths that can be made of the words in {@link Routes}, which have a route. */
  private Stream<String> paths() throws IOException {
    String source = Files.readString(Path.of("src/main/java/fleet/api/Routes.java"));
    Set<String> words = new TreeSet<>(Set.of("a.service", "resume", "pause", "back"));
    Matcher cases = Pattern.compile("\"[A-Z]+ ([a-z-]+)(?:/[*])?(?:/([a-z-]+))?\"").matcher(source);
    while (cases.find()) {
      words.add(cases.group(1));
      Optional.ofNullable(cases.group(2)).ifPresent(words::add);
    }
    words.remove("exec-input"); // it is part of its command, which is written down
    Stream.of(UnitVerb.values()).map(UnitVerb::text).forEach(words::add);
    assertThat(words).contains("units", "tokens", "drain", "restart");
    List<String> paths = new ArrayList<>();
    for (String first : words) {
      paths.add("/fleet/v1/" + first);
      for (String second : List.of("a.service", "resume")) {
        paths.add("/fleet/v1/" + first + "/" + second);
        words.forEach(third -> paths.add("/fleet/v1/" + first + "/" + second + "/" + third));
      }
    }
    return paths.stream().filter(path -> Stream.of("PUT", "GET").anyMatch(m -> has(m, path)));
  }

  private boolean has(String method, String path) {
    return !routes.of(method, path).name().startsWith("unknown.");
  }

  /** As fleet 1.0 refuses other methods there. */
  private static boolean isRefused(String path, int status) {
    return status == (path.endsWith("/discovery") ? 400 : 405);
  }

  /** The names of routes do not matter. A method that a path does not have changes nothing. */
  @Test
  void whateverMayChangeSomethingIsWrittenDown() throws IOException {
    int asked = 0;
    for (String path : paths().toList()) {
      for (String method : List.of("PUT", "POST", "DELETE", "PATCH")) {
        written.clear();
        PlayedAnswer answer = answer(method, path, "{}");
        boolean reads = method.equals("POST") && READ_BY_POST.contains(path);
        if (!isRefused(path, answer.status())) {
          assertThat(written.isEmpty())
              .as("%s %s, answered with %d", method, path, answer.status())
              .isEqualTo(reads);
          asked++;
        }
        assertThat(written).allSatisfy(entry -> assertThat(entry.subject()).isEqualTo("user a"));
      }
    }
    assertThat(asked).isGreaterThan(25);
  }

  @ParameterizedTest
  @CsvSource({
    "PUT, units, unit.put, ''",
    "PUT, units/a.service, unit.put, a.service",
    "DELETE, units/a.service, unit.destroy, a.service",
    "GET, units/a.service/journal, unit.read, a.service",
    "POST, units/a.service/kill, unit.kill, a.service",
    "POST, units/a.service/reset-failed, unit.reset-failed, a.service",
    "POST, units/a%40b.service/restart, unit.restart, a@b.service",
    "POST, units/bad/start, unit.start, bad",
    "PATCH, machines, machine.change, ''",
    "POST, machines/m1/drain, machine.drain, m1",
    "POST, machines/m1/exec, machine.exec, m1",
    "GET, operations/drain-m1, operation.read, m1",
    "POST, machines/m1/uncordon, machine.uncordon, m1",
    "POST, machines/m1/maintenance, machine.maintain, m1",
    "DELETE, machines/m1/maintenance, machine.end-maintenance, m1",
    "POST, machines/m1/remove, machine.remove, m1",
    "POST, tokens, token.create, ''",
    "DELETE, tokens/5a1f03c2, token.revoke, 5a1f03c2",
    "PUT, access/alice, access.grant, alice",
    "DELETE, access/alice, access.revoke, alice",
    "POST, access/check, access.check, check",
    "POST, access/alice/invite, access.invite, alice",
    "POST, login, person.login, ''",
    "POST, certificate, certificate.renew, ''",
    "GET, ca, ca.read, ''",
    "POST, ca, ca.rotate, ''",
    "POST, etcd-certificates, etcd.certify, ''",
    "PUT, config/scheduler.strategy, config.set, scheduler.strategy",
    "PUT, rollouts/web@, rollout.start, web@",
    "POST, operations/rollout-web@.service/pause, rollout.pause, web@.service",
    "POST, operations/drain-m1/cancel, drain.cancel, m1",
    "POST, operations/nonsense/cancel, unknown.change, ''",
    "POST, rebalance, rebalance.start, ''",
    "POST, operations/rebalance/cancel, rebalance.cancel, ''",
    "POST, rescheduling/resume, rescheduling.resume, resume",
    "GET, events, events.read, ''",
    "POST, nothing, unknown.change, ''",
    "GET, units/a.service/why/not, unknown.read, ''",
  })
  void aRequestIsNamedByItsRoute(String method, String path, String name, String about) {
    Route route = routes.of(method, "/fleet/v1/" + path);
    assertThat(route.name()).isEqualTo(name);
    assertThat(route.about()).isEqualTo(about);
  }

  // ---- what is written

  @Test
  void aNewUnitIsWrittenDownWithItsHash() throws IOException {
    PlayedAnswer answer = answer("PUT", UNITS + "/a.service", OTHER_TEXT);

    AuditEntry entry = only();
    assertThat(entry.action()).isEqualTo("unit.put");
    assertThat(entry.target()).isEqualTo("a.service");
    assertThat(entry.result()).isEqualTo(Result.DONE);
    assertThat(entry.before()).isEmpty();
    assertThat(entry.after()).hasSize(40);
    assertThat(answer.head.orElseThrow().headers()).containsEntry("X-Request-Id", entry.request());
  }

  @Test
  void aUnitThatIsReplacedAndDestroyedIsWrittenDownWithBothHashes() throws IOException {
    cluster.add(FakeUnits.view("a.service", DesiredState.LAUNCHED));
    UnitFile file = cluster.units().getFirst().unit().file();

    assertThat(answer("PUT", UNITS + "/a.service", OTHER_TEXT).status()).isLessThan(300);
    assertThat(only().before()).isEqualTo(file.hash());
    assertThat(only().after()).hasSize(40).isNotEqualTo(file.hash());

    String replaced = cluster.units().getFirst().unit().file().hash();
    written.clear();
    assertThat(answer("DELETE", UNITS + "/a.service", "").status()).isEqualTo(204);
    assertThat(only().action()).isEqualTo("unit.destroy");
    assertThat(only().before()).isEqualTo(replaced);
    assertThat(only().after()).isEmpty();
  }

  @Test
  void theSetIntoWhichAUnitComesIsWrittenDown() throws IOException {
    cluster.add(FakeUnits.view("a.service", DesiredState.LAUNCHED));
    assertThat(answer("PUT", UNITS + "/a.service", "{\"set\":\"shop\"}").status()).isEqualTo(204);
    assertThat(only().reason()).isEqualTo("set shop");
  }

  @Test
  void aSignalIsWrittenDownWithThoseThatGotIt() throws IOException {
    cluster.add(placed("a.service", "m1"));
    cluster.answers = (machine, question) -> Optional.of(FakeAnswer.whole("", 0));

    assertThat(answer("POST", UNITS + "/a.service/kill?signal=HUP&whom=main", "").status())
        .isEqualTo(200);
    assertThat(only().action()).isEqualTo("unit.kill");
    assertThat(only().target()).isEqualTo("a.service");
    assertThat(only().reason()).isEqualTo("SIGHUP to main");
  }

  private static UnitView placed(String name, String machine) {
    UnitView view = FakeUnits.view(name, DesiredState.LAUNCHED);
    return new UnitView(
        view.unit(),
        view.current(),
        Optional.of(machine),
        false,
        "",
        false,
        "",
        Optional.empty(),
        "");
  }

  @Test
  void eachOfSeveralUnitsHasItsEntry() throws IOException {
    PlayedAnswer _ =
        answer(
            "PUT",
            UNITS,
            "{\"units\":[{\"name\":\"a.service\",\"desiredState\":\"launched\",\"options\":[{\"section\":\"Service\",\"name\":\"ExecStart\",\"value\":\"/a\"}]},"
                + "{\"name\":\"bad\",\"options\":[]}]}");

    assertThat(written)
        .extracting(AuditEntry::target, AuditEntry::result)
        .containsExactlyInAnyOrder(tuple("a.service", Result.DONE), tuple("bad", Result.REFUSED));
    assertThat(written).extracting(AuditEntry::request).containsOnly(written.getFirst().request());
  }

  @Test
  void aRefusalIsWrittenDownWithItsReason() throws IOException {
    PlayedAnswer answer = answer("DELETE", UNITS + "/a.service", "");

    assertThat(answer.status()).isEqualTo(404);
    assertThat(only().result()).isEqualTo(Result.REFUSED);
    assertThat(only().reason()).isEqualTo("unit does not exist");
  }

  @Test
  void aPageOfAnotherSiteIsWrittenDown() throws IOException {
    PlayedAnswer answer = new PlayedAnswer();
    gateway().refuse(PlayedRequest.of("GET", "/fleet/v1/state"), answer, 403, "another site");

    assertThat(only().result()).isEqualTo(Result.REFUSED);
    assertThat(only().reason()).isEqualTo("another site");
  }

  @Test
  void readingTheTextOfUnitsIsWrittenDownAndListsAreNot() throws IOException {
    cluster.add(FakeUnits.view("a.service", DesiredState.LAUNCHED));
    for (String path :
        List.of("state", "machines", "state/a.service", "config", "tokens", "units?options=0")) {
      PlayedAnswer _ = answer("GET", "/fleet/v1/" + path, "");
    }
    assertThat(written).isEmpty();
    PlayedAnswer _ = answer("GET", UNITS + "/missing.service", "");
    assertThat(written).isEmpty();

    PlayedAnswer _ = answer("GET", UNITS, "");
    PlayedAnswer _ = answer("GET", UNITS + "/a.service", "");
    PlayedAnswer _ = answer("GET", UNITS + "?unit=a.service", "");
    assertThat(written).extracting(AuditEntry::action).containsOnly("unit.read");
    assertThat(written)
        .extracting(AuditEntry::target)
        .containsExactly("*", "a.service", "a.service");
  }

  @Test
  void aTokenIsWrittenDownByItsIdAndWithoutItsSecret() throws IOException {
    PlayedAnswer answer = answer("POST", "/fleet/v1/tokens", "{\"role\":\"agent\"}");

    assertThat(only().action()).isEqualTo("token.create");
    assertThat(answer.body()).contains(only().target());
    assertThat(only().target()).isNotEmpty();
    assertThat(only().reason()).startsWith("role agent, good until ");
    String secret = answer.body().replaceFirst("(?s).*\"token\":\"([^\"]+)\".*", "$1");
    assertThat(only().toString()).doesNotContain(secret);
  }

  @Test
  void aFailureIsWrittenDownForEachUnit() throws IOException {
    cluster.unavailable = Optional.of("etcd is not reached");
    PlayedAnswer answer = answer("POST", UNITS + "/a.service/restart", "");

    assertThat(answer.status()).isEqualTo(503);
    assertThat(only().result()).isEqualTo(Result.FAILED);
    assertThat(only().reason()).isEqualTo("etcd is not reached");
  }

  @Test
  void aCommandInTheMiddleOfWhichFleetdEndsIsWrittenDown() {
    cluster.before = () -> sneaky(new InterruptedException());

    assertThatThrownBy(() -> answer("POST", UNITS + "/a.service/restart", ""))
        .isInstanceOf(InterruptedIOException.class);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(only().result()).isEqualTo(Result.FAILED);
    assertThat(only().reason()).isEqualTo("fleetd ended before this did");
  }

  @SuppressWarnings("unchecked")
  private static <E extends Throwable> void sneaky(Throwable thrown) throws E {
    throw (E) thrown;
  }

  // ---- where

  @Test
  void aRequestOfAnotherMachineIsWrittenDownWithThatMachine() throws IOException {
    PlayedAnswer answer = new PlayedAnswer();
    gateway()
        .answerRelayed(
            new Relayed(PlayedRequest.of("PUT", UNITS + "/a.service").with(OTHER_TEXT)), answer);

    assertThat(only().subject()).isEqualTo("user root on m2");
    assertThat(only().machine()).isEqualTo("m2");
    assertThat(only().request()).isEqualTo("r2");
    assertThat(answer.head.orElseThrow().headers()).containsEntry("X-Request-Id", "r2");
  }

  @Test
  void whatIsPassedOnIsWrittenDownByWhoeverDecides() throws IOException {
    List<String> ids = new ArrayList<>();
    ApiHandler leader =
        (request, answer) -> {
          ids.add(request.requestId());
          answer.whole(new ApiAnswer.Head(201, Map.of(), false), new byte[0]);
        };
    backend = Backend.joined(leader);
    assertThat(answer("PUT", UNITS + "/a.service", OTHER_TEXT).status()).isEqualTo(201);
    assertThat(ids).hasSize(1);
    assertThat(written).isEmpty();
  }

  @Test
  void whatNobodyDecidedIsNotWrittenDown() throws IOException {
    cluster.before =
        () -> {
          throw new NotLeadingException("another leads");
        };
    backend =
        new Backend() {
          @Override
          public Optional<Server> server() {
            return Optional.of(
                new Server(
                    cluster,
                    new Own(
                        cluster,
                        new FakeTokens(),
                        new FakeTrust(),
                        new FakeClusterAuthority(),
                        new FakeGrants(),
                        new FakeLogins(new FakeGrants()))));
          }

          @Override
          public Optional<ApiHandler> leader() {
            return Optional.of(
                (_, answer) -> answer.whole(new ApiAnswer.Head(202, Map.of(), false), new byte[0]));
          }
        };
    assertThat(answer("POST", UNITS + "/a.service/start", "").status()).isEqualTo(202);
    assertThat(written).isEmpty();
  }

  /** Its answer begins before systemd has done it. */
  @Test
  void anOrderIsDoneOrFailedAsItsMachineSays() throws IOException {
    cluster.add(placed("a.service", "m1"));
    for (int status : List.of(0, 1)) {
      cluster.answers = (_, _) -> Optional.of(FakeAnswer.whole("", status));
      var _ = answer("POST", UNITS + "/a.service/kill?signal=HUP", "");
    }
    assertThat(written)
        .extracting(entry -> entry.action() + " " + entry.result().text() + " " + entry.reason())
        .containsExactly("unit.kill done SIGHUP to all", "unit.kill failed SIGHUP to all");
  }

  @Test
  void aCommandOnAMachineIsWrittenDownWhenItBeginsAndWhenItEnds() throws IOException {
    cluster.answers = (_, _) -> Optional.of(FakeAnswer.whole("frames", 7));
    var _ = answer("POST", "/fleet/v1/machines/m1/exec", "{\"command\":[\"sh\",\"-c\",\"a  b\"]}");
    assertThat(written)
        .extracting(entry -> entry.action() + " " + entry.target() + " " + entry.reason())
        .satisfiesExactly(
            begun -> assertThat(begun).isEqualTo("machine.exec m1 sh -c 'a  b'"),
            ended ->
                assertThat(ended)
                    .matches("machine.exec-end m1 exit status 7 after \\d+\\.\\d{3} s"));
  }

  @Test
  void keysThatAreTypedAreNotWrittenDown() throws IOException {
    cluster.answers = (_, _) -> Optional.of(FakeAnswer.whole("1", 0));
    String input = "/fleet/v1/machines/m1/exec-input?session=0b5c1d3a-7e0f-4a55-9d0e-111213141516";
    assertThat(answer("PUT", input, "x").status()).isEqualTo(200);
    assertThat(written).isEmpty();
  }

  @Test
  void theEntryIsThereBeforeTheAnswer() throws IOException {
    List<Integer> before = new ArrayList<>();
    gateway()
        .answer(
            PlayedRequest.of("PUT", UNITS + "/a.service").with(OTHER_TEXT),
            new AuditedAnswer(
                PlayedRequest.of("PUT", "/fleet/v1"),
                routes.of("PUT", "/fleet/v1"),
                new PlayedAnswer(),
                _ -> before.add(written.size())));
    assertThat(before).containsExactly(1);
  }
}
