package fleet.fleetctl.fake;

import fleet.entities.EntityJson;
import fleet.entities.EventEntity;
import fleet.entities.StateEntity;
import fleet.entities.UnitEntity;
import fleet.fleetctl.fake.FakeHttpServer.Request;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/** The events of a {@link FakeDaemon}, and the streams that follow them. */
final class FakeDaemonEvents {

  private final List<BlockingQueue<String>> followers = new ArrayList<>();
  private final List<String> told = new ArrayList<>();
  private final EntityJson json = new EntityJson();
  private int eventId;

  void publish(String name, @Nullable UnitEntity unit, @Nullable StateEntity state) {
    EventEntity event = EventEntity.of(name, 1, "2026-01-01T00:00:00Z").with(unit).with(state);
    tell(name, new String(json.write(event), StandardCharsets.UTF_8));
  }

  /** Something happens that a fleetd tells in these words. */
  synchronized void tell(String name, String data) {
    String text = sse(name, data);
    told.add(text);
    followers.forEach(follower -> follower.add(text));
  }

  private String sse(String name, String data) {
    return "id: e." + ++eventId + "\nevent: " + name + "\ndata: " + data + "\n\n";
  }

  private synchronized List<String> toldSoFar() {
    return List.copyOf(told);
  }

  /** The streams have ended. */
  synchronized void forgetFollowers() {
    followers.clear();
  }

  boolean answer(Request request, OutputStream out) throws IOException {
    if (request.query().contains("follow=0")) {
      FakeHttpServer.beginChunks(out, "Content-Type: text/event-stream");
      for (String event : toldSoFar()) {
        FakeHttpServer.chunk(out, event);
      }
      out.write("0\r\n\r\n".getBytes(StandardCharsets.UTF_8));
      return true;
    }
    BlockingQueue<String> queue = new LinkedBlockingQueue<>();
    FakeHttpServer.beginChunks(out, "Content-Type: text/event-stream");
    synchronized (this) {
      followers.add(queue);
      FakeHttpServer.chunk(out, sse("start", "{\"name\":\"start\",\"revision\":0,\"time\":\"t\"}"));
      FakeHttpServer.chunk(out, ":\nid: e." + eventId + "\n\n");
    }
    try {
      while (true) {
        FakeHttpServer.chunk(out, queue.take());
      }
    } catch (InterruptedException e) {
      return false;
    }
  }
}
