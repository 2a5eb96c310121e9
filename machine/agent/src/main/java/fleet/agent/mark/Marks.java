package fleet.agent.mark;

import fleet.agent.mark.Start.Answer;
import fleet.core.text.SingleLine;
import fleet.core.unit.Incarnation;
import fleet.core.unit.InvalidUnitNameException;
import fleet.core.unit.UnitName;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The marks of this machine, a small file each. They are written ahead of each action, so that a
 * fleetd killed at any moment knows afterwards what is its own. A file is replaced whole, or gets
 * one more record at its end: the last one of each kind counts.
 *
 * <p>They live below {@code /run} and so end with the boot; each also names the boot that it is of,
 * should the directory outlive it.
 */
public final class Marks {

  private static final Logger log = LoggerFactory.getLogger(Marks.class);
  private static final String FORMAT = "1";

  /** Before the number of a requirement, from 0. */
  private static final String REQUIRE = "require.";

  /** In bytes; what is written within one is written at once, whenever fleetd is killed. */
  private static final int PAGE = 4096;

  /** The usual size of a mark, in characters. */
  private static final int RECORD = 256;

  private final Path directory;
  private final String boot;

  /**
   * @param boot another one after each boot of the machine
   */
  public Marks(Path directory, String boot) throws IOException {
    this.directory = Files.createDirectories(directory);
    this.boot = boot;
  }

  /** The entries that this machine refused. */
  public Refusals refusals() {
    return new Refusals(directory.resolve(".refused"), boot);
  }

  /** All readable marks; those of another boot come apart, since their units cannot be running. */
  public Found readAll() throws IOException {
    List<Mark> current = new ArrayList<>();
    List<Mark> stale = new ArrayList<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
      for (Path file : files) {
        read(file).ifPresent(found -> (found.boot.equals(boot) ? current : stale).add(found.mark));
      }
    }
    return new Found(current, stale);
  }

  /** Writes a mark, in place of what was there. */
  public void write(Mark mark) throws IOException {
    WholeFile.write(file(mark.unit()), record(mark));
  }

  /**
   * Updates an existing mark: by one more record, if possible, which saves a new file and a rename.
   * A record of a start holds until one of another start, so this cannot take a start back.
   */
  public void update(Mark mark) throws IOException {
    if (!append(file(mark.unit()), record(mark).getBytes(StandardCharsets.UTF_8))) {
      write(mark);
    }
  }

  /** Whether there was a file with room: a record that ends within a page comes whole. */
  private static boolean append(Path file, byte[] record) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      long size = channel.size();
      if (size + record.length > PAGE) {
        return false;
      }
      if (channel.write(ByteBuffer.wrap(record), size) < record.length) {
        channel.truncate(size);
        throw new IOException("no space for " + file);
      }
      return true;
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  /** A value of two lines would be read as two values. */
  private String record(Mark mark) throws IOException {
    for (String value : mark.require()) {
      checkLine(mark, value);
    }
    checkLine(mark, mark.incarnation().id());
    checkLine(mark, mark.hash());
    StringBuilder text = new StringBuilder(RECORD);
    line(text, "format", FORMAT);
    line(text, "boot", boot);
    line(text, "incarnation", mark.incarnation().id());
    line(text, "hash", mark.hash());
    line(text, "global", Boolean.toString(mark.global()));
    line(text, "complete", Boolean.toString(mark.complete()));
    mark.start().ifPresent(start -> append(text, start));
    line(text, "stopping", Boolean.toString(mark.stopping()));
    for (int i = 0; i < mark.require().size(); i++) {
      line(text, REQUIRE + i, mark.require().get(i));
    }
    return text.toString();
  }

  private static void checkLine(Mark mark, String value) throws IOException {
    if (!SingleLine.isOne(value)) {
      throw new IOException(
          "the mark of %s would be broken by \"%s\"".formatted(mark.unit(), SingleLine.of(value)));
    }
  }

  private static void append(StringBuilder text, Start start) {
    line(text, "started", Long.toString(start.counter()));
    line(text, "confirmed", Boolean.toString(start.answer() != Answer.UNKNOWN));
    line(text, "refused", Boolean.toString(start.answer() == Answer.REFUSED));
    line(text, "invocation", start.invocation());
    line(text, "earlier", start.earlier().isPresent() ? "" + start.earlier().getAsLong() : "");
  }

  /**
   * Notes what has happened. A failure does not undo the action: a later fleetd finds out what this
   * one did.
   */
  public void note(Mark mark) {
    try {
      if (mark.started().isPresent()) {
        update(mark);
      } else {
        write(mark);
      }
    } catch (IOException e) {
      log.warn("cannot note in the mark of {} what became of it: {}", mark.unit(), e.toString());
    }
  }

  public boolean exists(UnitName unit) {
    return Files.exists(file(unit));
  }

  public void delete(UnitName unit) throws IOException {
    Files.deleteIfExists(file(unit));
  }

  private Path file(UnitName unit) {
    return directory.resolve(unit.value());
  }

  private static void line(StringBuilder text, String key, String value) {
    text.append(key).append('=').append(value).append('\n');
  }

  private Optional<Read> read(Path file) {
    Path name = file.getFileName();
    if (name == null || name.toString().startsWith(".")) {
      return Optional.empty();
    }
    try {
      Map<String, String> values = values(file);
      return Optional.of(new Read(values.getOrDefault("boot", ""), mark(name.toString(), values)));
    } catch (InvalidUnitNameException | NumberFormatException | IOException e) {
      log.warn("ignoring {}: not a mark of fleet ({})", file, e.getMessage());
      return Optional.empty();
    }
  }

  private static Map<String, String> values(Path file) throws IOException {
    Map<String, String> values = new HashMap<>();
    for (String line : Files.readAllLines(file)) {
      int equals = line.indexOf('=');
      if (equals > 0) {
        values.put(line.substring(0, equals), line.substring(equals + 1));
      }
    }
    return values;
  }

  private static Mark mark(String name, Map<String, String> values) {
    return new Mark(
        UnitName.of(name),
        new Incarnation(values.getOrDefault("incarnation", "")),
        values.getOrDefault("hash", ""),
        Boolean.parseBoolean(values.get("global")),
        Boolean.parseBoolean(values.get("complete")),
        start(values),
        Boolean.parseBoolean(values.get("stopping")),
        require(values));
  }

  private static Optional<Start> start(Map<String, String> values) {
    return Optional.ofNullable(values.get("started"))
        .map(counter ->
            new Start(
                Long.parseLong(counter),
                answer(values),
                values.getOrDefault("invocation", ""),
                counter(values.getOrDefault("earlier", ""))));
  }

  private static Answer answer(Map<String, String> values) {
    if (!Boolean.parseBoolean(values.get("confirmed"))) {
      return Answer.UNKNOWN;
    }
    return Boolean.parseBoolean(values.get("refused")) ? Answer.REFUSED : Answer.TAKEN;
  }

  private static OptionalLong counter(String text) {
    return text.isEmpty() ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(text));
  }

  private static List<String> require(Map<String, String> values) {
    return Stream.iterate(0, i -> i + 1)
        .map(i -> values.get(REQUIRE + i))
        .takeWhile(Objects::nonNull)
        .toList();
  }

  /**
   * The requirements of a unit beside its file.
   *
   * @param mark its file in the directory of the marks
   * @throws IOException if it cannot be read
   */
  public static List<String> require(Path mark) throws IOException {
    return require(values(mark));
  }

  /**
   * Marks that {@link #readAll} found.
   *
   * @param current of this boot
   * @param stale of an earlier boot
   */
  public record Found(List<Mark> current, List<Mark> stale) {}

  private record Read(String boot, Mark mark) {}
}
