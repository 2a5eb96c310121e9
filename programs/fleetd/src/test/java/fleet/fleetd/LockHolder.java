package fleet.fleetd;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Has a file locked until its input ends: a lock for readers, which reading the file allows. */
final class LockHolder {

  private LockHolder() {}

  public static void main(String[] arguments) throws IOException {
    try (FileChannel channel = FileChannel.open(Path.of(arguments[0]), StandardOpenOption.READ);
        FileLock _ = channel.lock(0, Long.MAX_VALUE, true)) {
      System.out.println("locked");
      var _ = System.in.read();
    }
  }
}
