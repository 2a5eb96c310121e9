package fleet.fleetctl.command;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.fleetctl.command.Terminal.Ran;
import fleet.fleetctl.fake.FakeHttpServer;
import fleet.fleetctl.fake.FakeHttpServer.Request;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The comments of unit files go into the cluster, and come back. */
final class UnitCommentsTest extends ServedCommandTest {

  private static final String TEXT = "# why\n\n[Service]\nExecStart=/bin/true\n";
  private static final String OPTIONS =
      "\"options\":[{\"name\":\"ExecStart\",\"section\":\"Service\",\"value\":\"/bin/true\"}]";
  private static final String UNIT =
      "\"name\":\"web.service\",\"desiredState\":\"inactive\",\"currentState\":\"inactive\","
          + OPTIONS;

  private final List<String> puts = new CopyOnWriteArrayList<>();
  private volatile boolean exists = true;
  private volatile String text = TEXT;
  private volatile int answer = 204;

  @BeforeEach
  void writeFile() throws IOException {
    var _ = Files.writeString(directory.resolve("web.service"), TEXT);
  }

  @Override
  boolean handle(Request request, OutputStream out) throws IOException {
    if (request.method().equals("PUT")) {
      puts.add(request.body());
      return FakeHttpServer.reply(
          out,
          answer,
          answer < 400 ? "" : "{\"error\":{\"code\":409,\"message\":\"must provide\"}}");
    }
    if (!exists || !request.path().endsWith("/units/web.service")) {
      return FakeHttpServer.reply(
          out, 404, "{\"error\":{\"code\":404,\"message\":\"unit does not exist\"}}");
    }
    boolean typed = request.query().contains("text=1") && !text.isEmpty();
    String more = typed ? ",\"text\":\"" + text.replace("\n", "\\n") + "\"" : "";
    return FakeHttpServer.reply(out, 200, "{" + UNIT + more + "}");
  }

  @Test
  void catPrintsWhatWasTyped() {
    assertThat(run("cat", "web")).isEqualTo(new Ran(0, TEXT, ""));
    text = "";
    assertThat(run("cat", "web").out()).isEqualTo("[Service]\nExecStart=/bin/true\n");
    text = "# of\n[Service]\nExecStart=/bin/another\n";
    assertThat(run("cat", "web").out()).isEqualTo("[Service]\nExecStart=/bin/true\n");
  }

  @Test
  void aNewUnitIsSentWithItsComments() {
    exists = false;
    answer = 201;
    assertThat(run("submit", "web.service").code()).isZero();
    assertThat(puts).hasSize(1);
    assertThat(puts.getFirst())
        .contains(OPTIONS, "\"text\":\"# why\\n\\n[Service]\\nExecStart=/bin/true\\n\"");
  }

  @Test
  void newCommentsAloneAreSentWithoutAState() {
    text = "# another\n[Service]\nExecStart=/bin/true\n";
    assertThat(run("submit", "--replace", "web.service"))
        .isEqualTo(
            new Ran(
                0,
                "Unit web.service has the comments of its file now, and goes on as it is\n",
                ""));
    assertThat(puts).hasSize(1);
    assertThat(puts.getFirst()).contains("# why").doesNotContain("desiredState");
    assertThat(run("submit", "web.service").code()).isZero();
    assertThat(puts).hasSize(1);
  }

  @Test
  void theSameCommentsAreNotSentAgain() {
    assertThat(run("submit", "--replace", "web.service").out())
        .isEqualTo("Found same Unit(web.service) in Registry, nothing to do\n");
    assertThat(puts).isEmpty();
  }

  @Test
  void anOlderFleetdKeepsItsUnitAndThatIsSaid() {
    text = "";
    answer = 409;
    Ran ran = run("submit", "--replace", "web.service");
    assertThat(ran.code()).isZero();
    assertThat(ran.err()).startsWith("WARNING: unit web.service keeps its comments: ");
  }
}
