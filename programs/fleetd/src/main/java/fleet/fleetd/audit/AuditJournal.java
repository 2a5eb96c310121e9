package fleet.fleetd.audit;

import fleet.core.audit.AuditEntry;
import fleet.core.audit.JournalDatagram;
import fleet.fleetd.libc.DatagramSocket;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/** The journal of this machine, by its own protocol. Safe for use by many threads until closed. */
final class AuditJournal implements AutoCloseable {

  private static final String MESSAGE_ID = "5d1f0c6c1f7b4b5e9a53d0b2f4c6e871";

  /** Where syslog keeps what is about access. */
  private static final String AUTHPRIV = "10";

  private static final String NOTICE = "5";
  private static final String INFO = "6";

  /** The longest wait for a journal that takes nothing. */
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  private final DatagramSocket socket;
  private final String address;
  private volatile boolean stuck;

  /**
   * Sends nothing yet.
   *
   * @param address of the journal's socket
   */
  AuditJournal(String address) throws IOException {
    this.socket = DatagramSocket.open(PATIENCE);
    this.address = address;
  }

  void write(AuditEntry entry) throws IOException {
    Map<String, String> fields = new LinkedHashMap<>();
    fields.put("MESSAGE", entry.text());
    fields.put("MESSAGE_ID", MESSAGE_ID);
    fields.put("PRIORITY", entry.result() == AuditEntry.Result.DONE ? INFO : NOTICE);
    fields.put("SYSLOG_IDENTIFIER", AuditEntry.IDENTIFIER);
    fields.put("SYSLOG_FACILITY", AUTHPRIV);
    fields.putAll(entry.fields());
    byte[] datagram = JournalDatagram.of(fields);
    boolean waits = !stuck;
    stuck = true;
    if (waits) {
      socket.send(datagram, address);
    } else {
      socket.sendAtOnce(datagram, address);
    }
    stuck = false;
  }

  @Override
  public void close() {
    socket.close();
  }
}
