package fleet.api;

import fleet.cluster.ClusterBackup;
import java.io.IOException;

/** The registry as text, at one revision, while the cluster goes on. */
final class BackupResource {

  private static final String TEXT = "text/plain; charset=utf-8";

  void answer(Exchange exchange) throws IOException {
    ClusterBackup backup = exchange.cluster().backup();
    exchange.answer().touch(UnitsResource.ALL, 200, "");
    exchange.stream(TEXT, backup::writeTo);
  }
}
