package fleet.fleetctl.command;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.fleetctl.command.Terminal.Ran;
import fleet.fleetctl.fake.FakeHttpServer;
import fleet.fleetctl.fake.FakeHttpServer.Request;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;
import org.junit.jupiter.api.Test;

final class CordonCommandTest extends ServedCommandTest {

  private static final String FIRST = "113f16a7b2c34d5e";
  private static final String SECOND = "113faaaab2c34d5e";
  private static final String AWAY = "2222aaaab2c34d5e";

  private final Set<String> cordoned = new CopyOnWriteArraySet<>();

  @Override
  boolean handle(Request request, OutputStream out) throws IOException {
    if (request.path().endsWith("/machines")) {
      return FakeHttpServer.reply(
          out,
          200,
          "{\"machines\":[{\"id\":\"%s\",\"primaryIP\":\"10.0.0.3\"%s},{\"id\":\"%s\",\"hostname\":\"node2\"}]}"
              .formatted(FIRST, cordoned.contains(FIRST) ? ",\"cordoned\":true" : "", SECOND));
    }
    if (request.path().endsWith("/rescheduling")) {
      return FakeHttpServer.reply(
          out,
          200,
          "{\"absent\":[{\"id\":\""
              + AWAY
              + "\",\"standing\":\"lost\",\"units\":1},"
              + "{\"id\":\"3333aaaab2c34d5e\",\"standing\":\"cordoned\",\"units\":0}]}");
    }
    String[] path = request.path().split("/", -1);
    String id = path[4];
    boolean changed = path[5].equals("cordon") ? cordoned.add(id) : cordoned.remove(id);
    return FakeHttpServer.reply(out, changed ? 204 : 200, "");
  }

  @Test
  void machinesAreNamedByTheBeginningsOfTheirIdsAlsoThoseThatAreAway() {
    assertThat(run("cordon", "113f16a7...", "2222"))
        .isEqualTo(
            new Ran(
                0,
                """
                Machine 113f16a7.../10.0.0.3 is now cordoned.
                Machine 2222aaaa... is now cordoned.
                """,
                ""));
    assertThat(cordoned).containsExactly(FIRST, AWAY);
    assertThat(run("cordon", "node2").out()).isEqualTo("Machine node2 is now cordoned.\n");
    assertThat(cordoned.remove(SECOND)).isTrue();
    assertThat(run("cordon", FIRST).out())
        .isEqualTo("Machine 113f16a7.../10.0.0.3 was already cordoned.\n");
    assertThat(run("uncordon", FIRST).out())
        .isEqualTo("Machine 113f16a7.../10.0.0.3 is now open to new units.\n");
    assertThat(cordoned).containsExactly(AWAY);
  }

  @Test
  void aMachineThatNobodyKnowsIsOpenedOnlyWhereItIsCordoned() {
    assertThat(run("uncordon", "nosuch").err())
        .startsWith("Error: no machine is called \"nosuch\"");
    String gone = "0123456789abcdef0123456789abcdef";
    Ran ran = run("uncordon", gone);
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err())
        .isEqualTo("Error: no machine has the id " + gone + "; see: fleetctl list-machines\n");
    cordoned.add(gone);
    assertThat(run("uncordon", gone).out())
        .isEqualTo("Machine " + gone + " is now open to new units.\n");
  }

  @Test
  void aMachineIsNamedFromItself() throws IOException {
    Terminal terminal = terminal();
    assertThat(terminal.run("cordon", "--self").err())
        .startsWith("Error: --self: this machine has no id, and is none of the cluster at ");
    Path _ = terminal.write("machine-id", "nobody\n");
    assertThat(terminal.run("cordon", "--self").err()).contains("this machine, nobody, is none of");
    assertThat(cordoned).isEmpty();
    Path _ = terminal.write("machine-id", SECOND + "\n");
    assertThat(terminal.run("cordon", "--self").out())
        .isEqualTo("Machine node2 is now cordoned.\n");
    assertThat(terminal.run("uncordon", "--self").code()).isZero();
    assertThat(terminal.run("drain", "--self", FIRST).code()).isEqualTo(2);
  }

  @Test
  void aBeginningThatSeveralHaveIsRefusedAndNothingIsDone() {
    Ran ran = run("cordon", "2222", "113f");
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err()).contains("several machines", FIRST, SECOND);
    assertThat(cordoned).isEmpty();
    assertThat(run("cordon").code()).isEqualTo(2);
  }

  @Test
  void theListOfMachinesSaysWhoIsCordoned() {
    cordoned.add(FIRST);
    assertThat(run("list-machines").out())
        .contains("Machine 113f16a7... is cordoned: no new units come to it.\n")
        .contains(
            "Machine 3333aaaa... is absent and cordoned: no new units come to it when it is"
                + " back.\n");
    assertThat(run("list-machines", "--no-legend", "--fields=machine,cordoned").out())
        .isEqualTo("113f16a7...\tcordoned\n113faaaa...\t-\n");
  }
}
