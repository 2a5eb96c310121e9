package fleet.core.unit;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The parsed text of a unit: its options, repeated and empty ones kept, in the order of the file
 * except that those of one section stand together, where the section first appeared.
 *
 * <p>Immutable and safe for use by many threads. Two files are equal when their options are,
 * whatever their comments and blanks; equal files have equal hashes.
 */
public final class UnitFile {

  private static final Set<String> TRUE = Set.of("1", "yes", "y", "true", "t", "on");
  private static final Set<String> FALSE = Set.of("0", "no", "n", "false", "f", "off");

  /** The longest text accepted, in bytes of UTF-8, as read and as rendered. */
  public static final int MAX_BYTES = 512 * 1024;

  /**
   * The longest text that is kept as it was typed: it is written together with the canonical one,
   * and etcd takes 1.5 MiB at once.
   */
  public static final int MAX_TYPED_BYTES = MAX_BYTES / 2;

  private final List<UnitOption> options;

  /** The text as somebody typed it, comments included; absent if nobody said. */
  private final @Nullable String typed;

  // Computed when first asked for. Two threads that both compute one store equal strings.
  private @Nullable String hash;
  private @Nullable String sha256;

  /** A file of the given options, taken as they are; those from outside go through {@link #of}. */
  public UnitFile(List<UnitOption> options) {
    this(gatherSections(options), null);
  }

  private UnitFile(List<UnitOption> gathered, @Nullable String typed) {
    this.options = gathered;
    this.typed = typed;
  }

  /**
   * Reads a unit file as systemd does, except that a line without {@code =} is an error, as it is
   * with fleet 1.0.
   *
   * @throws UnitFileSyntaxException if the text is not a unit file, or is longer than {@link
   *     #MAX_BYTES}
   */
  public static UnitFile parse(String text) throws UnitFileSyntaxException {
    UnitFileSize.check(text);
    UnitFile file = new UnitFile(new UnitFileParser(text).parse());
    if (text.length() > MAX_BYTES / 4) {
      // Rendering may add a few blank lines, so only a long text can become too long by it.
      UnitFileSize.check(file.render());
    }
    return file;
  }

  /**
   * Reads a unit file as {@link #parse} does, and keeps its text as it is, with comments, blank
   * lines and continuation lines, unless that is longer than {@link #MAX_TYPED_BYTES}.
   *
   * @throws UnitFileSyntaxException as {@link #parse} does
   */
  public static UnitFile typed(String text) throws UnitFileSyntaxException {
    UnitFile file = parse(text);
    String kept = Characters.replaceRefused(text);
    return kept.getBytes(StandardCharsets.UTF_8).length > MAX_TYPED_BYTES
        ? file
        : new UnitFile(file.options, kept);
  }

  /**
   * The text of a unit file. Bytes that are not UTF-8 are a fault for {@link #parse}, which names
   * their line, except in comments: many a comment is older than UTF-8, and systemd does not read
   * it.
   */
  public static String decode(byte[] bytes) {
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .onMalformedInput(CodingErrorAction.REPLACE)
          .replaceWith(Characters.REFUSED)
          .decode(ByteBuffer.wrap(bytes))
          .toString();
    } catch (CharacterCodingException e) {
      throw new IllegalStateException("replaced, never reported", e);
    }
  }

  /**
   * A file of options that came one by one, as the API receives them, blanks around names and
   * values trimmed.
   *
   * @throws UnitFileSyntaxException if their text would not be read as these same options (a value
   *     with a line end in it, say), or is longer than {@link #MAX_BYTES}
   */
  public static UnitFile of(List<UnitOption> options) throws UnitFileSyntaxException {
    UnitFile written = new UnitFile(options.stream().map(UnitOption::trimmed).toList());
    if (written.isPlain()) {
      return new UnitFile(written.options.stream().map(UnitOption::interned).toList());
    }
    UnitFile read = parse(written.render());
    for (int i = 0; i < written.options.size(); i++) {
      UnitOption option = written.options.get(i);
      if (i >= read.options.size() || !read.options.get(i).equals(option)) {
        throw new UnitFileSyntaxException(
            "option \"%s\" of section [%s] cannot be written to a unit file: look for a line end or a special character in the section, the name or the value"
                .formatted(option.name(), option.section()));
      }
    }
    return read;
  }

  /** Whether its text is short, and need not be read to know that it reads as these options. */
  private boolean isPlain() {
    long characters = 0;
    for (UnitOption option : options) {
      characters += option.characters();
      if (characters > MAX_BYTES / 8 || !option.isPlain()) {
        return false;
      }
    }
    return true;
  }

  public List<UnitOption> options() {
    return options;
  }

  /** The canonical text: what {@code cat} prints, agents write to disk and hashes are made of. */
  public String render() {
    StringBuilder text = new StringBuilder();
    UnitOption previous = null;
    for (UnitOption option : options) {
      if (previous == null || !previous.section().equals(option.section())) {
        text.append(previous == null ? "[" : "\n[").append(option.section()).append("]\n");
      } else if (Continuation.isOpenAtEndOf(previous.value())) {
        // Otherwise the backslash would draw this option into the value before it.
        text.append('\n');
      }
      text.append(option.name()).append('=').append(option.value()).append('\n');
      previous = option;
    }
    return text.toString();
  }

  /** The text as it was typed; the canonical one if nobody said. */
  public String text() {
    return typed == null ? render() : typed;
  }

  /** Whether {@link #text} is known to be what was typed. */
  public boolean isTyped() {
    return typed != null;
  }

  /**
   * SHA-256 of {@link #text()}, the name of the typed text in the store; empty if that is the
   * canonical text.
   */
  public String typedSha256() {
    return typed == null || typed.equals(render()) ? "" : digest("SHA-256", typed);
  }

  /** SHA-1 of {@link #render()} in 40 lower-case hex digits: the name of the text for people. */
  public String hash() {
    String known = hash;
    if (known == null) {
      known = digest("SHA-1", render());
      hash = known;
    }
    return known;
  }

  /**
   * SHA-256 of {@link #render()} in 64 lower-case hex digits: the name of the text in the store.
   */
  public String sha256() {
    String known = sha256;
    if (known == null) {
      known = digest("SHA-256", render());
      sha256 = known;
    }
    return known;
  }

  /**
   * All values of an option as systemd reads them, each in one line, in the order of the file;
   * empty if it does not occur.
   */
  public List<String> values(String section, String name) {
    List<String> values = List.of();
    for (UnitOption option : options) {
      if (option.name().equals(name) && option.section().equals(section)) {
        values = values.isEmpty() ? new ArrayList<>(1) : values;
        values.add(option.valueInOneLine());
      }
    }
    return Collections.unmodifiableList(values);
  }

  /**
   * Whether an option is true, in systemd's words; of several assignments the last counts that is a
   * truth value.
   */
  public boolean isTrue(String section, String name) {
    boolean isTrue = false;
    for (String value : values(section, name)) {
      String word = value.toLowerCase(Locale.ROOT);
      isTrue = TRUE.contains(word) || (isTrue && !FALSE.contains(word));
    }
    return isTrue;
  }

  /**
   * The words of an option that is a list, of all its assignments, without quotes; an empty
   * assignment takes back those before.
   */
  public List<String> words(String section, String name) {
    List<String> words = new ArrayList<>();
    for (String value : values(section, name)) {
      if (value.isEmpty()) {
        words.clear();
      }
      words.addAll(Words.of(value));
    }
    return words;
  }

  public boolean hasSection(String section) {
    for (UnitOption option : options) {
      if (option.section().equals(section)) {
        return true;
      }
    }
    return false;
  }

  /**
   * The last {@code Description=} of {@code [Unit]}, which is the one that systemd shows; an empty
   * one takes back those before.
   */
  public Optional<String> description() {
    List<String> values = values("Unit", "Description");
    return values.isEmpty() || values.getLast().isEmpty()
        ? Optional.empty()
        : Optional.of(values.getLast());
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof UnitFile file && options.equals(file.options);
  }

  @Override
  public int hashCode() {
    return options.hashCode();
  }

  @Override
  public String toString() {
    return "UnitFile[" + hash() + "]";
  }

  private static List<UnitOption> gatherSections(List<UnitOption> options) {
    Map<String, List<UnitOption>> sections = new LinkedHashMap<>();
    for (UnitOption option : options) {
      sections.computeIfAbsent(option.section(), section -> new ArrayList<>()).add(option);
    }
    return sections.values().stream().flatMap(List::stream).toList();
  }

  private static String digest(String algorithm, String text) {
    try {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      return HexFormat.of().formatHex(MessageDigest.getInstance(algorithm).digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(algorithm + " is part of every Java runtime", e);
    }
  }
}
