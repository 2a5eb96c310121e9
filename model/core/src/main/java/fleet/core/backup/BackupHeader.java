package fleet.core.backup;

import java.time.DateTimeException;
import java.time.Instant;

/**
 * The first line of a backup.
 *
 * @param storeId the store that it was made of
 * @param revision of the store, which all of it is of
 * @param time when it was made
 */
public record BackupHeader(String storeId, long revision, Instant time) {

  private static final String FORMAT = "fleet-backup";
  private static final String VERSION = "1";
  private static final int WORDS = 5;

  /**
   * Reads a line.
   *
   * @throws InvalidBackupException if it is not that of a backup, or of a newer form
   */
  public static BackupHeader of(String line) throws InvalidBackupException {
    String[] words = line.split(" ", -1);
    if (words.length < 2 || !words[0].equals(FORMAT)) {
      throw new InvalidBackupException("it is no backup of fleet");
    }
    if (!words[1].equals(VERSION)) {
      throw new InvalidBackupException("it is of a newer fleet: upgrade this one first");
    }
    try {
      if (words.length >= WORDS) {
        return new BackupHeader(words[2], Long.parseLong(words[3]), Instant.parse(words[4]));
      }
    } catch (NumberFormatException | DateTimeException e) {
      throw new InvalidBackupException("its first line is damaged: " + e.getMessage(), e);
    }
    throw new InvalidBackupException("its first line is damaged");
  }

  public String line() {
    return String.join(" ", FORMAT, VERSION, storeId, Long.toString(revision), time.toString());
  }
}
