package fleet.fleetd;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.cluster.ClusterUnavailableException;
import fleet.cluster.NotStartedException;
import fleet.core.machine.HostPort;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;

class ServerContactTest {

  private static final Clock CLOCK =
      Clock.fixed(Instant.parse("2026-11-26T09:31:02.345Z"), ZoneOffset.UTC);

  private Optional<String> lookup = Optional.empty();

  private ServerContact contact(String... hosts) {
    List<HostPort> servers =
        List.of(hosts).stream().map(host -> new HostPort(host, 50059)).toList();
    return new ServerContact(servers, () -> lookup, CLOCK);
  }

  @Test
  void aServerThatIsAwayIsNamedWithSinceWhenAndWhy() throws Exception {
    ServerContact contact = contact("10.0.0.1");
    BlockingQueue<Optional<String>> told = new LinkedBlockingQueue<>();
    contact.onChange(() -> told.add(contact.problem()));
    assertThat(contact.problem()).isEmpty();

    contact.spoken(Optional.of("10.0.0.1:50059: the leader does not answer"));
    assertThat(told.take())
        .contains(
            "no contact with the server since 2026-11-26T09:31:02Z: 10.0.0.1:50059: the leader does"
                + " not answer; if its address has changed, put the new one into join=, or a name,"
                + " and restart fleet");

    lookup = Optional.of("server 10.0.0.1:50059: Connection refused");
    contact.spoken(Optional.of("10.0.0.1:50059: the leader does not answer"));
    assertThat(told.take().orElseThrow()).contains("09:31:02Z: server 10.0.0.1:50059: Connection");

    contact.spoken(Optional.empty());
    assertThat(told.take()).isEmpty();
  }

  @Test
  void aNameMayLeadElsewhere() {
    ServerContact contact = contact("fleet.example", "10.0.0.2");

    contact.spoken(Optional.of("gone"));

    assertThat(contact.problem().orElseThrow())
        .startsWith("no contact with a leader since ")
        .endsWith("check that fleetd runs there, and that the names in join= lead there");
  }

  @Test
  void whoeverGetsNoAnswerHearsSinceWhenThatIsSo() {
    ServerContact contact = contact("10.0.0.1");
    var refused = new ClusterUnavailableException("the leader cannot be reached");
    assertThat(contact.explained(refused, true)).as("all is well").isSameAs(refused);

    contact.spoken(Optional.of("gone"));
    assertThat(contact.explained(refused, true))
        .as("it has not begun")
        .isInstanceOf(NotStartedException.class);
    assertThat(contact.explained(refused, false))
        .as("it may have been done")
        .isExactlyInstanceOf(ClusterUnavailableException.class);

    contact.spoken(Optional.empty());
    contact.spoken(Optional.of("gone"));
    assertThat(contact.explained(refused, true))
        .isExactlyInstanceOf(ClusterUnavailableException.class)
        .hasMessage(
            "the leader cannot be reached; no contact with the server since 2026-11-26T09:31:02Z");
  }
}
