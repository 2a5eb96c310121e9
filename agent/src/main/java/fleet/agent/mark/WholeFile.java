package fleet.agent.mark;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** A file that is there as a whole or not at all, whenever fleetd is killed. */
public final class WholeFile {

  private WholeFile() {}

  /** Writes it, in place of the one before. */
  public static void write(Path file, String text) throws IOException {
    Path partial = file.resolveSibling("." + file.getFileName() + ".part");
    Files.writeString(partial, text);
    Files.move(partial, file, StandardCopyOption.ATOMIC_MOVE);
  }
}
