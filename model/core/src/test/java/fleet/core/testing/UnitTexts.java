package fleet.core.testing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import fleet.core.unit.UnitType;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Texts of unit files by the names of their units, as bytes, to compare how they are read. */
public final class UnitTexts {

  /** Begins the name of each unit, which is none of the machine's. */
  public static final String PREFIX = "reading-";

  private static final String RESOURCES = "model/core/src/test/resources/fleet/core/";

  private static final List<String> UNIT =
      List.of(
          "Description=a service",
          "Description=",
          "Documentation=man:one(1) man:two(2)",
          "Documentation=",
          "After=reading-a.service reading-b.service",
          "After=",
          "Wants=reading-c.service",
          "Requires=reading-d.service 'reading-e.service'",
          "Requires=",
          "BindsTo=reading-f.service",
          "ConditionPathExists=/nowhere",
          "ConditionPathExists=",
          "StartLimitBurst=7",
          "X-Note=none");
  private static final List<String> SERVICE =
      List.of(
          "ExecStart=/bin/echo \"one two\" 'three four' five",
          "ExecStart=",
          "Type=oneshot",
          "ExecStartPre=-/bin/sh -c 'true; exit 0'",
          "Environment=A=1 \"B=2 3\" 'C=4'",
          "Environment=",
          "Restart=on-failure",
          "RestartSec=5s",
          "SyslogIdentifier=reader",
          "SyslogIdentifier=",
          "Slice=reading-g.slice",
          "WorkingDirectory=/tmp",
          "TasksMax=10",
          "MemoryMax=1G",
          "LimitNOFILE=100");
  private static final List<String> INSTALL =
      List.of("WantedBy=multi-user.target", "Alias=x.service");
  private static final List<String> FLEET =
      List.of("MachineMetadata=a=b", "Conflicts=reading-*.service", "Global=true");
  private static final List<String> NOTES =
      List.of(
          "# a note", "; a note", "# ExecStart=/old \\", "", "  ", "#", "\t# set in \\\\", "#\\");

  /** Texts to put into lines, at any place. */
  private static final List<String> SPICES =
      List.of(
          "\\\n",
          " \\\n   ",
          "\\\n# between\n",
          " \\\n\t; between \\\n  ",
          "\\\n\n",
          "\\\n \\\n",
          "\\",
          "\\\\",
          "\\\\\n",
          "\\\\\\\n",
          "\\ \n",
          " ",
          "\t",
          "\"",
          "'",
          "\u00a0",
          "\u2003",
          "\u0085",
          "é",
          "€",
          "\uD83D\uDE00",
          "\uFEFF",
          "\\x20",
          "\\t",
          "#",
          ";",
          "=",
          "[",
          "]",
          "\f",
          "\u000B",
          "\r",
          "\u0001",
          "\n",
          "$A",
          "x");

  private final SplittableRandom random;

  private UnitTexts(long seed) {
    random = new SplittableRandom(seed);
  }

  /** Texts at random; the same seed gives the same ones. */
  public static SortedMap<String, byte[]> generated(long seed, int count) {
    UnitTexts texts = new UnitTexts(seed);
    SortedMap<String, byte[]> generated = new TreeMap<>();
    for (int i = 0; i < count; i++) {
      generated.put((PREFIX + "generated-%05d.service").formatted(i), texts.text());
    }
    return generated;
  }

  /** The files of this repository. */
  public static SortedMap<String, byte[]> ofRepository() {
    Path resources = Path.of(System.getProperty("fleet.root", "../..")).resolve(RESOURCES);
    SortedMap<String, byte[]> texts = of(resources.resolve("unit/corpus"));
    texts.putAll(of(resources.resolve("testing/containers")));
    return texts;
  }

  /** The units of a directory, under names of ours. */
  public static SortedMap<String, byte[]> of(Path directory) {
    SortedMap<String, byte[]> found = new TreeMap<>();
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        found.put(file.getFileName().toString(), Files.readAllBytes(file));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return renamed(found);
  }

  /**
   * Those of these files that are units, under names of ours, with an instance of each template.
   * Empty files are left out: they mask their units. Mounts and the like whose name has to match
   * their file's text are refused by systemd after it has read them.
   */
  public static SortedMap<String, byte[]> renamed(SortedMap<String, byte[]> files) {
    SortedMap<String, byte[]> units = new TreeMap<>();
    files.forEach((name, text) -> {
      if (text.length > 0
          && UnitType.ofSuffix(name.substring(name.lastIndexOf('.') + 1)).isPresent()) {
        units.put(PREFIX + name.replace("@.", "@x."), text);
      }
    });
    return units;
  }

  private byte[] text() {
    StringBuilder text = new StringBuilder();
    if (one(12)) {
      text.append('\uFEFF');
    } else {
      lines(text, NOTES, 2);
    }
    section(text, "[Unit]", UNIT);
    section(text, "[Service]", SERVICE);
    text.append("Type=oneshot\nExecStart=/bin/true\n");
    if (one(2)) {
      section(text, one(2) ? "[X-Fleet]" : "[Install]", one(2) ? FLEET : INSTALL);
    }
    if (one(4)) {
      section(text, "[Unit]", UNIT);
    }
    String ends = oneOf(List.of("\n", "\n", "\n", "\r\n", "\r", "\n\r"));
    String whole = text.toString().replace("\n", ends);
    return encoded(one(3) ? whole.stripTrailing() : whole);
  }

  private void section(StringBuilder text, String header, List<String> options) {
    text.append(one(40) ? spiced(header) : header).append(one(10) ? " \n" : "\n");
    lines(text, options, 6);
  }

  private void lines(StringBuilder text, List<String> choices, int most) {
    for (int i = random.nextInt(most + 1); i > 0; i--) {
      if (one(3)) {
        text.append(oneOf(NOTES)).append('\n');
      }
      String line = oneOf(choices);
      text.append(one(3) ? spiced(line) : line).append(one(12) ? "\\\n" : "\n");
    }
  }

  /** Puts something in, mostly behind the {@code =}: without one there is little to compare. */
  private String spiced(String line) {
    int from = one(10) ? 0 : line.indexOf('=') + 1;
    int at = random.nextInt(from, line.length() + 1);
    String spiced = line.substring(0, at) + oneOf(SPICES) + line.substring(at);
    return one(2) ? spiced(spiced) : spiced;
  }

  /** UTF-8, sometimes with a line of another encoding at the end. */
  private byte[] encoded(String text) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.writeBytes(text.getBytes(UTF_8));
    if (one(10)) {
      bytes.writeBytes((one(4) ? "\nX-Note=ü\n" : "\n# ü\n").getBytes(ISO_8859_1));
    }
    return bytes.toByteArray();
  }

  private boolean one(int in) {
    return random.nextInt(in) == 0;
  }

  private <T> T oneOf(List<T> choices) {
    return choices.get(random.nextInt(choices.size()));
  }
}
