package fleet.cluster;

import java.io.IOException;
import java.io.OutputStream;

/** The registry as it was when the backup was made, whatever has changed since. */
@FunctionalInterface
public interface ClusterBackup {

  /** Writes it as text, with a sum at its end. */
  void writeTo(OutputStream out) throws IOException;
}
