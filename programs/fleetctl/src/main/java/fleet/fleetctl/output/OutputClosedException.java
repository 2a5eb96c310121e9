package fleet.fleetctl.output;

import java.io.IOException;
import java.io.UncheckedIOException;

/** Nobody reads the output any more, as when it goes to {@code head}. */
public final class OutputClosedException extends UncheckedIOException {
  OutputClosedException(IOException cause) {
    super(cause);
  }
}
