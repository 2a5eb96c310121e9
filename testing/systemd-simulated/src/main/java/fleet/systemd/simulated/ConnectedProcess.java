package fleet.systemd.simulated;

import java.time.Duration;
import java.util.function.Supplier;

/** A process that is connected to a simulated systemd. */
public interface ConnectedProcess {

  /** Has the thread of this process that calls this wait. */
  void sleep(Duration time);

  /** Has a call made while nothing else happens to the systemd, and gives what it gives. */
  <T> T inTurn(Supplier<T> call);

  /** Has something done in this process later, in the order of the calls. */
  void after(Duration delay, Runnable work);
}
