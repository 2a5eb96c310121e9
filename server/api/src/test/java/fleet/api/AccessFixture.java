package fleet.api;

import fleet.cluster.UnitView;
import fleet.core.access.Subject;
import fleet.core.audit.AuditLog;
import fleet.core.machine.Machine;
import fleet.core.state.DesiredState;
import fleet.entities.EntityJson;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;

/** Requests by subjects whose grants a test gives, to a cluster with two units on two machines. */
abstract class AccessFixture {

  static final String UNIT =
      "{\"desiredState\":\"loaded\",\"options\":[{\"section\":\"Service\",\"name\":\"ExecStart\","
          + "\"value\":\"/bin/true\"}]}";
  static final Subject ALICE = new Subject.Person("alice", Optional.empty());
  static final Subject ROOT = new Subject.User("root", 0, Set.of("root"));
  static final Subject NODE = new Subject.Joined("m1", "user root");

  final FakeCluster cluster = new FakeCluster();
  final FakeTokens tokens = new FakeTokens();
  final FakeGrants grants = new FakeGrants();
  final Routes routes =
      new Routes(
          new ApiSettings("2.0.0", 100, List.of(), Optional.empty()),
          new EntityJson(),
          new MetricsResource(new MetricStore(), Optional::empty),
          new HealthResource(Optional::empty));
  final Gateway gateway =
      new Gateway(
          routes, new EntityJson(), new FakeBackend(cluster, tokens, grants), AuditLog.NONE);

  @BeforeEach
  void fill() {
    cluster.add(placed("web@1.service", "m1"));
    cluster.add(placed("db.service", "m2"));
    cluster.add(FakeUnits.state("web@1.service", "m1"));
    cluster.add(FakeUnits.state("db.service", "m2"));
    cluster.add(machine("m1", "eu"));
    cluster.add(machine("m2", "us"));
  }

  static UnitView placed(String name, String machine) {
    UnitView view = FakeUnits.view(name, DesiredState.LAUNCHED);
    return new UnitView(
        view.unit(),
        view.current(),
        Optional.of(machine),
        false,
        "",
        false,
        "least loaded",
        Optional.empty(),
        "");
  }

  static Machine machine(String id, String region) {
    return new Machine(id, "boot", "10.0.0.1", Map.of("region", region), "2.0.0");
  }

  PlayedAnswer ask(Subject subject, String method, String path, String body) throws IOException {
    PlayedAnswer answer = new PlayedAnswer();
    gateway.answerRelayed(
        PlayedRequest.of(method, "/fleet/v1/" + path).with(body).by(subject), answer);
    return answer;
  }

  PlayedAnswer get(Subject subject, String path) throws IOException {
    return ask(subject, "GET", path, "");
  }
}
