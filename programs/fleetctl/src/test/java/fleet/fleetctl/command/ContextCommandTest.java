package fleet.fleetctl.command;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.fleetctl.command.Terminal.Ran;
import fleet.fleetctl.fake.FakeHttpServer;
import fleet.fleetctl.fake.FakeHttpServer.Request;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ContextCommandTest extends ServedCommandTest {

  @Override
  boolean handle(Request request, OutputStream out) throws IOException {
    return FakeHttpServer.reply(out, 200, "{\"machines\":[{\"id\":\"m1\",\"primaryIP\":\"\"}]}");
  }

  /** Without an endpoint in the environment: there is none on a laptop. */
  @Override
  Terminal terminal() {
    return super.terminal()
        .with("FLEETCTL_ENDPOINT", "")
        .with("XDG_CONFIG_HOME", directory.toString());
  }

  private String socket() {
    return "unix://" + directory.resolve("fleet.sock");
  }

  private void set(String name, String endpoint) {
    assertThat(run("context", "set", name, "--endpoint=" + endpoint)).isEqualTo(new Ran(0, "", ""));
  }

  @Test
  void aContextNamesACluster() {
    set("prod", socket());
    set("gone", "unix:///nowhere.sock");
    assertThat(run("--context", "prod", "list-machines", "--no-legend").out()).startsWith("m1");
    Ran gone = run("--context=gone", "list-machines");
    assertThat(gone.code()).isEqualTo(1);
    assertThat(gone.err()).contains("/nowhere.sock");
  }

  /** As after setpriv or with sudo, which leave HOME as it is. */
  @Test
  void aHomeThatCannotBeEnteredHasNone() throws Exception {
    var contexts = new Contexts(Map.of("HOME", "/dev/null"));

    assertThat(contexts.current()).isEmpty();
    assertThat(contexts.names()).isEmpty();
  }

  @Test
  void theOneInUseIsAskedUntilAnotherIsNamed() {
    set("prod", socket());
    set("gone", "unix:///nowhere.sock");
    assertThat(run("context", "use", "prod").code()).isZero();
    assertThat(run("list-machines", "--no-legend").out()).startsWith("m1");
    assertThat(run("--endpoint=unix:///other.sock", "list-machines").err()).contains("/other.sock");
    assertThat(run("--context=gone", "list-machines").err()).contains("/nowhere.sock");
    List<List<String>> cells =
        run("context", "list").out().lines().map(line -> List.of(line.split("\t+"))).toList();
    assertThat(cells)
        .containsExactly(
            List.of("NAME", "IN USE", "ENDPOINT"),
            List.of("gone", "-", "unix:///nowhere.sock"),
            List.of("prod", "yes", socket()));
    assertThat(run("context", "-o", "name").out()).isEqualTo("gone\nprod\n");
    assertThat(run("context", "-o", "jsonpath={[?(@.in-use=='yes')].endpoint}").out())
        .isEqualTo(socket() + "\n");
    assertThat(run("context", "use", "prod", "-o", "json").code()).isEqualTo(2);
  }

  @Test
  void whatIsInUseCanBeLeftAndForgotten() {
    set("prod", socket());
    run("context", "use", "prod");
    assertThat(run("context", "use", "none").code()).isZero();
    assertThat(run("context", "list", "--no-legend").out()).contains("-");
    run("context", "use", "prod");
    assertThat(run("context", "remove", "prod").code()).isZero();
    assertThat(run("context").out()).doesNotContain("prod");
    assertThat(run("context", "remove", "prod").code()).isEqualTo(1);
    assertThat(run("list-machines").err()).doesNotContain("there is no context");
  }

  @Test
  void aContextThatIsNotThereIsNamed() {
    Ran unknown = run("--context=prod", "list-machines");
    assertThat(unknown.code()).isEqualTo(1);
    assertThat(unknown.err()).contains("there is no context \"prod\": see fleetctl context list");
    assertThat(run("context", "use", "prod").err()).contains("there is no context \"prod\"");
  }

  /** It is found out when the context is made. */
  @Test
  void aContextOfFilesThatAreNotThereIsRefused() {
    Ran ran =
        run("context", "set", "prod", "--endpoint=https://10.0.0.1:49153", "--ca-file=no.crt");
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err()).contains("cannot read the TLS file").contains("no.crt");
    assertThat(run("context").out()).doesNotContain("prod");
  }

  @Test
  void aFileWithoutAnEndpointIsNamed() throws Exception {
    Files.createDirectories(directory.resolve("fleet/contexts"));
    Files.writeString(directory.resolve("fleet/contexts/odd"), "ca-file=/ca.crt\n");
    assertThat(run("--context=odd", "list-machines").err()).contains("odd has no endpoint=");
  }

  @ParameterizedTest
  @ValueSource(strings = {"../prod", "a/b", "", "none", ".hidden", "a b"})
  void namesThatAreNoneAreRefused(String name) {
    Ran ran = run("context", "set", name, "--endpoint=" + socket());
    assertThat(ran.code()).isEqualTo(2);
    assertThat(ran.err()).contains("invalid name of a context");
  }
}
