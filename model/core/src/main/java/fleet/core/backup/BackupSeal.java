package fleet.core.backup;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The sum over the lines of a backup, by which a cut or changed one is known. The first line is the
 * {@linkplain BackupHeader header}, the last one the seal; those between are entries. For one
 * thread.
 */
public final class BackupSeal {

  private static final String WORD = "end";

  private final MessageDigest sum;
  private long lines;
  private boolean sealed;

  public BackupSeal() {
    try {
      sum = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Adds a line that is written. */
  public void add(String line) {
    sum.update((line + "\n").getBytes(StandardCharsets.UTF_8));
    lines++;
  }

  /** The last line. */
  public String line() {
    return WORD + " " + entries() + " " + HexFormat.of().formatHex(sum.digest());
  }

  /**
   * Checks a line that is read.
   *
   * @return whether it is an entry: neither the first nor the last line
   * @throws InvalidBackupException if it is no line of a whole backup
   */
  public boolean read(String line) throws InvalidBackupException {
    if (sealed) {
      throw new InvalidBackupException("it goes on behind its end");
    }
    if (lines == 0) {
      BackupHeader _ = BackupHeader.of(line);
      add(line);
      return false;
    }
    if (!line.startsWith(WORD + " ")) {
      add(line);
      return true;
    }
    if (!line.equals(line())) {
      throw new InvalidBackupException("it is damaged: its sum is another than at its end");
    }
    sealed = true;
    return false;
  }

  /**
   * Checks that nothing is missing.
   *
   * @throws InvalidBackupException if the last line has not been read
   */
  public void expectWhole() throws InvalidBackupException {
    if (lines == 0) {
      throw new InvalidBackupException("it is empty");
    }
    if (!sealed) {
      throw new InvalidBackupException("its end is missing");
    }
  }

  /** How many entries there have been. */
  public long entries() {
    return Math.max(0, lines - 1);
  }
}
