package fleet.fleetctl.command;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.core.testing.Await;
import fleet.fleetctl.command.Terminal.Ran;
import fleet.fleetctl.fake.FakeDaemon;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class WatchedListingTest {

  private static final String UNIT = "[Service]\nExecStart=/bin/true\n";

  @TempDir Path directory;
  private FakeDaemon daemon;
  private final Written out = new Written();

  /** An output that can be waited for. */
  private static final class Written extends ByteArrayOutputStream {

    private Optional<Ran> end = Optional.empty();

    @Override
    public synchronized void flush() {
      notifyAll();
    }

    synchronized void ended(Ran ran) {
      end = Optional.of(ran);
      notifyAll();
    }

    /** Fails if the command ends before. */
    synchronized String await(Predicate<String> expected) throws InterruptedException {
      Await.notified(this, () -> isSo(expected) || end.isPresent(), this::toString);
      assertThat(isSo(expected)).as("%s, ended with %s", this, end).isTrue();
      return toString(StandardCharsets.UTF_8);
    }

    private boolean isSo(Predicate<String> expected) {
      return expected.test(toString(StandardCharsets.UTF_8));
    }
  }

  @BeforeEach
  void begin() throws Exception {
    daemon = new FakeDaemon(directory.resolve("fleet.sock"), true, FakeDaemon::obedient);
    daemon.add("app@1.service", UNIT, "launched");
    daemon.add("app@2.service", UNIT, "launched");
  }

  @AfterEach
  void end() throws IOException {
    daemon.close();
  }

  private Terminal terminal() {
    return new Terminal(directory, directory.resolve("fleet.sock"));
  }

  private void watch(Terminal terminal, String... arguments) {
    Thread.ofPlatform().daemon().start(() -> out.ended(terminal.run(out, arguments)));
  }

  @Test
  void aPipeGetsAllUnitsAndThenTheChangedOnes() throws Exception {
    watch(terminal(), "list-units", "-w", "--fields=unit,active");
    assertThat(out.await(text -> text.contains("app@2")))
        .isEqualTo("UNIT\t\tACTIVE\napp@1.service\tactive\napp@2.service\tactive\n");

    daemon.state("app@2.service", "failed", "failed", "exit-code");

    assertThat(out.await(text -> text.contains("failed")))
        .endsWith("app@2.service\tactive\napp@2.service\tfailed\n");
    assertThat(daemon.requests()).anyMatch(request -> request.contains("/events?"));
  }

  @Test
  void machinesComeAgainWhenOneChanges() throws Exception {
    watch(terminal(), "list-machines", "--watch", "--fields=hostname,address", "node*");
    out.await(text -> text.contains("node1.example\t10.0.0.3\n"));

    daemon.address("10.0.0.4");
    daemon.tell(
        "machine", "{\"name\":\"machine\",\"revision\":1,\"time\":\"2026-01-01T00:00:00Z\"}");

    assertThat(out.await(text -> text.contains("10.0.0.4"))).endsWith("node1.example\t10.0.0.4\n");
    assertThat(daemon.requests())
        .anyMatch(request -> request.matches("GET .*/events[?].*machine-gone.*"));
  }

  @Test
  void anObjectALineInJson() throws Exception {
    watch(terminal(), "list-unit-files", "app@1", "--watch", "-o", "json");
    out.await(text -> text.endsWith("}\n"));

    daemon.gone("app@1.service");

    assertThat(out.await(text -> text.lines().count() == 2).lines())
        .allMatch(line -> line.startsWith("{\"currentState\":\"") && line.endsWith("}"));
  }

  @Test
  void aTerminalIsRepaintedAndShowsNoMoreThanFits() throws Exception {
    daemon.add("app@3.service", UNIT, "launched");
    watch(terminal().ofSize(4, 80), "list-units", "--watch");
    assertThat(out.await(text -> text.contains("app@2")))
        .startsWith("\033[2J\033[H\033[2KUNIT ")
        .contains("\033[2Kapp@1.service  node1.example  active  running  -\n")
        .endsWith("\033[2K1 more lines\033[J");

    daemon.state("app@1.service", "failed", "failed", "exit-code");

    assertThat(out.await(text -> text.contains("failed"))).contains("\033[J\033[H\033[2KUNIT ");
  }

  @Test
  void aFleetdThatGoesAwayIsWaitedFor() throws Exception {
    watch(terminal(), "list-units", "--watch", "--fields=unit,active");
    out.await(text -> text.contains("app@2"));
    daemon.stop();
    daemon.state("app@1.service", "failed", "failed", "exit-code");

    daemon.restart();

    assertThat(out.await(text -> text.contains("failed"))).endsWith("app@1.service\tfailed\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"yaml", "jsonpath={[*].name}"})
  void aFormOfTheWholeCannotBeWatched(String format) {
    Ran ran = terminal().run("list-units", "--watch", "-o", format);

    assertThat(ran.code()).isEqualTo(2);
    assertThat(ran.err()).contains("--watch needs -o table, wide, name or json");
  }

  @Test
  void fleet1TellsNoEvents() throws Exception {
    daemon.close();
    daemon = new FakeDaemon(directory.resolve("fleet.sock"), false, FakeDaemon::obedient);

    Ran ran = CompletableFuture.supplyAsync(() -> terminal().run("list-units", "-w")).get();

    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err()).contains("is too old to tell events: upgrade it");
  }
}
