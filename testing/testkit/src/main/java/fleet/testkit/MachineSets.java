package fleet.testkit;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Where the sets of machines stand on this machine: one numbered folder a set. A set belongs to the
 * process that is named in it, for as long as that lives, or to nobody, when it was made to be
 * kept; a set that is neither is a left-over, and is removed by whoever comes next.
 *
 * <p>File locks do not say whose a set is: a process loses those that it has on a file as soon as
 * it closes that file anywhere.
 */
final class MachineSets {

  private static final int MAXIMUM = 254;
  private static final int WRITABLE_BY_OTHERS = 002;

  /** The file that names the process a set belongs to. */
  private static final String OWNER = "owner";

  private final Path base;
  private final Consumer<Plot> clearing;

  /**
   * @param clearing ends what a left-over still runs
   */
  MachineSets(Path base, Consumer<Plot> clearing) {
    this.base = base;
    this.clearing = clearing;
  }

  /** A claimed folder. */
  record Plot(int number, Path directory) {

    /** Removes all that is in it, and gives the claim up. */
    void remove() {
      empty();
      release();
    }

    /** Removes all that is in it but the claim. */
    void empty() {
      Command.of(
              "find %s -mindepth 1 -maxdepth 1 ! -name %s -exec rm -rf --one-file-system {} +"
                  .formatted(directory, OWNER)
                  .split(" ", -1))
          .run()
          .orThrow();
    }

    /** Gives the claim up. */
    void release() {
      try {
        Files.deleteIfExists(directory.resolve(OWNER));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
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
          return new Plot(plot.number(), plot.directory());
        });
  }

  /** The folder kept under this name, if there is one. */
  Optional<Plot> kept(String name) {
    checkOwner();
    for (int number = 1; number <= MAXIMUM; number++) {
      Path directory = folder(number);
      try {
        if (Files.readString(directory.resolve("kept")).equals(name)) {
          return Optional.of(new Plot(number, directory));
        }
      } catch (IOException e) {
        // Not a kept one.
      }
    }
    return Optional.empty();
  }

  private Optional<Plot> claim(int number) throws IOException {
    Path directory = folder(number);
    if (Files.exists(directory.resolve("kept")) || hasOwner(directory)) {
      return Optional.empty();
    }
    boolean leftOver = Files.exists(directory);
    Files.createDirectories(directory);
    var plot = new Plot(number, directory);
    Files.writeString(directory.resolve(OWNER), nameOf(ProcessHandle.current().pid()));
    if (leftOver) {
      clearing.accept(plot);
      plot.empty();
    }
    return Optional.of(plot);
  }

  private static boolean hasOwner(Path directory) {
    try {
      String owner = Files.readString(directory.resolve(OWNER));
      return owner.equals(nameOf(Long.parseLong(owner.split(" ", -1)[0])));
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * Names a process by its number and its start in ticks since the boot, as the kernel gives the
   * number of an ended one to another. The JDK tells the start as a time of day, which differs by a
   * second from one JVM to the next.
   *
   * @throws IOException when there is no such process
   */
  static String nameOf(long pid) throws IOException {
    String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
    String[] afterCommand = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    return pid + " " + afterCommand[19];
  }

  private Path folder(int number) {
    return base.resolve(Integer.toString(number));
  }

  /** Claims are made one at a time, over all threads and processes. */
  private <T> T alone(Claim<T> claim) {
    synchronized (MachineSets.class) {
      try {
        Files.createDirectories(base);
        checkOwner();
        try (var file = FileChannel.open(base.resolve("lock"), CREATE, WRITE);
            var _ = file.lock()) {
          return claim.make();
        }
      } catch (IOException e) {
        throw new UncheckedIOException("cannot use " + base + ": " + e.getMessage(), e);
      }
    }
  }

  /** A stranger who made the folder first could have root run what they put there. */
  private void checkOwner() {
    try {
      Map<String, Object> is =
          Files.readAttributes(base, "unix:uid,mode,isDirectory", LinkOption.NOFOLLOW_LINKS);
      Object self = Files.getAttribute(Path.of("/proc/self"), "unix:uid");
      boolean ours = self.equals(is.get("uid")) && Boolean.TRUE.equals(is.get("isDirectory"));
      boolean open = is.get("mode") instanceof Integer mode && (mode & WRITABLE_BY_OTHERS) != 0;
      if (!ours || open) {
        throw new IllegalStateException(
            "%s is not the folder of this user alone: look at what is in it, and remove it"
                .formatted(base));
      }
    } catch (NoSuchFileException none) {
      return;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot use " + base + ": " + e.getMessage(), e);
    }
  }

  private interface Claim<T> {
    T make() throws IOException;
  }
}
