package fleet.api;

import fleet.core.question.Question.Usage;
import java.io.IOException;
import java.time.Duration;

/** Resource usage of machines, a measurement a line, in the order of arrival. */
final class UsageResource {

  private static final int SHORTEST_MILLIS = 100;
  private static final int DEFAULT_MILLIS = 2000;

  private final Duration heartbeat;

  UsageResource(Duration heartbeat) {
    this.heartbeat = heartbeat;
  }

  void answer(Exchange exchange) throws IOException {
    int interval =
        exchange.parameter("interval").map(UsageResource::milliseconds).orElse(DEFAULT_MILLIS);
    Usage question =
        new Usage(
            exchange.flag("units"),
            Duration.ofMillis(Math.max(SHORTEST_MILLIS, interval)),
            exchange.parameter("samples").map(UsageResource::samples).orElse(1));
    String machine = exchange.parameter("machine").orElse("");
    try (MachineUsages usages = new MachineUsages(exchange.cluster(), question, machine);
        OpenStream out = new OpenStream(exchange, usages::close)) {
      if (usages.machines() == 0 && !machine.isEmpty()) {
        throw new RefusedException(404, "there is no machine " + machine);
      }
      out.begin(Exchange.LINES_OF_JSON);
      copy(usages, out);
      out.finish();
    }
  }

  private void copy(MachineUsages from, OpenStream to) throws IOException {
    try {
      for (var line = from.next(heartbeat); line.isPresent(); line = from.next(heartbeat)) {
        to.write(line.get(), line.get().length);
      }
    } catch (InterruptedException e) {
      throw new IOException("ended before the answer did", e);
    }
    to.expectWhole();
  }

  private static int milliseconds(String text) {
    return Exchange.wholeNumberOf(text, 1)
        .orElseThrow(() -> invalid("interval", text, "a number of milliseconds"));
  }

  private static int samples(String text) {
    return text.equals("endless")
        ? Usage.ENDLESS
        : Exchange.wholeNumberOf(text, 1)
            .orElseThrow(() -> invalid("samples", text, "a number above 0, or endless"));
  }

  private static RefusedException invalid(String name, String text, String expected) {
    return RefusedException.badRequest(
        "invalid " + name + " \"" + text + "\": expected " + expected);
  }
}
