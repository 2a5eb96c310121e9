package fleet.cluster.rpc;

import fleet.cluster.States;
import fleet.cluster.UnitView;
import fleet.core.state.UnitState;
import fleet.rpc.v1.Found;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;

/** Sends a long answer in parts of some hundred kilobytes. For one thread. */
final class FoundParts {

  private static final int MOST = 1_000;
  private static final long LARGE = 512 << 10;

  private final Outlet<Found> outlet;
  private final UnitFiles.Sent files = new UnitFiles.Sent(this::file);
  private Found.Builder found = Found.newBuilder();
  private int count;
  private long sizeBefore;

  FoundParts(Outlet<Found> outlet) {
    this.outlet = outlet;
  }

  /** The part at hand. */
  Found.Builder found() {
    return found;
  }

  /** The whole answer may be old. To be called before the first part is sent. */
  void staleSince(Instant since) {
    found.setStaleSince(since.toEpochMilli());
  }

  private void file(String text) {
    found.addFiles(text);
  }

  void units(List<UnitView> units) throws InterruptedException {
    each(units, view -> found.addUnits(ViewMessages.message(view, files)));
  }

  void states(List<UnitState> states) throws InterruptedException {
    each(states, state -> found.addStates(ViewMessages.message(state)));
  }

  void states(States states) throws InterruptedException {
    states(states.reported());
    each(
        states.unreported().entrySet(),
        machine ->
            found.addUnreportedBuilder().setMachine(machine.getKey()).setUnits(machine.getValue()));
  }

  <T> void each(Collection<T> items, Consumer<T> adding) throws InterruptedException {
    for (T item : items) {
      adding.accept(item);
      count++;
      if (count == MOST || files.size() - sizeBefore >= LARGE) {
        flush();
      }
    }
  }

  void flush() throws InterruptedException {
    outlet.send(found.build());
    found = Found.newBuilder();
    count = 0;
    sizeBefore = files.size();
  }
}
