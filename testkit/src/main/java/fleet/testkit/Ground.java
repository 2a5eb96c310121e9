package fleet.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Where the sets of machines stand on this machine: one numbered folder a set. A set belongs to the
 * process that holds its lock, which the kernel releases however that process ends, or to nobody,
 * when it was made to be kept; a set that is neither is a left-over, and is removed by whoever
 * comes next.
 */
final class Ground {

  private static final int MAXIMUM = 254;

  private final Path base;
  private final Consumer<Plot> clearing;

  /**
   * @param clearing ends what a left-over still runs, and removes what is in its folder but the
   *     lock
   */
  Ground(Path base, Consumer<Plot> clearing) {
    this.base = base;
    this.clearing = clearing;
  }

  /** A claimed folder, and what claims it. */
  record Plot(int number, Path directory, Optional<FileChannel> lock) {

    /** Gives the claim up. */
    void release() {
      lock.ifPresent(Ground::close);
    }
  }

  /** Claims a free folder for as long as this process lives, having removed left-overs. */
  Plot claim() {
    return alone(() -> {
      for (int number = 1; number <= MAXIMUM; number++) {
        Optional<Plot> plot = claim(number);
        if (plot.isPresent()) {
          return plot.get();
        }
      }
      throw new IllegalStateException("no room for another set of machines in " + base);
    });
  }

  /** The folder kept under this name; claims one when there is none yet. */
  Plot keep(String name) {
    return kept(name)
        .orElseGet(() -> {
          Plot plot = claim();
          try {
            Files.writeString(plot.directory().resolve("kept"), name);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          } finally {
            plot.release();
          }
          return new Plot(plot.number(), plot.directory(), Optional.empty());
        });
  }

  /** The folder kept under this name, if there is one. */
  Optional<Plot> kept(String name) {
    for (int number = 1; number <= MAXIMUM; number++) {
      Path directory = folder(number);
      try {
        if (Files.readString(directory.resolve("kept")).equals(name)) {
          return Optional.of(new Plot(number, directory, Optional.empty()));
        }
      } catch (IOException e) {
        // Not a kept one.
      }
    }
    return Optional.empty();
  }

  private Optional<Plot> claim(int number) throws IOException {
    Path directory = folder(number);
    if (Files.exists(directory.resolve("kept"))) {
      return Optional.empty();
    }
    boolean leftOver = Files.exists(directory);
    Files.createDirectories(directory);
    Optional<FileChannel> lock = lock(directory.resolve("lock"));
    if (lock.isPresent() && leftOver) {
      clearing.accept(new Plot(number, directory, Optional.empty()));
    }
    return lock.map(held -> new Plot(number, directory, Optional.of(held)));
  }

  private Path folder(int number) {
    return base.resolve(Integer.toString(number));
  }

  private static Optional<FileChannel> lock(Path file) throws IOException {
    FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      FileLock lock = channel.tryLock();
      if (lock != null) {
        return Optional.of(channel);
      }
    } catch (OverlappingFileLockException e) {
      // Held by another set of this very process.
    }
    channel.close();
    return Optional.empty();
  }

  /** Claims are made one at a time, over all processes. */
  private <T> T alone(Claim<T> claim) {
    try {
      Files.createDirectories(base);
      while (true) {
        Optional<FileChannel> lock = lock(base.resolve("lock"));
        if (lock.isPresent()) {
          try {
            return claim.make();
          } finally {
            close(lock.get());
          }
        }
        Thread.sleep(20);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot use " + base + ": " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting for " + base, e);
    }
  }

  private static void close(FileChannel lock) {
    try {
      lock.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private interface Claim<T> {
    T make() throws IOException;
  }
}
