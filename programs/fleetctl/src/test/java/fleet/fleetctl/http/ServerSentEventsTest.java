package fleet.fleetctl.http;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.fleetctl.http.ServerSentEvents.ServerSentEvent;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class ServerSentEventsTest {

  private static ServerSentEvents events(String text) {
    return new ServerSentEvents(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void readsOneEventAfterTheOther() throws IOException {
    ServerSentEvents events =
        events("id: e.1\r\nevent: unit\r\ndata: {\"ä\":\r\ndata:1}\r\n\r\nevent: gap\n\n");

    assertThat(events.next()).contains(new ServerSentEvent("unit", "e.1", "{\"ä\":\n1}"));
    assertThat(events.next()).contains(new ServerSentEvent("gap", "", ""));
    assertThat(events.next()).isEmpty();
  }

  @Test
  void passesOverCommentsAndKeepsTheirPositions() throws IOException {
    ServerSentEvents events = events(":\n\n:\nid: e.9\n\nretry: 5\n\ndata: x\n\n");

    assertThat(events.next()).contains(new ServerSentEvent("", "e.9", ""));
    assertThat(events.next()).contains(new ServerSentEvent("", "", "x"));
  }

  @Test
  void dropsAnEventThatIsCutShort() throws IOException {
    assertThat(events("data: half\n").next()).isEmpty();
  }
}
